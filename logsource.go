package fluss

import (
	"github.com/gofluss/fluss/internal/record"
	"github.com/gofluss/fluss/internal/row"
)

// logSource hands out the records of a scan. Columns that next does not fill in are read by load, when they are asked
// for.
type logSource struct {
	s     *selection
	in    logReader
	eager []int // the table's columns that next fills in
	now   *logBatch
	at    int // the row after the current one

	batches uint64 // begun so far
}

func (l *logSource) next(v []row.Datum) (bool, error) {
	for {
		for l.now != nil && l.at < l.now.rows.Len() {
			i := l.at
			l.at++
			if offset := l.now.rows.Offset(i); offset >= l.now.chunk.Start && offset < l.now.chunk.End {
				l.fill(v, i, offset)
				return true, nil
			}
		}
		var err error
		if l.now, err = l.in.next(); l.now == nil || err != nil {
			return false, err
		}
		l.at = 0
		l.batches++
	}
}

func (l *logSource) fill(v []row.Datum, i int, offset int64) {
	for _, col := range l.eager {
		l.set(&v[col], col, i)
	}
	b := l.now
	l.s.FillPseudo(v, b.chunk.Bucket.ID, offset, b.head.CommitMillis, changeNames[b.rows.Change(i)], b.partition)
}

// load fills in a column of the current row; pseudo columns are there.
func (l *logSource) load(v []row.Datum, col int) {
	if col < len(l.now.decoder.from) {
		l.set(&v[col], col, l.at-1)
	}
}

// set reads one of the table's columns of row i.
func (l *logSource) set(d *row.Datum, col, i int) {
	if from := l.now.decoder.from[col]; from >= 0 {
		l.now.rows.Datum(d, from, i)
	} else {
		*d = row.Datum{Null: true}
	}
}

// changeNames are the values of _change_type, by change type. What is appended to a log table is an insert, as in Flink.
var changeNames = [...][]byte{
	record.Append:       []byte(record.Insert.String()),
	record.Insert:       []byte(record.Insert.String()),
	record.UpdateBefore: []byte(record.UpdateBefore.String()),
	record.UpdateAfter:  []byte(record.UpdateAfter.String()),
	record.Delete:       []byte(record.Delete.String()),
}

func (l *logSource) close() { l.in.close() }
