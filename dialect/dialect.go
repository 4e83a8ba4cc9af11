// Package dialect turns SQL text into statements. It knows no schema and does no I/O.
package dialect

import "fmt"

// Options changes how a text is read.
type Options struct {
	ANSIQuotes bool // "x" is a name, not a string
}

// SyntaxError says where a text stops making sense.
type SyntaxError struct {
	Pos     Pos
	Line    int // from 1
	Column  int // from 1, in characters
	Message string
	Excerpt string // the line of the text and a caret line below it
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("syntax error at line %d column %d: %s\n%s", e.Line, e.Column, e.Message, e.Excerpt)
}

// UnsupportedError is the refusal of something that is well formed but that Fluss, or this driver, does not do.
type UnsupportedError struct {
	Feature string // "JOIN"
	Reason  string // "Fluss serves lookups and scans, not query plans"
	Hint    string // "read both tables and join in Go, or use Flink"
}

func (e *UnsupportedError) Error() string {
	s := e.Feature + " is not supported"
	if e.Reason != "" {
		s += ": " + e.Reason
	}
	if e.Hint != "" {
		s += "; " + e.Hint
	}
	return s
}
