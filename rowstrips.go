package fluss

import (
	"database/sql/driver"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/record"
)

// rowStrips makes the values of the rows of an ARROW log some rows ahead, column by column, which costs half of what the
// same values cost row by row. It is no use where WHERE drops rows in between, or where two records make a row ($binlog).
type rowStrips struct {
	on      bool
	pseudo  []int // columns of the result that go row by row
	batch   uint64
	vectors []*record.Vector // of the batch, by column of the result; nil: NULL throughout, or pseudo

	size   int            // rows of the next strip
	from   int            // the first row of the strip
	rows   int            // in the strip
	values []driver.Value // row after row
	maker  record.Strip
	texts  textStrips
}

// A strip begins with few rows, as a result may have no more, and grows. Its values take no more than stripCells.
const (
	minStrip   = 8
	maxStrip   = 64
	stripCells = 4096
)

// strips decides whether the rows are made in strips.
func (r *rows) strips() {
	s := &r.strip
	s.on = r.lazy != nil && !r.run.Binlog && r.filter == nil && r.run.Table.LogFormat == catalog.LogArrow
	if !s.on {
		return
	}
	s.size, s.rows, s.batch, s.pseudo = minStrip, 0, 0, s.pseudo[:0]
	for i := range r.columns {
		if r.columns[i].Column >= len(r.run.Table.Schema.Columns) {
			s.pseudo = append(s.pseudo, i)
		}
	}
}

// current sees to it that the vectors are those of the current batch.
func (r *rows) current() {
	s, l := &r.strip, r.lazy
	if s.batch == l.batches {
		return
	}
	s.batch, s.rows, s.vectors = l.batches, 0, s.vectors[:0]
	for i := range r.columns {
		var v *record.Vector
		if at := r.columns[i].Column; at < len(l.now.decoder.from) && l.now.decoder.from[at] >= 0 {
			v = l.now.rows.Column(l.now.decoder.from[at])
		}
		s.vectors = append(s.vectors, v)
	}
	s.texts.forget()
}

// nextStripped fills dest with the current row.
func (r *rows) nextStripped(dest []driver.Value) {
	s := &r.strip
	r.current()
	k := r.lazy.at - 1 - s.from
	if uint(k) >= uint(s.rows) {
		r.makeStrip()
		k = 0
	}
	n := len(r.columns)
	copy(dest, s.values[k*n:(k+1)*n])
	for _, i := range s.pseudo {
		dest[i] = r.arena.Value(&r.v[r.columns[i].Column], r.columns[i].Type, r.loc)
	}
}

// makeStrip makes the values of the current row and those that follow.
func (r *rows) makeStrip() {
	s, n := &r.strip, len(r.columns)
	s.from = r.lazy.at - 1
	s.rows = r.stripRows(s.from)
	if need := s.rows * n; cap(s.values) < need {
		s.values = make([]driver.Value, need)
	} else {
		s.values = s.values[:need]
	}
	for i, v := range s.vectors {
		if v != nil {
			s.maker.Values(s.values[i:], n, s.rows, v, s.from, r.loc)
			continue
		}
		for k := range s.rows {
			s.values[k*n+i] = nil
		}
	}
	s.size = min(2*s.size, maxStrip)
}

// stripRows is how many rows a strip that begins at from has: no more than the batch and the LIMIT.
func (r *rows) stripRows(from int) int {
	s := &r.strip
	n := min(s.size, max(stripCells/max(len(r.columns), 1), 1), r.lazy.now.rows.Len()-from)
	if r.left >= 0 {
		n = int(min(int64(n), r.left+1))
	}
	return n
}

// reset lets go of all values, and keeps the memory if it is not much.
func (s *rowStrips) reset() {
	if !s.on {
		return
	}
	if s.on = false; len(s.vectors) > maxKeptColumns/4 {
		*s = rowStrips{}
		return
	}
	clear(s.values)
	clear(s.vectors)
	s.texts = nil
}
