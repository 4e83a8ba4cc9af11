package conformance

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestStatements runs every statement form, with what it answers: rows, types of columns, and the words of refusals.
func TestStatements(t *testing.T) {
	files, err := filepath.Glob("testdata/statements/*.sql")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".sql")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newScriptRun(t, "db")
			r.strict = true
			steps := readScript(t, file)
			r.play(steps)
			t.Logf("%d statements, %d with rows, %d refused", len(steps), r.answered, r.refused)
		})
	}
}
