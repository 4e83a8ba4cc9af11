package dialect

import (
	"errors"
	"flag"
	"strings"
	"testing"

	"github.com/gofluss/fluss/internal/fuzzbound"
)

// Properties of every text:
//   - no panic, no endless loop, memory in proportion to the text;
//   - an error is a *SyntaxError or an *UnsupportedError, at a position of the text;
//   - what parses has a tree whose printed form parses to the same tree, and prints the same again;
//   - what sqlparser also reads, and is not known to misread, it reads in the same way.
func FuzzParse(f *testing.F) {
	for _, file := range goldenFiles {
		for _, g := range readGolden(f, file) {
			f.Add(g.sql, false)
		}
	}
	for _, tt := range refusals {
		f.Add(strings.Replace(tt.sql, "«", "", 1), false)
	}
	for _, tt := range syntaxErrors {
		f.Add(strings.Replace(tt.sql, "«", "", 1), true)
	}
	fuzzbound.Fuzz(f, func(t *testing.T, sql string, ansi bool) {
		var s Statement
		var err error
		fuzzbound.CheckTree(t, len(sql), func() { s, err = Parse(sql, Options{ANSIQuotes: ansi}) })
		if err != nil {
			checkError(t, sql, err)
			return
		}
		printed, tree := Format(s), dump(s)
		again, err := Parse(printed, Options{ANSIQuotes: ansi})
		if err != nil {
			t.Fatalf("%q prints %q: %v", sql, printed, err)
		}
		if hintParameters(s) {
			return // hints move to the front, and their '?' with them
		}
		if got := dump(again); got != tree {
			t.Fatalf("%q prints %q\ngot  %s\nwant %s", sql, printed, got, tree)
		}
		if got := Format(again); got != printed {
			t.Fatalf("%q prints %q, then %q", sql, printed, got)
		}
		if !ansi && strings.IndexFunc(sql, func(r rune) bool { return r > 126 || r < 32 }) < 0 {
			compareWithOracle(t, sql, printed)
		}
	})
}

func checkError(t *testing.T, sql string, err error) {
	var s *SyntaxError
	var u *UnsupportedError
	switch {
	case errors.As(err, &s):
		if s.Pos < 0 || int(s.Pos) > len(sql) || s.Line < 1 || s.Column < 1 || s.Message == "" {
			t.Fatalf("%q: %#v", sql, s)
		}
	case errors.As(err, &u):
		if u.Pos < 0 || int(u.Pos) >= len(sql) || u.Feature == "" {
			t.Fatalf("%q: %#v", sql, u)
		}
	default:
		t.Fatalf("%q: %T %v", sql, err, err)
	}
}

func hintParameters(s Statement) bool {
	var list []Hint
	switch s := s.(type) {
	case *Select:
		list = s.Hints
	case *Insert:
		list = s.Hints
	case *Update:
		list = s.Hints
	case *Delete:
		list = s.Hints
	case *Explain:
		return hintParameters(s.Statement)
	}
	for _, h := range list {
		if strings.Contains(dump(h.Args), "Param(") {
			return true
		}
	}
	return strings.Contains(dump(s), "Exists{") && strings.Contains(dump(s), "Hints:")
}

var fuzzOracle = flag.Bool("oracle", false, "compare with sqlparser while fuzzing too")

// compareWithOracle compares the readings of the text as it was written. The printed form tells whether there
// is something in it that sqlparser is known to misread.
//
// While fuzzing it does so only with -oracle: sqlparser misreads more than misread knows, and what fuzzing finds there
// says nothing about this package until somebody has looked.
func compareWithOracle(t *testing.T, sql, printed string) {
	if !*fuzzOracle && flag.Lookup("test.fuzz").Value.String() != "" {
		return
	}
	s, _ := Parse(sql, Options{})
	switch s.(type) {
	case *Select, *Update, *Delete:
	default:
		return
	}
	if misread(printed) || misread(strings.ToUpper(sql)) || strings.ContainsAny(sql, "#@$;:\\\"") || strings.Contains(sql, "--") || strings.Contains(sql, "/*") {
		return
	}
	got, names := withoutExtras(s)
	if want, ok, _ := oracle(sql, names); ok && !strings.EqualFold(got, want) { // it writes some names in lower case
		t.Fatalf("%q\nours      %s\nsqlparser %s", sql, got, want)
	}
}
