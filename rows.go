package fluss

import (
	"database/sql/driver"
	"io"
	"reflect"
	"slices"
	"time"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/plan"
	"github.com/gofluss/fluss/internal/row"
)

// source hands out virtual rows: the table's columns, then the pseudo columns.
type source interface {
	// next fills v and reports false at the end. Datums in v may alias the source's memory until the next call.
	next(v []row.Datum) (bool, error)
	close()
}

// storedSource is a source of stored rows. It moves on without decoding them when next is given no row to fill.
type storedSource interface {
	source
	// stored is the current row: the id of the schema that it was written with, and its bytes.
	stored() (schemaID int16, body []byte, err error)
	// damaged is err with the place of the current row, if it is about its bytes.
	damaged(err error) error
}

// columns is what every kind of rows knows about its columns before the first row.
type columns []plan.Output

var (
	_ driver.RowsColumnTypeDatabaseTypeName = columns(nil)
	_ driver.RowsColumnTypeLength           = columns(nil)
	_ driver.RowsColumnTypeNullable         = columns(nil)
	_ driver.RowsColumnTypePrecisionScale   = columns(nil)
	_ driver.RowsColumnTypeScanType         = columns(nil)
)

// Close and Next make columns a driver.Rows without rows; those who embed it have their own.
func (c columns) Close() error              { return nil }
func (c columns) Next([]driver.Value) error { return io.EOF }

// Columns returns the names.
func (c columns) Columns() []string {
	names := make([]string, len(c))
	for i := range c {
		names[i] = c[i].Name
	}
	return names
}

// ColumnTypeDatabaseTypeName is the word of the DDL: DECIMAL, TIMESTAMP_LTZ.
func (c columns) ColumnTypeDatabaseTypeName(i int) string {
	return row.Info(c[i].Type).DatabaseTypeName
}

// ColumnTypeLength is the declared length of CHAR and BINARY, and no limit for STRING and BYTES.
func (c columns) ColumnTypeLength(i int) (int64, bool) {
	info := row.Info(c[i].Type)
	return info.Length, info.HasLength
}

// ColumnTypeNullable reports whether the column may be NULL.
func (c columns) ColumnTypeNullable(i int) (nullable, ok bool) { return !c[i].Type.NotNull, true }

// ColumnTypePrecisionScale is that of a DECIMAL.
func (c columns) ColumnTypePrecisionScale(i int) (precision, scale int64, ok bool) {
	info := row.Info(c[i].Type)
	return info.Precision, info.Scale, info.HasDecimal
}

// ColumnTypeScanType is a Go type that scans every value of the column, NULL included.
func (c columns) ColumnTypeScanType(i int) reflect.Type { return row.Info(c[i].Type).ScanType }

// rows is the result of a SELECT on a table, with all the memory that one run of it needs. A conn keeps one from query
// to query, so that a point lookup allocates little.
type rows struct {
	columns
	src    source
	lazy   *logSource   // src, when it fills in columns only as they are asked for; otherwise nil
	stored storedSource // src, when its rows need no Datums; otherwise nil
	filter func(v []row.Datum) bool
	v      []row.Datum
	skip   int64 // OFFSET still to be passed over
	left   int64 // LIMIT still to be given; -1 without one
	loc    *time.Location
	err    error // the error that ended the rows, given again by each further Next
	home   *conn // that keeps the memory once the rows are closed; nil afterwards
	arena  row.Arena
	strip  rowStrips
	run    selection
	found  lookupSource
}

var _ driver.Rows = (*rows)(nil)

// Next decodes the next row straight into dest.
func (r *rows) Next(dest []driver.Value) error {
	if r.stored != nil {
		return r.nextStored(dest)
	}
	if err := r.step(r.v); err != nil {
		return err
	}
	if r.strip.on {
		r.nextStripped(dest)
		return nil
	}
	r.fill(dest)
	return nil
}

// fill makes the values of the current row from its Datums.
func (r *rows) fill(dest []driver.Value) {
	for i := range r.columns {
		dest[i] = r.arena.Value(r.datum(i), r.columns[i].Type, r.loc)
	}
}

// nextStored is Next for rows that need no Datums.
func (r *rows) nextStored(dest []driver.Value) error {
	if err := r.step(nil); err != nil {
		return err
	}
	id, body, err := r.stored.stored()
	layout := r.run.layout
	if err == nil && int(id) == layout.table.Schema.ID {
		err = r.run.values.Read(dest, body, &r.arena, r.loc)
	} else if err == nil {
		if err = layout.decodeRow(r.run.ctx, r.run.conn.c.client, r.v, id, body); err == nil {
			r.fill(dest)
		}
	}
	if err != nil {
		return r.end(r.stored.damaged(err))
	}
	return nil
}

// step moves to the next row, or ends the rows with the error that the caller sees. v is what advance fills.
func (r *rows) step(v []row.Datum) error {
	if r.err != nil {
		return r.err
	}
	if err := r.advance(v); err != nil {
		return r.end(err)
	}
	return nil
}

// end makes err what the caller sees from now on.
func (r *rows) end(err error) error {
	r.err = translate(err, r.run.Table.Path.String())
	r.src.close()
	return r.err
}

// datum returns column i of the current row.
func (r *rows) datum(i int) *row.Datum {
	at := r.columns[i].Column
	if r.lazy != nil {
		r.lazy.load(r.v, at)
	}
	return &r.v[at]
}

// advance moves to the next row that passes the filter, OFFSET and LIMIT. v is r.v, or nil with a storedSource.
func (r *rows) advance(v []row.Datum) error {
	for r.left != 0 {
		ok, err := r.src.next(v)
		if err != nil {
			return err
		}
		if !ok {
			return io.EOF
		}
		if r.filter != nil && !r.filter(r.v) {
			continue
		}
		if r.skip > 0 {
			r.skip--
			continue
		}
		if r.left > 0 {
			r.left--
		}
		return nil
	}
	return io.EOF
}

// Close lets go of what is fetched ahead, and gives the memory back to the conn.
func (r *rows) Close() error {
	if r.err == nil {
		r.err = io.EOF
		r.src.close()
	}
	if r.home != nil {
		r.home.lookup.keep(r)
	}
	return nil
}

// maxKeptColumns bounds the virtual row of the rows that a conn keeps.
const maxKeptColumns = 256

// reset lets go of everything that belongs to one result, and keeps the memory. Next goes on giving the last error.
func (r *rows) reset() {
	clear(r.v)
	if r.v = r.v[:0]; cap(r.v) > maxKeptColumns {
		r.v = nil
	}
	r.columns, r.src, r.lazy, r.stored, r.filter, r.home = nil, nil, nil, nil, nil, nil
	r.run = selection{}
	r.strip.reset()
	r.found.reset()
}

// width makes room for a virtual row of n columns.
func (r *rows) width(n int) {
	if cap(r.v) < n {
		r.v = make([]row.Datum, n)
	}
	r.v = r.v[:n]
}

// drain counts the remaining rows.
func (r *rows) drain() (int64, error) {
	defer r.src.close()
	for n := int64(0); ; n++ {
		if err := r.advance(r.v); err == io.EOF {
			return n, nil
		} else if err != nil {
			return 0, err
		}
	}
}

// sorted reads all rows that pass the filter, orders them and applies OFFSET and LIMIT afterwards. What it holds is
// bounded by maxBytes.
func (r *rows) sorted(keys []plan.OrderKey, maxBytes int64) error {
	skip, left := r.skip, r.left
	r.skip, r.left = 0, -1
	list := &sortedSource{}
	defer r.src.close()
	for held := int64(0); ; {
		err := r.advance(r.v)
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		kept, size := keep(r.v)
		if held += size; held > maxBytes {
			return &Error{Message: "ORDER BY needs more memory than max_scan_bytes allows", kind: ErrTooLarge}
		}
		list.rows = append(list.rows, kept)
	}
	slices.SortStableFunc(list.rows, func(a, b []row.Datum) int {
		for _, k := range keys {
			if order := compareNullsFirst(&a[k.Column], &b[k.Column], k.Type); order != 0 {
				if k.Desc {
					return -order
				}
				return order
			}
		}
		return 0
	})
	r.src, r.filter, r.skip, r.left = list, nil, skip, left
	return nil
}

// compareNullsFirst orders NULL before every value, as MySQL and Flink do.
func compareNullsFirst(a, b *row.Datum, t *catalog.Type) int {
	switch {
	case a.Null && b.Null:
		return 0
	case a.Null:
		return -1
	case b.Null:
		return 1
	}
	return row.Compare(a, b, t)
}

// keep copies a virtual row with everything that it points at, and tells about how much memory that takes.
func keep(v []row.Datum) ([]row.Datum, int64) {
	const datumSize = 64
	out := slices.Clone(v)
	size := int64(len(v) * datumSize)
	for i := range out {
		if out[i].B != nil {
			out[i].B = append(make([]byte, 0, len(out[i].B)), out[i].B...)
			size += int64(len(out[i].B))
		}
		if out[i].L != nil {
			var n int64
			out[i].L, n = keep(out[i].L)
			size += n
		}
	}
	return out, size
}

// sortedSource hands out rows that are kept in memory.
type sortedSource struct {
	rows [][]row.Datum
	at   int
}

func (s *sortedSource) next(v []row.Datum) (bool, error) {
	if s.at == len(s.rows) {
		return false, nil
	}
	copy(v, s.rows[s.at])
	s.at++
	return true, nil
}

func (s *sortedSource) close() {}

// staticRows is a result that is known as a whole: SHOW, DESCRIBE, EXPLAIN, constants.
type staticRows struct {
	columns
	rows [][]driver.Value
	at   int
}

var _ driver.Rows = (*staticRows)(nil)

// Close drops the rest.
func (r *staticRows) Close() error {
	r.at = len(r.rows)
	return nil
}

// Next copies the next row.
func (r *staticRows) Next(dest []driver.Value) error {
	if r.at == len(r.rows) {
		return io.EOF
	}
	copy(dest, r.rows[r.at])
	r.at++
	return nil
}

var (
	textType     = catalog.Type{Kind: catalog.String, NotNull: true}
	nullableText = catalog.Type{Kind: catalog.String}
	bigintType   = catalog.Type{Kind: catalog.BigInt, NotNull: true}
)

// textColumns are NOT NULL STRING columns of those names.
func textColumns(names ...string) columns {
	out := make(columns, len(names))
	for i, n := range names {
		out[i] = plan.Output{Name: n, Column: i, Type: &textType}
	}
	return out
}
