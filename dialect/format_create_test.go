package dialect

import (
	"reflect"
	"testing"
)

// A CREATE TABLE over several lines parses to the same statement as the one in a line.
func TestFormatCreateTable(t *testing.T) {
	n := 0
	for _, g := range readGolden(t, "testdata/ddl.txt") {
		s, err := Parse(g.sql, Options{})
		create, ok := s.(*CreateTable)
		if err != nil || !ok {
			continue
		}
		text := FormatCreateTable(create)
		again, err := Parse(text, Options{})
		if err != nil {
			t.Errorf("%s\n%v", text, err)
			continue
		}
		if got := Format(again); got != g.format || reflect.TypeOf(again) != reflect.TypeOf(s) {
			t.Errorf("%s\ngot  %s\nwant %s", text, got, g.format)
		}
		n++
	}
	const want = "CREATE TABLE `t` (\n  `a` INT NOT NULL,\n  `b` STRING COMMENT 'c',\n  PRIMARY KEY (`a`) NOT ENFORCED\n) COMMENT 'x'\nPARTITIONED BY (`p`)\nDISTRIBUTED BY (`a`) INTO 2 BUCKETS\nWITH ('k' = 'v')"
	s, err := Parse("CREATE TABLE t (a INT NOT NULL, b STRING COMMENT 'c', PRIMARY KEY (a)) COMMENT 'x' PARTITIONED BY (p) DISTRIBUTED BY (a) INTO 2 BUCKETS WITH ('k' = 'v')", Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := FormatCreateTable(s.(*CreateTable)); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if n < 5 {
		t.Errorf("only %d statements of testdata are a CREATE TABLE", n)
	}
	t.Logf("%d statements", n)
}
