package dialect

import (
	"reflect"
	"strings"
	"testing"
)

// TestUniformInsert holds bulk statements, whose rows are not all kept, against the same rows with a literal at the end.
func TestUniformInsert(t *testing.T) {
	for _, c := range []struct {
		name, sql string
		rows      int
		uniform   bool
	}{
		{"one row", "INSERT INTO t VALUES (?, ?)", 1, false},
		{"two rows", "INSERT INTO t VALUES (?, ?), (?, ?)", 2, true},
		{"many rows", "INSERT INTO t VALUES (?, ?)" + strings.Repeat(", (?, ?)", 999), 1000, true},
		{"one text, then another", "INSERT INTO t VALUES (?,?),(?,?),(?,?),( ?, ? ),(?,?)", 5, true},
		{"comments", "INSERT INTO t VALUES (?,?) -- a\n,(?,?) -- a\n,(?,?) -- a\n,(?,?)", 4, true},
		{"block comments", "INSERT INTO t VALUES (?,?),/*x*/(?,?),/*x*/(?,?)", 3, true},
		{"tail", "UPSERT INTO t VALUES (?,?),(?,?),(?,?);", 3, true},
		{"returning", "INSERT INTO t VALUES (?,?),(?,?),(?,?) RETURNING _bucket", 3, true},
		{"literal at once", "INSERT INTO t VALUES (?,1),(?,?),(?,?)", 3, false},
		{"literal second", "INSERT INTO t VALUES (?,?),(?,1),(?,?)", 3, false},
		{"literal last", "INSERT INTO t VALUES (?,?),(?,?),(?,?),(?,?),(1,?)", 5, false},
		{"literal, then parameters", "INSERT INTO t VALUES (?,?),(?,?),(?,?),(1,?),(?,?),(?,?)", 6, false},
		{"names", "INSERT INTO t VALUES (:a,:b),(:a,:b),(:a,:b)", 3, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			stmt, err := Parse(c.sql, Options{})
			if err != nil {
				t.Fatal(err)
			}
			s := stmt.(*Insert)
			if s.Rows != c.rows || s.Uniform != c.uniform || s.Width != 2 {
				t.Fatalf("%d rows of %d, uniform %v", s.Rows, s.Width, s.Uniform)
			}
			want := c.rows * 2
			if c.uniform {
				want = 2
			}
			if len(s.Values) != want {
				t.Errorf("%d values, want %d", len(s.Values), want)
			}
			if n := strings.Count(c.sql, "?"); s.Count != n {
				t.Errorf("%d parameters, want %d", s.Count, n)
			}
			next := 0
			for _, v := range s.Values {
				if v.Kind == Param && s.Names == nil {
					if v.Index != next {
						t.Errorf("parameter %d stands where %d should", v.Index, next)
					}
					next++
				}
			}
			again, err := Parse(Format(stmt), Options{})
			if err != nil {
				t.Fatal(err)
			}
			if a := again.(*Insert); a.Rows != s.Rows || a.Uniform != s.Uniform || !reflect.DeepEqual(a.Params, s.Params) {
				t.Errorf("printed and parsed again it is %d rows, uniform %v, %+v", a.Rows, a.Uniform, a.Params)
			}
		})
	}
	for _, bad := range []string{"INSERT INTO t VALUES (?,?),(?,?),(?,?),(?)", "INSERT INTO t VALUES (?,?),(?,?),(?,?),", "INSERT INTO t VALUES (?,?),(?,?),(?,?) (?,?)"} {
		if _, err := Parse(bad, Options{}); err == nil {
			t.Errorf("%s: no error", bad)
		}
	}
}
