package cluster

import (
	"encoding/xml"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func configured(t *testing.T, opts Options) *Cluster {
	t.Helper()
	opts.Dir = t.TempDir()
	opts.setDefaults()
	c := &Cluster{opts: opts, java: "java", lib: "lib"}
	if err := c.prepare(); err != nil {
		t.Fatal(err)
	}
	return c
}

func serverYAML(t *testing.T, c *Cluster, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(c.dir, "conf", name, "server.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestConfigure(t *testing.T) {
	plain := configured(t, Options{})
	replicated := configured(t, Options{TabletServers: 3, TabletProperties: map[string]string{"kv.snapshot.interval": "3s"}})
	sasl := configured(t, Options{SASL: true, Users: map[string]string{"alice": "p/w"}})
	proxied := configured(t, Options{Advertise: func(name, listen string) string { return name + ":1" }})
	lake := configured(t, Options{Lake: true})
	for _, c := range []struct {
		name, yaml, want string
	}{
		{"listener", serverYAML(t, plain, "coordinator"), "bind.listeners: FLUSS://" + plain.CoordinatorAddr() + "\n"},
		{"id", serverYAML(t, replicated, "tablet-2"), "tablet-server.id: 2\n"},
		{"replication", serverYAML(t, replicated, "tablet-2"), "default.replication.factor: 3\n"},
		{"own property", serverYAML(t, replicated, "tablet-1"), "kv.snapshot.interval: 3s\n"},
		{"two listeners", serverYAML(t, sasl, "tablet-0"), "bind.listeners: INTERNAL://127.0.0.1:0, CLIENT://" + sasl.TabletAddr(0) + "\n"},
		{"users", serverYAML(t, sasl, "coordinator"), `required user_admin="admin-pass" user_alice="p/w";`},
		{"lake", serverYAML(t, lake, "coordinator"), "datalake.paimon.warehouse: " + filepath.Join(lake.dir, "lake") + "\n"},
		{"advertised", serverYAML(t, proxied, "tablet-0"), "advertised.listeners: CLIENT://tablet-0:1\n"},
	} {
		if !strings.Contains(c.yaml, c.want) {
			t.Errorf("%s: no %q in\n%s", c.name, c.want, c.yaml)
		}
	}
	if got, want := sasl.DSNAs("alice", "my db"), "fluss://alice:p%2Fw@"+sasl.Bootstrap()+"/my%20db"; got != want {
		t.Errorf("DSN %s, want %s", got, want)
	}
	if got, want := plain.DSN(""), "fluss://"+plain.CoordinatorAddr()+","+plain.TabletAddr(0); got != want {
		t.Errorf("DSN %s, want %s", got, want)
	}
}

func TestPom(t *testing.T) {
	var pom struct {
		Dependencies []string `xml:"dependencies>dependency>artifactId"`
	}
	if err := xml.Unmarshal(pomFor(append([]artifact{serverArtifact}, logArtifacts...)), &pom); err != nil {
		t.Fatal(err)
	}
	if got, want := strings.Join(pom.Dependencies, " "), "fluss-server log4j-slf4j-impl log4j-core"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestFreePorts(t *testing.T) {
	ports, err := freePorts(20)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[int]bool{}
	for _, p := range ports {
		if p < firstPort || p > lastPort || seen[p] {
			t.Errorf("port %d of %v is out of range or there twice", p, ports)
		}
		seen[p] = true
	}
}
