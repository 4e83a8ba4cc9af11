package main

import (
	"context"
	"slices"
	"strings"
	"testing"
)

// TestConfig has what the image is told: addresses that fit together, on the loopback interface alone.
func TestConfig(t *testing.T) {
	coordinator, tablet := coordinatorConfig(31001), tabletConfig(31002)
	if got := dsn(coordinator, tablet); got != "fluss://127.0.0.1:31001,127.0.0.1:31002/fluss" {
		t.Errorf("DSN %s", got)
	}
	for _, tt := range []struct {
		server  *serverConfig
		command string
		expose  string
		lines   []string
	}{
		{coordinator, "coordinatorServer", "127.0.0.1:31001:9123/tcp", []string{
			"zookeeper.address: zookeeper:2181", "bind.listeners: INTERNAL://coordinator-server:0, CLIENT://coordinator-server:9123",
			"advertised.listeners: CLIENT://127.0.0.1:31001", "internal.listener.name: INTERNAL", "default.bucket.number: 1"}},
		{tablet, "tabletServer", "127.0.0.1:31002:9123/tcp", []string{
			"bind.listeners: INTERNAL://tablet-server:0, CLIENT://tablet-server:9123", "advertised.listeners: CLIENT://127.0.0.1:31002",
			"tablet-server.id: 0", "data.dir: /tmp/fluss/data"}},
	} {
		if tt.server.command != tt.command || tt.server.expose() != tt.expose {
			t.Errorf("%s: command %s, port %s", tt.server.alias, tt.server.command, tt.server.expose())
		}
		lines := strings.Split(tt.server.env()["FLUSS_PROPERTIES"], "\n")
		for _, want := range tt.lines {
			if !slices.Contains(lines, want) {
				t.Errorf("%s: no line %q in %q", tt.server.alias, want, lines)
			}
		}
		keys := map[string]bool{}
		for _, line := range lines {
			key, _, ok := strings.Cut(line, ": ")
			if !ok || keys[key] {
				t.Errorf("%s: line %q", tt.server.alias, line)
			}
			keys[key] = true
		}
	}
}

func TestFreePorts(t *testing.T) {
	ports, err := freePorts(3)
	if err != nil || ports[0] == ports[1] || ports[1] == ports[2] || ports[0] == ports[2] {
		t.Errorf("%v %v", ports, err)
	}
}

// TestNoDocker: where nobody answers, the error says what is missing and what to do instead.
func TestNoDocker(t *testing.T) {
	t.Setenv("DOCKER_HOST", "tcp://127.0.0.1:1")
	t.Setenv("TESTCONTAINERS_RYUK_DISABLED", "true")
	c, err := start(context.Background())
	if err == nil {
		c.stop()
		t.Fatal("a cluster without a Docker daemon")
	}
	for _, want := range []string{"FLUSS_TARGET=container", "Docker daemon", flussImage, "tcp://127.0.0.1:1", "FLUSS_TARGET=jvm"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("no %q in %v", want, err)
		}
	}
}
