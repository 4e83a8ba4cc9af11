package conformance

import (
	"reflect"
	"testing"
	"time"

	"github.com/gofluss/fluss"
	"github.com/shopspring/decimal"
)

// Nested columns as Go values, on both kinds of tables, NULL and empty ones included.
func TestNestedGoValues(t *testing.T) {
	db := own(t)
	const columns = ` (id INT NOT NULL, tags ARRAY<STRING>, days ARRAY<DATE>, prices MAP<STRING, DECIMAL(25, 2)>,
		home ROW<city STRING, since TIMESTAMP_LTZ(3), plan ARRAY<INT>>`
	mustExec(t, db, "CREATE TABLE nested_key"+columns+", PRIMARY KEY (id) NOT ENFORCED) WITH ('bucket.num' = '1')")
	mustExec(t, db, "CREATE TABLE nested_log"+columns+") WITH ('bucket.num' = '1')")
	type place struct {
		City  string
		Since time.Time `json:"since"`
		Plan  []*int
	}
	one := 1
	rows := []struct {
		tags   fluss.Array[string]
		days   fluss.Array[fluss.Date]
		prices fluss.Map[string, decimal.Decimal]
		home   *place
	}{
		{fluss.Array[string]{"ä", `"`, ""}, fluss.Array[fluss.Date]{{Year: 1, Month: 1, Day: 1}, {Year: 9999, Month: 12, Day: 31}},
			fluss.Map[string, decimal.Decimal]{"x": decimal.RequireFromString("12345678901234567890123.45")},
			&place{"Bern", time.Date(2024, 3, 10, 1, 2, 3, 456e6, time.UTC), []*int{&one, nil}}},
		{fluss.Array[string]{}, fluss.Array[fluss.Date]{}, fluss.Map[string, decimal.Decimal]{}, &place{Since: time.Unix(0, 0).UTC()}},
		{},
	}
	for _, table := range []string{"nested_key", "nested_log"} {
		for i := range rows {
			r := rows[i]
			mustExec(t, db, "INSERT INTO "+table+" VALUES (?, ?, ?, ?, ?)", i, r.tags, r.days, r.prices, fluss.Struct(&r.home))
		}
		for i := range rows {
			got := rows[0]
			row := db.QueryRowContext(timeout(t), "SELECT tags, days, prices, home FROM "+table+" WHERE id = ? LIMIT 1", i)
			if err := row.Scan(&got.tags, &got.days, &got.prices, fluss.Struct(&got.home)); err != nil {
				t.Fatalf("%s, row %d: %v", table, i, err)
			}
			if !reflect.DeepEqual(got, rows[i]) {
				t.Errorf("%s, row %d:\ngot  %+v\nwant %+v", table, i, got, rows[i])
			}
		}
	}
}
