//go:build go1.27

package conformance

import (
	"reflect"
	"testing"
)

// Go 1.27 scans ARRAY, MAP and ROW straight into slices, maps and structs, from key tables and logs.
func TestScanIntoGoTypes(t *testing.T) {
	type home struct {
		Street string
		No     *int32
	}
	const columns = "(id INT, ints ARRAY<INT>, tags ARRAY<STRING>, counts MAP<STRING, BIGINT>, home ROW<street STRING, no INT>, homes ARRAY<ROW<street STRING, no INT>>"
	db := own(t)
	mustExec(t, db, "CREATE TABLE k "+columns+", PRIMARY KEY (id) NOT ENFORCED) WITH ('bucket.num' = '1')")
	mustExec(t, db, "CREATE TABLE l "+columns+") WITH ('bucket.num' = '1')")
	no := int32(7)
	for table, query := range map[string]string{"k": "SELECT * FROM k WHERE id IN (1, 2)", "l": "SELECT * FROM l"} {
		insert := "INSERT INTO " + table + " VALUES "
		mustExec(t, db, insert+"(1, ARRAY[1, -2], ARRAY['a', ''], MAP['k', 9223372036854775807], ROW('s', 7), ARRAY[ROW('t', NULL)])")
		mustExec(t, db, insert+"(2, NULL, NULL, NULL, NULL, ARRAY[])")
		rows, err := db.Query(query)
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		type all struct {
			id     int
			ints   []int32
			tags   []string
			counts map[string]int64
			home   *home
			homes  []home
		}
		var got []all
		for rows.Next() {
			var a all
			if err := rows.Scan(&a.id, &a.ints, &a.tags, &a.counts, &a.home, &a.homes); err != nil {
				t.Fatal(err)
			}
			got = append(got, a)
		}
		want := []all{
			{1, []int32{1, -2}, []string{"a", ""}, map[string]int64{"k": 9223372036854775807}, &home{"s", &no}, []home{{"t", nil}}},
			{2, nil, nil, nil, nil, []home{}},
		}
		if rows.Err() != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %+v and %v, want %+v", table, got, rows.Err(), want)
		}
	}
}
