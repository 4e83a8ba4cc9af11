package conformance

import "testing"

// TestStatements runs every statement form, with what it answers: rows, types of columns, and the words of refusals.
func TestStatements(t *testing.T) { playFolder(t, "testdata/statements") }
