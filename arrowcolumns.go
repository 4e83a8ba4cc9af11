package fluss

import (
	"context"
	"runtime"
	"slices"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/record"
	"github.com/gofluss/fluss/internal/route"
)

// sealing is a full batch that is being compressed.
type sealing struct {
	o    *opInHand
	done chan struct{}
}

// addColumns appends a record batch column by column, which costs a fraction of what it costs row by row. It reports false,
// having done nothing, where rows go to buckets of their own, or have values that have to be looked at one by one.
func (a *arrowAppend) addColumns(ctx context.Context, rows *record.LogRows) (bool, error) {
	w := a.w
	if w.table.IsPartitioned() || w.table.LogFormat != catalog.LogArrow || w.tracked || len(a.to) != len(a.v) || !rows.Whole() {
		return false, nil
	}
	whole := rows.FlatSize(0, rows.Len())
	if w.fits(whole) != nil {
		return false, nil
	}
	full := rows.Len() * maxOpBytes / whole // rows that make a batch; none takes less than 8 bytes
	for from := 0; from < rows.Len(); {
		b := a.filling()
		o := w.open[b]
		n := rows.Len() - from
		if o != nil {
			n = rows.FlatRows(from, maxOpBytes-o.size)
		}
		if n == 0 {
			if err := a.seal(ctx, b); err != nil {
				return true, err
			}
			continue
		}
		n = max(min(n, rows.FlatRows(from, maxOpBytes)), 1)
		size := rows.FlatSize(from, n)
		o = w.op(b, size)
		if o.enc == nil {
			var err error
			if o.enc, err = w.layout.encoder(); err != nil {
				o.Count, o.size = o.Count-1, o.size-size
				return true, err
			}
		}
		if !o.enc.AppendColumns(rows, a.to, from, n, full) { // it has NULLs
			o.Count, o.size = o.Count-1, o.size-size
			if err := a.seal(ctx, b); err != nil {
				return true, err
			}
			continue
		}
		o.Count += n - 1
		w.row += n
		from += n
	}
	return true, nil
}

// filling is the bucket whose batch is being filled: the same until it is full, since a few batches that fill up cost less memory
// than one of each bucket.
func (a *arrowAppend) filling() catalog.Bucket {
	if _, open := a.w.open[a.bucket]; !open {
		a.bucket = bucketOfTable(a.w.table)
		a.bucket.ID = a.w.conn.stickyBucket(a.w.layout)
	}
	return a.bucket
}

// seal compresses the open batch of a bucket beside what follows, and sends those that are ready where too many are at it.
func (a *arrowAppend) seal(ctx context.Context, b catalog.Bucket) error {
	w := a.w
	o := w.open[b]
	delete(w.open, b)
	w.ops = slices.DeleteFunc(w.ops, func(op *route.WriteOp) bool { return op == o.WriteOp })
	a.seen = min(a.seen, len(w.ops))
	s := sealing{o, make(chan struct{})}
	a.sealing = append(a.sealing, s)
	go func() { // ends with the batch; sealed waits for it
		defer close(s.done)
		o.seal(w.layout)
	}()
	if len(a.sealing) <= runtime.GOMAXPROCS(0) {
		return nil
	}
	return a.sealed(ctx, runtime.GOMAXPROCS(0))
}

// sealed waits for batches that are being compressed until so many are left, and sends them in order.
func (a *arrowAppend) sealed(ctx context.Context, left int) error {
	if len(a.sealing) <= left {
		return nil
	}
	for len(a.sealing) > left {
		s := a.sealing[0]
		<-s.done
		a.w.ops = append(a.w.ops, s.o.WriteOp)
		a.sealing = a.sealing[1:]
	}
	return a.start(ctx)
}
