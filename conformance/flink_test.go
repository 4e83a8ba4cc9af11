package conformance

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestFlinkDocumentation runs what the documentation of Fluss lets people write in Flink SQL, and checks that every
// section that has SQL has a statement.
func TestFlinkDocumentation(t *testing.T) {
	text, err := os.ReadFile("testdata/flink/sections.txt")
	if err != nil {
		t.Fatal(err)
	}
	sections := strings.Split(strings.TrimSpace(string(text)), "\n")
	for _, form := range playFolder(t, "testdata/flink") {
		if !slices.Contains(sections, form) {
			t.Errorf("sections.txt has no %q", form)
		}
		sections = slices.DeleteFunc(sections, func(s string) bool { return s == form })
	}
	for _, s := range sections {
		t.Errorf("no statement of %q", s)
	}
}

// scripts are the scripts of a folder.
func scripts(t *testing.T, folder string) []string {
	t.Helper()
	files, err := filepath.Glob(folder + "/*.sql")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	return files
}

// playFolder runs the scripts of a folder side by side, each in a database of its own, and returns the forms they show.
func playFolder(t *testing.T, folder string) []string {
	t.Helper()
	var forms []string
	for _, file := range scripts(t, folder) {
		steps := readScript(t, file)
		for i := range steps {
			if !slices.Contains(forms, steps[i].form) {
				forms = append(forms, steps[i].form)
			}
		}
		t.Run(strings.TrimSuffix(filepath.Base(file), ".sql"), func(t *testing.T) {
			t.Parallel()
			r := newScriptRun(t, "db")
			r.strict = true
			r.play(steps)
			t.Logf("%d statements, %d with rows, %d refused", len(steps), r.answered, r.refused)
		})
	}
	return slices.DeleteFunc(forms, func(f string) bool { return f == "" })
}
