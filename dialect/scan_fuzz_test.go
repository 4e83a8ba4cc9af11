package dialect

import (
	"errors"
	"strings"
	"testing"

	"github.com/gofluss/fluss/internal/fuzzbound"
)

// Properties of the tokens of every text:
//   - no panic, no endless loop, memory in proportion to the text;
//   - they lie one behind the other, are not empty, and what is between them is blank or a comment;
//   - after the first error there are no more, and the error stays;
//   - the text of a string, written again, scans to the same text.
func FuzzScan(f *testing.F) {
	for _, file := range goldenFiles {
		for _, g := range readGolden(f, file) {
			f.Add(g.sql, false)
		}
	}
	for _, s := range []string{`'a''b\\c\'d\n'`, `"a""b"`, "`a``b`", "X'00ff' 0x00FF", "a/*b*/-- c\n# d\n?", ":name ::x @@y.z @q", "1.5e-3 .5 1e 0x1", "$x größe \u00a0", "/*+ A(1) */ /*! 1 */", "'\xff", "<=> ->> != <>"} {
		f.Add(s, true)
	}
	fuzzbound.Fuzz(f, func(t *testing.T, sql string, ansi bool) {
		var tokens []token
		var s scanner
		fuzzbound.CheckWith(t, len(sql), func() int { // each byte may be a token, which is larger than the 16 bytes it may cost
			tokens, s = tokens[:0], scanner{sql: sql, ansi: ansi}
			for {
				tok := s.next()
				if tok.kind == endOfText {
					return cap(tokens) * 3 * tokenBytes
				}
				if tokens = append(tokens, tok); len(tokens) > len(sql) {
					t.Fatalf("%q: more tokens than bytes", sql)
				}
			}
		})
		end := 0
		for i := range tokens {
			tok := &tokens[i]
			if tok.pos < end || tok.end <= tok.pos || tok.end > len(sql) {
				t.Fatalf("%q: token %d is [%d, %d), the last ended at %d", sql, i, tok.pos, tok.end, end)
			}
			checkBetween(t, sql, sql[end:tok.pos])
			checkQuoted(t, sql, tok, ansi)
			end = tok.end
		}
		if s.err == nil {
			checkBetween(t, sql, sql[end:])
			return
		}
		checkError(t, sql, s.err)
		if again := s.next(); again.kind != endOfText || s.err == nil {
			t.Fatalf("%q: %v is followed by %q", sql, s.err, sql[again.pos:again.end])
		}
	})
}

const tokenBytes = 48

// checkBetween sees that nothing but blanks and comments lies between tokens.
func checkBetween(t *testing.T, sql, between string) {
	for between != "" {
		switch {
		case strings.ContainsRune(" \t\n\r\f\v", rune(between[0])):
			between = between[1:]
		case strings.HasPrefix(between, "/*") && !strings.HasPrefix(between, "/*+") && !strings.HasPrefix(between, "/*!"):
			_, rest, ok := strings.Cut(between[2:], "*/")
			if !ok {
				t.Fatalf("%q: a comment without an end", sql)
			}
			between = rest
		case between[0] == '#', strings.HasPrefix(between, "--"):
			_, between, _ = strings.Cut(between, "\n")
		default:
			t.Fatalf("%q: %q is no token", sql, between)
		}
	}
}

// checkQuoted writes a string or a quoted name again.
func checkQuoted(t *testing.T, sql string, tok *token, ansi bool) {
	f := formatter{}
	switch tok.kind {
	case text:
		f.string(tok.text)
	case name:
		f.name(tok.text)
	default:
		return
	}
	s := scanner{sql: string(f.b), ansi: ansi}
	if again := s.next(); s.err != nil || again.kind != tok.kind || again.text != tok.text || again.end != len(s.sql) {
		t.Fatalf("%q: %q is written %s, which scans to %q, %v", sql, tok.text, f.b, again.text, s.err)
	}
}

// A scanner that met an error gives nothing more, whatever follows.
func TestScanAfterError(t *testing.T) {
	s := scanner{sql: "a 'b"}
	if tok := s.next(); !tok.is("A") {
		t.Errorf("got %v", tok)
	}
	for range 3 {
		if tok := s.next(); tok.kind != endOfText || !errors.Is(s.err, ErrSyntax) {
			t.Errorf("got %v, %v", tok, s.err)
		}
	}
}
