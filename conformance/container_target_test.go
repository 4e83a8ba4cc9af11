package conformance

import (
	"os/exec"
	"strings"
	"testing"
)

// TestProgram: a server in another process is known by the DSN that it prints, and one that fails by its own words.
func TestProgram(t *testing.T) {
	p, err := startProgram(exec.Command("sh", "-c", "echo fluss://127.0.0.1:1/fluss; cat"))
	if err != nil || p.dsn != "fluss://127.0.0.1:1/fluss" {
		t.Fatalf("%+v %v", p, err)
	}
	if err := p.stop(); err != nil {
		t.Error(err)
	}
	for _, tt := range []struct{ script, want string }{
		{"echo no docker here >&2; exit 1", "no docker here"},
		{"echo hello", `printed "hello" and no DSN`},
		{"exit 3", "exit status 3"},
	} {
		if _, err := startProgram(exec.Command("sh", "-c", tt.script)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.script, err, tt.want)
		}
	}
}
