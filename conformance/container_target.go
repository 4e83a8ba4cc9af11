package conformance

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// program is a server in a process of its own: it prints its DSN when it can be used, and ends with its standard input.
type program struct {
	dsn   string
	cmd   *exec.Cmd
	stdin io.Closer
}

// startContainers builds and runs the program in conformance/container. It is a module of its own, which Docker's client
// does not let share versions with this one.
func startContainers() (*program, error) {
	mod, err := exec.Command("go", "env", "GOMOD").Output()
	if err != nil {
		return nil, fmt.Errorf("go env GOMOD: %w", err)
	}
	dir, err := os.MkdirTemp("", "fluss-container-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	binary := filepath.Join(dir, "container")
	build := exec.Command("go", "build", "-o", binary, ".")
	build.Dir = filepath.Join(filepath.Dir(strings.TrimSpace(string(mod))), "container")
	build.Env = append(os.Environ(), "GOWORK=off")
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("build %s: %w\n%s", build.Dir, err, out)
	}
	return startProgram(exec.Command(binary))
}

// startProgram runs a program and waits for its DSN. Where it ends before, the error is what it wrote to its standard error.
func startProgram(cmd *exec.Cmd) (*program, error) {
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if line = strings.TrimSpace(line); err == nil && strings.HasPrefix(line, "fluss://") {
		return &program{dsn: line, cmd: cmd, stdin: stdin}, nil
	}
	stdin.Close()
	failed := cmd.Wait()
	if text := strings.TrimSpace(stderr.String()); text != "" {
		return nil, errors.New(text)
	}
	return nil, fmt.Errorf("%s printed %q and no DSN: %w", cmd.Path, line, errors.Join(err, failed))
}

// stop ends the program and waits for it.
func (p *program) stop() error {
	p.stdin.Close()
	return p.cmd.Wait()
}
