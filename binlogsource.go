package fluss

import (
	"fmt"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/plan"
	"github.com/gofluss/fluss/internal/record"
	"github.com/gofluss/fluss/internal/row"
)

// binlogSource hands out the changes of a key table, an update as one row with what was before and after. As in Flink's
// $binlog such a row has the offset and the time of its first record, that with the row from before (BinlogRowConverter).
// The server writes the two records into one batch, side by side (KvTablet.applyUpdate); apart they are put together too.
type binlogSource struct {
	*logSource
	images plan.Images
	halves map[catalog.Bucket]*half // updates whose second record is still to come in another batch
}

// half is the first record of an update, copied.
type half struct {
	offset, millis int64
	partition      []byte
	values         []row.Datum
}

func newBinlogSource(l *logSource) *binlogSource {
	return &binlogSource{logSource: l, halves: map[catalog.Bucket]*half{}}
}

// The values of _change_type in $binlog.
var binlogInsert, binlogUpdate, binlogDelete = []byte("insert"), []byte("update"), []byte("delete")

func (l *binlogSource) next(v []row.Datum) (bool, error) {
	l.images = l.s.Images(v)
	for {
		for l.now != nil && l.at < l.now.rows.Len() {
			i := l.at
			l.at++
			if ok, err := l.change(v, i); ok || err != nil {
				return ok, err
			}
		}
		var err error
		if l.now, err = l.in.next(); err != nil {
			return false, err
		}
		if l.now == nil {
			return false, l.unfinished()
		}
		l.at = 0
	}
}

// change makes a row of the record at i, and of the next where that belongs to it. It is false where the record makes no
// row of the scan: its offset is not wanted, or its other half is still to come.
func (l *binlogSource) change(v []row.Datum, i int) (bool, error) {
	b := l.now
	offset := b.rows.Offset(i)
	wanted := offset >= b.chunk.Start && offset < b.chunk.End
	h, change := l.halves[b.chunk.Bucket], b.rows.Change(i)
	if h != nil && change != record.UpdateAfter {
		return false, l.damaged(h.offset, "an update_before without its update_after")
	}
	switch change {
	case record.Insert:
		if wanted {
			l.images.Clear(plan.Before)
			l.image(plan.After, i)
			l.s.FillPseudo(v, b.chunk.Bucket.ID, offset, b.head.CommitMillis, binlogInsert, b.partition)
		}
	case record.Delete:
		if wanted {
			l.image(plan.Before, i)
			l.images.Clear(plan.After)
			l.s.FillPseudo(v, b.chunk.Bucket.ID, offset, b.head.CommitMillis, binlogDelete, b.partition)
		}
	case record.UpdateBefore:
		return l.update(v, i, wanted)
	case record.UpdateAfter:
		if h == nil {
			return false, l.damaged(offset, "an update_after without its update_before")
		}
		delete(l.halves, b.chunk.Bucket)
		copy(l.images.Fill(plan.Before), h.values)
		l.image(plan.After, i)
		l.s.FillPseudo(v, b.chunk.Bucket.ID, h.offset, h.millis, binlogUpdate, h.partition)
		return h.values != nil, nil
	default:
		return false, l.damaged(offset, fmt.Sprintf("a record of type %s in the log of a key table", change))
	}
	return wanted, nil
}

// update makes a row of the records at i and behind it, or keeps that at i until the next batch.
func (l *binlogSource) update(v []row.Datum, i int, wanted bool) (bool, error) {
	b := l.now
	if i+1 == b.rows.Len() {
		h := &half{offset: b.rows.Offset(i), millis: b.head.CommitMillis, partition: b.partition}
		if wanted {
			h.values, _ = keep(l.image(plan.Before, i))
		}
		l.halves[b.chunk.Bucket] = h
		return false, nil
	}
	if b.rows.Change(i+1) != record.UpdateAfter {
		return false, l.damaged(b.rows.Offset(i), "an update_before without its update_after")
	}
	l.at++
	if wanted {
		l.image(plan.Before, i)
		l.image(plan.After, i+1)
		l.s.FillPseudo(v, b.chunk.Bucket.ID, b.rows.Offset(i), b.head.CommitMillis, binlogUpdate, b.partition)
	}
	return wanted, nil
}

// image sets one image to the record at i.
func (l *binlogSource) image(which, i int) []row.Datum {
	fields := l.images.Fill(which)
	for _, col := range l.eager {
		l.set(&fields[col], col, i)
	}
	return fields
}

// unfinished is the error of a scan that ends between the halves of an update.
func (l *binlogSource) unfinished() error {
	for b, h := range l.halves {
		return poison(l.s, b, h.offset, "the log ends behind an update_before")
	}
	return nil
}

func (l *binlogSource) damaged(offset int64, reason string) error {
	return poison(l.s, l.now.chunk.Bucket, offset, reason)
}
