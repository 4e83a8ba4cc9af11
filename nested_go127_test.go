//go:build go1.27

package fluss_test

import (
	"database/sql"
	"reflect"
	"strings"
	"testing"

	"github.com/gofluss/fluss"
	"github.com/gofluss/fluss/flusstest"
)

type point struct {
	X int32
	Y *string
}

// Rows of nested columns scan into Go values as they are, and what does not fit says where.
func TestScanNestedColumns(t *testing.T) {
	db, err := sql.Open("fluss", flusstest.Run(t).DSN())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, query := range []string{
		"CREATE TABLE nested (id INT, ints ARRAY<INT>, texts ARRAY<STRING>, floats ARRAY<FLOAT>, counts MAP<STRING, BIGINT>, p ROW<x INT, y STRING>, " +
			"ps ARRAY<ROW<x INT, y STRING>>, PRIMARY KEY (id) NOT ENFORCED)",
		"UPSERT INTO nested VALUES (1, ARRAY[1, -2], ARRAY['a', ''], ARRAY[1.5], MAP['k', 7, 'l', 8], ROW(3, 'y'), ARRAY[ROW(1, NULL), ROW(2, 'z')])",
		"UPSERT INTO nested VALUES (2, NULL, NULL, NULL, NULL, NULL, NULL)",
		"UPSERT INTO nested VALUES (3, ARRAY[1, NULL], ARRAY[], ARRAY[], MAP['k', NULL], ROW(NULL, NULL), ARRAY[])",
	} {
		if _, err := db.Exec(query); err != nil {
			t.Fatalf("%s: %v", query, err)
		}
	}
	z := "z"
	for _, c := range []struct {
		column string
		id     int
		want   any // what the destination, of this type, holds
		err    string
	}{
		{"ints", 1, []int32{1, -2}, ""},
		{"ints", 1, []int64{1, -2}, ""},
		{"ints", 1, []int8{1, -2}, ""},
		{"ints", 1, [2]int{1, -2}, ""},
		{"ints", 1, []any{"1", "-2"}, "number"},
		{"ints", 1, []string{"1", "-2"}, ""},
		{"ints", 1, fluss.Array[int]{1, -2}, ""},
		{"ints", 1, "[1,-2]", ""},
		{"ints", 1, []byte("[1,-2]"), ""},
		{"ints", 1, sql.Null[[]int32]{V: []int32{1, -2}, Valid: true}, ""},
		{"ints", 1, map[string]int{}, "pair"},
		{"ints", 2, []int32(nil), ""},
		{"ints", 2, sql.Null[[]int32]{}, ""},
		{"ints", 2, [2]int{}, "NULL"},
		{"ints", 3, []int32(nil), "NULL"},
		{"ints", 3, []sql.NullInt32{{Int32: 1, Valid: true}, {}}, ""},
		{"texts", 1, []string{"a", ""}, ""},
		{"texts", 1, []int64(nil), "int64"},
		{"texts", 3, []string{}, ""},
		{"floats", 1, []float64{1.5}, ""},
		{"floats", 1, []float32{1.5}, ""},
		{"counts", 1, map[string]int64{"k": 7, "l": 8}, ""},
		{"counts", 2, map[string]int64(nil), ""},
		{"counts", 3, map[string]int64(nil), "NULL"},
		{"counts", 3, map[string]*int64{"k": nil}, ""},
		{"p", 1, struct{ X, Y string }{"3", "y"}, ""},
		{"p", 1, map[string]any{"x": "3"}, "number"},
		{"p", 2, point{}, "NULL"},
		{"p", 2, (*point)(nil), ""},
		{"p", 3, struct{ X, Y *string }{}, ""},
		{"p", 1, struct{ X int }{}, "no field"},
		{"ps", 1, []point{{1, nil}, {2, &z}}, ""},
		{"ps", 3, []point{}, ""},
	} {
		dest := reflect.New(reflect.TypeOf(c.want))
		err := db.QueryRow("SELECT "+c.column+" FROM nested WHERE id = ?", c.id).Scan(dest.Interface())
		switch {
		case c.err == "number": // an any holds a json.Number
			if err != nil {
				t.Errorf("%s of %d into %T: %v", c.column, c.id, c.want, err)
			}
		case c.err != "":
			if err == nil || !strings.Contains(err.Error(), c.err) || !strings.Contains(err.Error(), c.column) {
				t.Errorf("%s of %d into %T: got %v and %v, want an error with %q", c.column, c.id, c.want, dest.Elem(), err, c.err)
			}
		case err != nil || !reflect.DeepEqual(dest.Elem().Interface(), c.want):
			t.Errorf("%s of %d into %T: got %v and %v, want %v", c.column, c.id, c.want, dest.Elem(), err, c.want)
		}
	}
}
