package record

import (
	"github.com/apache/arrow-go/v18/arrow"
	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/row"
)

// LogRows is the rows of a decoded batch, valid until the decoder's next Decode. It is for one goroutine at a
// time.
type LogRows struct {
	n       int
	base    int64
	changes []byte // nil: all Append
	vectors []Vector
	rowwise *rowPayload // INDEXED and COMPACTED; otherwise nil
	arena   arena
	columns []catalog.Column
	taken   *decompressor // of an ARROW batch: what TakeArrow takes from; otherwise nil
	schema  *arrow.Schema // made when first asked for
}

// Columns are the columns of the rows, those of the schema or of the projection.
func (r *LogRows) Columns() []catalog.Column { return r.columns }

// Len is the number of rows.
func (r *LogRows) Len() int { return r.n }

// Offset is the log offset of row i.
func (r *LogRows) Offset(i int) int64 { return r.base + int64(i) }

// Change is the change type of row i.
func (r *LogRows) Change(i int) ChangeType {
	if r.changes == nil {
		return Append
	}
	return ChangeType(r.changes[i])
}

// Datum sets dst to a column of row i. Its bytes alias the batch or the decoder's memory; its lists are its own.
func (r *LogRows) Datum(dst *row.Datum, col, i int) {
	if r.rowwise != nil {
		r.rowwise.datum(dst, col, i)
		return
	}
	r.vectors[col].datum(dst, i, &r.arena)
}

// Column returns a column's vector, or nil when the log is not ARROW or the batch has no rows.
func (r *LogRows) Column(col int) *Vector {
	if r.n == 0 || r.rowwise != nil {
		return nil
	}
	return &r.vectors[col]
}
