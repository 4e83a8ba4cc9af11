package fluss_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/gofluss/fluss"
)

// arrowJSON is a reader of batches, each written as a JSON list of rows.
func arrowJSON(t *testing.T, fields []arrow.Field, batches ...string) array.RecordReader {
	t.Helper()
	schema := arrow.NewSchema(fields, nil)
	var list []arrow.RecordBatch
	for _, text := range batches {
		b, _, err := array.RecordFromJSON(memory.DefaultAllocator, schema, strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, b)
	}
	r, err := array.NewRecordReader(schema, list)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

var (
	arrowID   = arrow.Field{Name: "id", Type: arrow.PrimitiveTypes.Int32, Nullable: true}
	arrowName = arrow.Field{Name: "name", Type: arrow.BinaryTypes.String, Nullable: true}
	arrowCost = arrow.Field{Name: "cost", Type: &arrow.Decimal128Type{Precision: 5, Scale: 2}, Nullable: true}
)

func TestAppendArrow(t *testing.T) {
	db := arrowDB(t,
		"CREATE TABLE l (id INT NOT NULL, name CHAR(3), cost DECIMAL(5, 2)) WITH ('bucket.num' = '2')",
		"CREATE TABLE p (id INT, name STRING, day STRING) PARTITIONED BY (day) WITH ('bucket.num' = '2', 'bucket.key' = 'id')")
	// Columns in another order, one left out, several batches.
	var where fluss.WriteResult
	err := withArrow(t, db, func(c fluss.ArrowConn) (err error) {
		where, err = c.AppendArrow(t.Context(), "l", arrowJSON(t, []arrow.Field{arrowCost, arrowID},
			`[{"id": 1, "cost": "1.25"}, {"id": 2, "cost": null}]`, `[{"id": 3, "cost": "-999.99"}]`))
		return err
	})
	if err != nil || len(where.Buckets) != 2 || where.Buckets[0].Rows+where.Buckets[1].Rows != 3 || where.Table != "fluss.l" {
		t.Fatalf("%v, %+v", err, where)
	}
	got, _, err := readArrow(t, db, "SELECT id, name, cost FROM l")
	slices.Sort(got)
	if err != nil || !slices.Equal(got, []string{"1 (null) 1.25", "2 (null) (null)", "3 (null) -999.99"}) {
		t.Errorf("%v: %q", err, got)
	}
	err = withArrow(t, db, func(c fluss.ArrowConn) error {
		day := arrow.Field{Name: "day", Type: arrow.BinaryTypes.String}
		_, err := c.AppendArrow(t.Context(), "fluss.p", arrowJSON(t, []arrow.Field{arrowID, arrowName, day},
			`[{"id": 1, "name": "a", "day": "x"}, {"id": 2, "name": "b", "day": "y"}]`))
		return err
	})
	got, _, rerr := readArrow(t, db, "SELECT id, name FROM p WHERE day = 'y'")
	if err != nil || rerr != nil || !slices.Equal(got, []string{"2 b"}) {
		t.Errorf("%v, %v: %q", err, rerr, got)
	}
}

// What is copied from table to table by batches is the same, over many full batches.
func TestAppendArrowLarge(t *testing.T) {
	db := arrowDB(t, "CREATE TABLE a (id INT, name STRING, cost DECIMAL(5, 2)) WITH ('bucket.num' = '2')",
		"CREATE TABLE b (id INT, name STRING, cost DECIMAL(5, 2)) WITH ('bucket.num' = '3', 'bucket.key' = 'id')")
	const batches, rows = 16, 1000
	var texts []string
	for i := range batches {
		var b strings.Builder
		for j := range rows {
			fmt.Fprintf(&b, `%c{"id": %d, "name": "%0400d", "cost": "%d.50"}`, "[,"[min(j, 1)], i*rows+j, j, j%1000)
		}
		texts = append(texts, b.String()+"]")
	}
	err := withArrow(t, db, func(c fluss.ArrowConn) error {
		if _, err := c.AppendArrow(t.Context(), "a", arrowJSON(t, []arrow.Field{arrowID, arrowName, arrowCost}, texts...)); err != nil {
			return err
		}
		r, err := c.QueryArrow(t.Context(), "SELECT * FROM a")
		if err != nil {
			return err
		}
		defer r.Release()
		w, err := c.AppendArrow(t.Context(), "b", r)
		n := 0
		for _, b := range w.Buckets {
			n += b.Rows
		}
		if n != batches*rows || len(w.Buckets) < 4 {
			t.Errorf("%d rows in %d batches", n, len(w.Buckets))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	a, _, err := readArrow(t, db, "SELECT * FROM a")
	b, _, berr := readArrow(t, db, "SELECT * FROM b")
	slices.Sort(a)
	slices.Sort(b)
	if err != nil || berr != nil || len(a) != batches*rows || !slices.Equal(a, b) {
		t.Errorf("%v, %v: %d rows, %d rows", err, berr, len(a), len(b))
	}
}

// Batches that are taken column by column fill one bucket's batch after the other: all buckets get rows, in few batches.
func TestAppendArrowFillsBatches(t *testing.T) {
	db := arrowDB(t, "CREATE TABLE l (id INT, name STRING) WITH ('bucket.num' = '4')")
	const batches, rows, width = 32, 500, 800
	var texts []string
	for i := range batches {
		var b strings.Builder
		for j := range rows {
			fmt.Fprintf(&b, `%c{"id": %d, "name": "%0*d"}`, "[,"[min(j, 1)], i*rows+j, width, j)
		}
		texts = append(texts, b.String()+"]")
	}
	var w fluss.WriteResult
	err := withArrow(t, db, func(c fluss.ArrowConn) (err error) {
		w, err = c.AppendArrow(t.Context(), "l", arrowJSON(t, []arrow.Field{arrowID, arrowName}, texts...))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	seen, n := map[int32]bool{}, 0
	for _, b := range w.Buckets {
		seen[b.Bucket] = true
		n += b.Rows
	}
	// 2 MiB a batch
	if most := batches*rows*(width+16)/(2<<20) + 1; n != batches*rows || len(seen) != 4 || len(w.Buckets) > most {
		t.Errorf("%d rows in %d batches, at most %d are wanted, of %d buckets", n, len(w.Buckets), most, len(seen))
	}
	if got, _, err := readArrow(t, db, "SELECT id FROM l"); err != nil || len(got) != n {
		t.Errorf("%v: %d rows are read of %d", err, len(got), n)
	}
}

func TestAppendArrowRefused(t *testing.T) {
	db := arrowDB(t, "CREATE TABLE l (id INT NOT NULL, name CHAR(3), cost DECIMAL(5, 2), at TIME(3), more ARRAY<INT NOT NULL>)",
		"CREATE TABLE k (id INT, PRIMARY KEY (id) NOT ENFORCED)")
	other := arrow.Field{Name: "other", Type: arrow.PrimitiveTypes.Int32}
	wide := arrow.Field{Name: "cost", Type: &arrow.Decimal128Type{Precision: 6, Scale: 2}}
	at := arrow.Field{Name: "at", Type: arrow.FixedWidthTypes.Time32ms}
	more := arrow.Field{Name: "more", Type: arrow.ListOf(arrow.PrimitiveTypes.Int32)}
	for _, c := range []struct {
		table  string
		fields []arrow.Field
		rows   string
		class  error
		words  string
	}{
		{"k", []arrow.Field{arrowID}, `[{"id": 1}]`, fluss.ErrUnsupported, "key table"},
		{"none", []arrow.Field{arrowID}, `[{"id": 1}]`, fluss.ErrTableNotExist, ""},
		{"l", []arrow.Field{arrowID, other}, `[{"id": 1, "other": 1}]`, fluss.ErrColumnNotExist, "other"},
		{"l", []arrow.Field{arrowID, arrowID}, `[]`, nil, "two columns id"},
		{"l", []arrow.Field{arrowName}, `[{"name": "a"}]`, fluss.ErrValue, "id"},
		{"l", []arrow.Field{arrowID, wide}, `[{"id": 1, "cost": "1"}]`, fluss.ErrValue, "is wanted"},
		{"l", []arrow.Field{arrowID}, `[{"id": 1}, {"id": null}]`, fluss.ErrValue, "row 2"},
		{"l", []arrow.Field{arrowID, arrowName}, `[{"id": 1, "name": "long"}]`, fluss.ErrValue, "at most 3 fit"},
		{"l", []arrow.Field{arrowID, at}, `[{"id": 1, "at": "23:59:59.999"}, {"id": 1, "at": null}, {"id": null}]`, fluss.ErrValue, "row 3"},
		{"l", []arrow.Field{arrowID, more}, `[{"id": 1, "more": [1, null]}]`, fluss.ErrValue, "element 1"},
	} {
		err := withArrow(t, db, func(conn fluss.ArrowConn) error {
			_, err := conn.AppendArrow(t.Context(), c.table, arrowJSON(t, c.fields, c.rows))
			return err
		})
		if err == nil || c.class != nil && !errors.Is(err, c.class) || !strings.Contains(err.Error(), c.words) {
			t.Errorf("%s of %s: %v, want %v and %q", c.rows, c.table, err, c.class, c.words)
		}
	}
	if got, _, err := readArrow(t, db, "SELECT * FROM l"); err != nil || got != nil {
		t.Errorf("%v: refused rows are stored: %q", err, got)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := withArrow(t, db, func(c fluss.ArrowConn) error {
		_, err := c.AppendArrow(ctx, "l", arrowJSON(t, []arrow.Field{arrowID}, `[{"id": 1}]`))
		return err
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// Rows that were sent before a bad one came are told.
func TestAppendArrowPartial(t *testing.T) {
	db := arrowDB(t, "CREATE TABLE l (id INT NOT NULL, name STRING) WITH ('bucket.num' = '1')")
	big := strings.Repeat("x", 1<<20)
	batch := fmt.Sprintf(`[{"id": 1, "name": %q}, {"id": 2, "name": %q}, {"id": 3, "name": %q}]`, big, big, big)
	var where fluss.WriteResult
	err := withArrow(t, db, func(c fluss.ArrowConn) (err error) {
		where, err = c.AppendArrow(t.Context(), "l", arrowJSON(t, []arrow.Field{arrowID, arrowName}, batch, `[{"id": null}]`))
		return err
	})
	partial, ok := errors.AsType[*fluss.PartialWriteError](err)
	if !ok || !errors.Is(err, fluss.ErrValue) || len(where.Buckets) == 0 || partial.Buckets[0].Stored == 0 {
		t.Fatalf("%v, %+v", err, where)
	}
	got, _, err := readArrow(t, db, "SELECT id FROM l")
	if err != nil || len(got) != partial.Buckets[0].Stored {
		t.Errorf("%v: %d rows are there, %d were told", err, len(got), partial.Buckets[0].Stored)
	}
}

// The row that the log format refuses is not among those told as not stored: it never was in a batch.
func TestAppendArrowFormat(t *testing.T) {
	db := arrowDB(t, "CREATE TABLE l (id INT, name CHAR(3), pad STRING) WITH ('bucket.num' = '1', 'table.log.format' = 'INDEXED')")
	pad := arrow.Field{Name: "pad", Type: arrow.BinaryTypes.String, Nullable: true}
	row := fmt.Sprintf(`{"id": 1, "name": "abc", "pad": %q}`, strings.Repeat("x", 1<<20))
	err := withArrow(t, db, func(c fluss.ArrowConn) (err error) {
		_, err = c.AppendArrow(t.Context(), "l", arrowJSON(t, []arrow.Field{arrowID, arrowName, pad},
			"["+row+", "+row+", "+row+`, {"id": 2, "name": "\u00e4\u00e4\u00e4", "pad": null}]`))
		return err
	})
	partial, ok := errors.AsType[*fluss.PartialWriteError](err)
	if !ok || !strings.Contains(err.Error(), "it has 6 bytes and INDEXED rows keep 3") {
		t.Fatal(err)
	}
	if b := partial.Buckets[0]; b.Stored == 0 || b.Stored+b.NotStored != 3 || b.Unknown != 0 {
		t.Errorf("of 3 rows in front of the refused one: %+v", b)
	}
}

// Digits of a TIME behind the milliseconds would be lost, wherever in a value it stands.
func TestAppendArrowNestedTimes(t *testing.T) {
	db := arrowDB(t, "CREATE TABLE l (id INT, r ROW<a INT, t TIME(6)>, l ARRAY<TIME(9)>, m MAP<STRING, TIME(6)>, d ARRAY<ROW<t TIME(9)>>)")
	micros, nanos := arrow.FixedWidthTypes.Time64us, arrow.FixedWidthTypes.Time64ns
	inRow := arrow.Field{Name: "r", Nullable: true, Type: arrow.StructOf(arrow.Field{Name: "a", Type: arrow.PrimitiveTypes.Int32, Nullable: true}, arrow.Field{Name: "t", Type: micros, Nullable: true})}
	inArray := arrow.Field{Name: "l", Nullable: true, Type: arrow.ListOf(nanos)}
	inMap := arrow.Field{Name: "m", Nullable: true, Type: arrow.MapOf(arrow.BinaryTypes.String, micros)}
	deep := arrow.Field{Name: "d", Nullable: true, Type: arrow.ListOf(arrow.StructOf(arrow.Field{Name: "t", Type: nanos, Nullable: true}))}
	for _, c := range []struct {
		field arrow.Field
		rows  string
		words string // "" where nothing is lost
	}{
		{inRow, `[{"id": 1, "r": {"a": 1, "t": "01:02:03.004"}}, {"id": 2, "r": null}]`, ""},
		{inRow, `[{"id": 1, "r": {"a": 1, "t": "01:02:03.004"}}, {"id": 2, "r": {"a": 1, "t": "01:02:03.004005"}}]`, "column r of fluss.l in row 2"},
		{inArray, `[{"id": 1, "l": ["01:02:03.004", null]}, {"id": 2, "l": []}]`, ""},
		{inArray, `[{"id": 1, "l": []}, {"id": 1, "l": null}, {"id": 1, "l": ["01:02:03.004", "01:02:03.004000006"]}]`, "column l of fluss.l in row 3"},
		{inMap, `[{"id": 1, "m": [{"key": "a", "value": "01:02:03.004"}]}]`, ""},
		{inMap, `[{"id": 1, "m": [{"key": "a", "value": "01:02:03.004005"}]}]`, "column m of fluss.l in row 1"},
		{deep, `[{"id": 1, "d": [{"t": "01:02:03.004"}, null]}]`, ""},
		{deep, `[{"id": 1, "d": null}, {"id": 1, "d": [{"t": "01:02:03.004"}, {"t": "01:02:03.000000001"}]}]`, "column d of fluss.l in row 2"},
	} {
		err := withArrow(t, db, func(conn fluss.ArrowConn) error {
			_, err := conn.AppendArrow(t.Context(), "l", arrowJSON(t, []arrow.Field{arrowID, c.field}, c.rows))
			return err
		})
		switch {
		case c.words == "" && err != nil:
			t.Errorf("%s: %v", c.rows, err)
		case c.words != "" && (!errors.Is(err, fluss.ErrValue) || !strings.Contains(err.Error(), c.words) || !strings.Contains(err.Error(), "milliseconds are kept")):
			t.Errorf("%s: %v, want %q", c.rows, err, c.words)
		}
	}
}
