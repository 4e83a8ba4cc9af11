package dialect

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

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

// SQLState is 42601, a syntax error.
func (e *SyntaxError) SQLState() string { return "42601" }

// UnsupportedError is the refusal of something that is well formed but that Fluss, or this driver, does not do.
type UnsupportedError struct {
	Feature string // "JOIN"
	Reason  string // "Fluss serves lookups and scans, not query plans"
	Hint    string // "read both tables and join in Go, or use Flink"
	Pos     Pos    // where the parser met it; 0 when a later step refused
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

// SQLState is 0A000, a feature that is not supported.
func (e *UnsupportedError) SQLState() string { return "0A000" }

// newSyntaxError works out line, column and excerpt of pos, which may be len(sql).
func newSyntaxError(sql string, pos int, message string) *SyntaxError {
	start := strings.LastIndexByte(sql[:pos], '\n') + 1
	end := len(sql)
	if i := strings.IndexByte(sql[pos:], '\n'); i >= 0 {
		end = pos + i
	}
	return &SyntaxError{
		Pos:     Pos(pos),
		Line:    1 + strings.Count(sql[:start], "\n"),
		Column:  1 + utf8.RuneCountInString(sql[start:pos]),
		Message: message,
		Excerpt: excerpt(sql[start:end], pos-start),
	}
}

// An excerpt shows at most this many bytes before and after the caret.
const excerptBefore, excerptAfter = 60, 40

// excerpt cuts a long line around at and puts a caret below that byte. Tabs stay tabs, so that the caret lines up.
func excerpt(line string, at int) string {
	line = strings.TrimSuffix(line, "\r")
	at = min(at, len(line))
	head, tail := line[:at], line[at:]
	if len(head) > excerptBefore {
		cut := len(head) - excerptBefore
		for cut < len(head) && !utf8.RuneStart(head[cut]) {
			cut++
		}
		head = "..." + head[cut:]
	}
	if len(tail) > excerptAfter {
		cut := excerptAfter
		for cut > 0 && !utf8.RuneStart(tail[cut]) {
			cut--
		}
		tail = tail[:cut] + "..."
	}
	pad := strings.Map(func(r rune) rune {
		if r == '\t' {
			return r
		}
		return ' '
	}, head)
	return head + tail + "\n" + pad + "^"
}
