package fluss_test

import (
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/decimal128"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/gofluss/fluss"
	"github.com/gofluss/fluss/flusstest"
)

// columnBatch is rows from to to-1 of a log (s STRING, n BIGINT, d DECIMAL(9,2), day DATE), its columns in another order, as a
// slice of a larger batch. Row 7777 has a NULL.
func columnBatch(from, to int) arrow.RecordBatch {
	b := array.NewRecordBuilder(memory.DefaultAllocator, arrow.NewSchema([]arrow.Field{
		{Name: "n", Type: arrow.PrimitiveTypes.Int64}, {Name: "s", Type: arrow.BinaryTypes.String},
		{Name: "day", Type: arrow.FixedWidthTypes.Date32}, {Name: "d", Type: &arrow.Decimal128Type{Precision: 9, Scale: 2}}}, nil))
	defer b.Release()
	for i := from - 3; i < to+2; i++ {
		b.Field(0).(*array.Int64Builder).Append(int64(i))
		if i == 7777 {
			b.Field(1).AppendNull()
		} else {
			b.Field(1).(*array.StringBuilder).Append(columnText(i))
		}
		b.Field(2).(*array.Date32Builder).Append(arrow.Date32(i))
		b.Field(3).(*array.Decimal128Builder).Append(decimal128.FromI64(int64(i)))
	}
	all := b.NewRecordBatch()
	defer all.Release()
	return all.NewSlice(3, int64(to-from+3))
}

func columnText(i int) string { return fmt.Sprint(i, "é", strings.Repeat("x", max(i, 0)%1000)) }

func appendBatches(t *testing.T, db *sql.DB, batches ...arrow.RecordBatch) (w fluss.WriteResult, err error) {
	t.Helper()
	r, err := array.NewRecordReader(batches[0].Schema(), batches)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Release()
	c, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	err = c.Raw(func(dc any) (err error) {
		w, err = dc.(fluss.ArrowConn).AppendArrow(t.Context(), "log", r)
		return err
	})
	return w, err
}

// Whole columns and rows one by one make the same log, in order, over batches that are larger and smaller than those that are sent.
func TestAppendArrowColumns(t *testing.T) {
	srv := flusstest.Run(t)
	db, err := sql.Open("fluss", srv.DSN())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec("CREATE TABLE log (s STRING, n BIGINT, d DECIMAL(9,2), day DATE) WITH ('bucket.num'='1')"); err != nil {
		t.Fatal(err)
	}
	var batches []arrow.RecordBatch
	n := 0
	for _, rows := range []int{1, 10, 7000, 5, 900, 3, 9000, 1} {
		batches = append(batches, columnBatch(n, n+rows))
		n += rows
	}
	w, err := appendBatches(t, db, batches...)
	if err != nil {
		t.Fatal(err)
	}
	stored := 0
	for _, b := range w.Buckets {
		stored += b.Rows
	}
	if stored != n || len(w.Buckets) < 4 {
		t.Errorf("%d rows in %d batches, want %d", stored, len(w.Buckets), n)
	}
	got := values(t, db, "SELECT n, s, d FROM log")
	if len(got) != n {
		t.Fatalf("%d rows, want %d", len(got), n)
	}
	for i, row := range got {
		want := any(columnText(i))
		if i == 7777 {
			want = nil
		}
		if row[0] != int64(i) || row[1] != want || row[2] != fmt.Sprintf("%d.%02d", i/100, i%100) {
			t.Fatalf("row %d: got %.60v", i, row)
		}
	}
}

// A value that its column cannot hold is found among whole columns too, with the rows before it counted.
func TestAppendArrowColumnsRefused(t *testing.T) {
	srv := flusstest.Run(t)
	db, err := sql.Open("fluss", srv.DSN())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec("CREATE TABLE log (s STRING) WITH ('bucket.num'='1')"); err != nil {
		t.Fatal(err)
	}
	b := array.NewStringBuilder(memory.DefaultAllocator)
	defer b.Release()
	b.AppendValues([]string{"ab\xc3", "\xa9cd"}, nil) // together they are UTF-8
	texts := b.NewArray()
	defer texts.Release()
	schema := arrow.NewSchema([]arrow.Field{{Name: "s", Type: arrow.BinaryTypes.String}}, nil)
	_, err = appendBatches(t, db, array.NewRecordBatch(schema, []arrow.Array{texts}, 2))
	refused, ok := errors.AsType[*fluss.ValueError](err)
	if !ok || refused.Column != "s" || refused.Row != 1 {
		t.Errorf("got %v", err)
	}
	if got := values(t, db, "SELECT COUNT(*) FROM log"); got[0][0] != int64(0) {
		t.Errorf("%v rows are stored", got)
	}
}
