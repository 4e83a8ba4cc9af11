package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gofluss/fluss/conformance/cluster"
)

// go127 is what the name of a contestant ends in that is built by Go 1.27.
const (
	go127     = "-go1.27"
	toolchain = "GOTOOLCHAIN=go1.27.0"
)

// team is the contestants that can run here, in the order of play.
type team struct {
	names    []string
	commands map[string][]string
	env      []string
}

// assemble builds the contestants: all that are wanted, or all whose runtime is there.
func assemble(ctx context.Context, dir, wanted string) (*team, error) {
	root, err := moduleDir(ctx)
	if err != nil {
		return nil, err
	}
	t := &team{commands: map[string][]string{}}
	bench := filepath.Join(root, "bench")
	for _, c := range []struct {
		name  string
		build func() ([]string, error)
	}{
		{"ours", func() ([]string, error) { return goBuild(ctx, dir, "ours", bench, "") }},
		{"ours" + go127, func() ([]string, error) { return goBuild(ctx, dir, "ours127", bench, toolchain) }},
		{"floor", func() ([]string, error) {
			return goBuild(ctx, dir, "floor", filepath.Join(bench, "peers", "floor"), "")
		}},
		{"java", func() ([]string, error) {
			return javaBuild(ctx, dir, filepath.Join(bench, "peers", "java", "PeerBench.java"))
		}},
		{"pyfluss", func() ([]string, error) {
			return pythonSetup(ctx, dir, filepath.Join(bench, "peers", "python", "peer.py"))
		}},
	} {
		asked := slices.Contains(strings.Split(wanted, ","), c.name)
		if wanted != "" && !asked && c.name != "ours" { // ours makes the tables
			continue
		}
		command, err := c.build()
		if err != nil && (asked || c.name == "ours") {
			return nil, fmt.Errorf("%s: %w", c.name, err)
		}
		if err != nil {
			fmt.Fprintf(os.Stderr, "without %s: %v\n", c.name, err)
			continue
		}
		t.commands[c.name] = command
		if wanted == "" || asked {
			t.names = append(t.names, c.name)
		}
	}
	return t, nil
}

func moduleDir(ctx context.Context) (string, error) {
	out, err := output(exec.CommandContext(ctx, "go", "list", "-f", "{{.Module.Dir}}", "github.com/gofluss/fluss/conformance/cluster"))
	return strings.TrimSpace(string(out)), err
}

func goBuild(ctx context.Context, dir, name, source, env string) ([]string, error) {
	bin := filepath.Join(dir, name)
	cmd := exec.CommandContext(ctx, "go", "build", "-o", bin, ".")
	cmd.Dir = source
	if env != "" {
		cmd.Env = append(os.Environ(), env)
	}
	_, err := output(cmd)
	return []string{bin}, err
}

func javaBuild(ctx context.Context, dir, source string) ([]string, error) {
	java, err := cluster.JavaCommand("java")
	if err != nil {
		return nil, err
	}
	javac, err := cluster.JavaCommand("javac")
	if err != nil {
		return nil, err
	}
	jars, err := cluster.ClientJars(ctx)
	if err != nil {
		return nil, err
	}
	lib := filepath.Join(jars, "*")
	if _, err := output(exec.CommandContext(ctx, javac, "-nowarn", "-d", filepath.Join(dir, "java"), "-cp", lib, source)); err != nil {
		return nil, err
	}
	return []string{java, "--add-opens=java.base/java.nio=ALL-UNNAMED", "-Xmx1g",
		"-cp", filepath.Join(dir, "java") + string(os.PathListSeparator) + lib, "PeerBench"}, nil
}

// pythonSetup installs pyfluss into an environment of its own.
func pythonSetup(ctx context.Context, dir, source string) ([]string, error) {
	venv := filepath.Join(dir, "python")
	if _, err := output(exec.CommandContext(ctx, "python3", "-m", "venv", venv)); err != nil {
		return nil, err
	}
	python := filepath.Join(venv, "bin", "python")
	if _, err := output(exec.CommandContext(ctx, python, "-m", "pip", "install", "-q", "pyfluss==1.0.0", "pyarrow", "numpy")); err != nil {
		return nil, err
	}
	return []string{python, source}, nil
}

// environment tells the contestants where the cluster is.
func environment(boot string) []string {
	coordinator, tablet, _ := strings.Cut(boot, ",")
	tablet, _, _ = strings.Cut(tablet, ",")
	return append(os.Environ(), "BOOT="+coordinator, "TABLET="+tablet)
}

// start runs a contestant and returns the last line that it prints.
func (t *team) start(ctx context.Context, name string, args ...string) ([]byte, error) {
	command := t.commands[name]
	cmd := exec.CommandContext(ctx, command[0], append(command[1:len(command):len(command)], args...)...)
	cmd.Env = t.env
	out, err := output(cmd)
	out = bytes.TrimSpace(out)
	return out[bytes.LastIndexByte(out, '\n')+1:], err
}

// output runs cmd; its error has the end of what cmd said.
func output(cmd *exec.Cmd) ([]byte, error) {
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	err := cmd.Run()
	if err != nil {
		text := strings.TrimSpace(said.String() + out.String())
		err = fmt.Errorf("%w: %s", err, text[max(0, len(text)-600):])
	}
	return out.Bytes(), err
}
