package dialect

import (
	"reflect"
	"strings"
	"testing"
)

// The strings that a statement's text turns into.
func TestStrings(t *testing.T) {
	tests := []struct{ in, want string }{
		{`''`, ""}, {`'a'`, "a"}, {`""`, ""}, {`"a"`, "a"},
		{`'it''s'`, "it's"}, {`''''`, "'"}, {`"a""b"`, `a"b`}, {`"a'b"`, "a'b"}, {`'a"b'`, `a"b`}, {`"a''b"`, "a''b"},
		{`'a\\b'`, `a\b`}, {`'\\'`, `\`}, {`'\''`, "'"}, {`'\"'`, `"`}, {`"\""`, `"`},
		{`'\n\t\r\b\0\Z'`, "\n\t\r\b\x00\x1a"}, {`'\%\_'`, `\%\_`}, {`'\\%'`, `\%`},
		{"'a\nb'", "a\nb"}, {"'größe 名前'", "größe 名前"}, {"'\xff'", "\xff"}, {"'`'", "`"},
		{"X'00fF'", "\x00\xff"}, {"x''", ""}, {"0x4142", "AB"},
	}
	for _, tt := range tests {
		s, err := Parse("INSERT INTO t VALUES ("+tt.in+")", Options{})
		if err != nil {
			t.Errorf("%s: %v", tt.in, err)
		} else if got := s.(*Insert).Values[0].Text; got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.in, got, tt.want)
		}
	}
}

func TestANSIQuotes(t *testing.T) {
	const sql = `SELECT "a""b", 'c' FROM "my db"."t$changelog" AS "x" WHERE "x"."y" = 'z'`
	s, err := Parse(sql, Options{ANSIQuotes: true})
	if err != nil {
		t.Fatal(err)
	}
	want := "SELECT `a\"b`, 'c' FROM `my db`.`t$changelog` AS `x` WHERE `x`.`y` = 'z'"
	if got := Format(s); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if _, err := Parse(sql, Options{}); err == nil {
		t.Error("without the option a string was taken for a table's name")
	}
}

// Every node is where the text says: the marks «n» stand in front of the nodes in the order of walking the tree.
func TestPositions(t *testing.T) {
	tests := []string{
		"SELECT «a, «t.*, «COUNT(«*), «b + «c, «EXISTS(SELECT «1) FROM «t",
		"SELECT «größe, /* x */ «'ü'\n, -- y\n  «? AS z FROM «`t`",
		"SELECT «* FROM «d.t$changelog WHERE «a = «-1 AND «NOT «b IN («:x, «'s') OR «(«c, «d) = («1, «2)",
		"SELECT «* FROM «t WHERE «a BETWEEN «1 AND «2 AND «b LIKE «'x' AND «c IS NULL AND («d = «- 5) LIMIT «5 OFFSET «?",
	}
	for _, tt := range tests {
		sql := strings.ReplaceAll(tt, "«", "")
		s, err := Parse(sql, Options{})
		if err != nil {
			t.Errorf("%s: %v", sql, err)
			continue
		}
		want := map[Pos]bool{}
		for i, n := 0, 0; ; n++ {
			at := strings.Index(tt[i:], "«")
			if at < 0 {
				break
			}
			want[Pos(i+at-n*len("«"))] = true
			i += at + len("«")
		}
		got := map[Pos]bool{}
		positions(reflect.ValueOf(s), got)
		for p := range want {
			if !got[p] && !strings.HasPrefix(sql[p:], "(") {
				t.Errorf("%s: no node at %d %q", sql, p, sql[p:])
			}
		}
		for p := range got {
			if !want[p] && !strings.HasPrefix(sql[p:], "(") {
				t.Errorf("%s: a node at %d %q", sql, p, sql[p:])
			}
		}
	}
}

// positions collects every field Pos beneath v.
func positions(v reflect.Value, into map[Pos]bool) {
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		if !v.IsNil() {
			positions(v.Elem(), into)
		}
	case reflect.Slice:
		for i := range v.Len() {
			positions(v.Index(i), into)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).Name == "Pos" {
				into[Pos(v.Field(i).Int())] = true
			} else {
				positions(v.Field(i), into)
			}
		}
	}
}

// The text of an item names the result column.
func TestItemText(t *testing.T) {
	s, err := Parse("SELECT  a ,t . `b` AS x, COUNT( * ) /*+ FULL_SCAN */ , is_nullable  = 'YES' -- c\n, t.*, (1) FROM t", Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"a", "t . `b`", "COUNT( * )", "is_nullable  = 'YES'", "t.*", "(1)"}
	for i, item := range s.(*Select).Items {
		if item.Text != want[i] {
			t.Errorf("item %d: got %q, want %q", i, item.Text, want[i])
		}
	}
}

func TestDepth(t *testing.T) {
	nest := func(open, inner, closing string, n int) string {
		return strings.Repeat(open, n) + inner + strings.Repeat(closing, n)
	}
	tests := []struct {
		name, before, open, inner, closing, after string
	}{
		{"parentheses", "SELECT ", "(", "1", ")", ""},
		{"NOT", "SELECT ", "NOT ", "1", "", ""},
		{"minus", "SELECT ", "- ", "a", "", ""},
		{"function", "SELECT ", "F(", "1", ")", ""},
		{"IN", "SELECT ", "1 IN (", "1", ")", ""},
		{"EXISTS", "SELECT ", "EXISTS (SELECT ", "1", ")", ""},
		{"array", "INSERT INTO t VALUES (", "ARRAY[", "1", "]", ")"},
		{"row", "INSERT INTO t VALUES (", "ROW(", "1", ")", ")"},
		{"type", "CREATE TABLE t (a ", "ARRAY<", "INT", ">", ")"},
		{"row type", "CREATE TABLE t (a ", "ROW<a ", "INT", ">", ")"},
	}
	for _, tt := range tests {
		for _, n := range []int{100, 100_000} {
			sql := tt.before + nest(tt.open, tt.inner, tt.closing, n) + tt.after
			_, err := Parse(sql, Options{})
			if n == 100 && err != nil {
				t.Errorf("%s: %d levels: %v", tt.name, n, err)
			}
			if n > 100 && (err == nil || !strings.Contains(err.Error(), "nested deeper than 200 levels")) {
				t.Errorf("%s: %d levels: %v", tt.name, n, err)
			}
		}
	}
	if _, err := Parse("SELECT a FROM t WHERE a = 1"+strings.Repeat(" AND a = 1", 100_000), Options{}); err != nil {
		t.Errorf("100,000 ANDs: %v", err)
	}
}

// Words longer than longestKeyword are never looked up.
func TestWordSets(t *testing.T) {
	for _, set := range []map[string]bool{reserved, noAlias, bareFunctions} {
		for w := range set {
			if len(w) > longestKeyword || w != upper(w) {
				t.Errorf("%s cannot be found", w)
			}
		}
	}
	for w := range typeWords {
		if len(w) > longestKeyword || w != upper(w) {
			t.Errorf("%s cannot be found", w)
		}
	}
}
