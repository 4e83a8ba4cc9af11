package ring

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/gofluss/fluss"
)

// insist repeats a call until it succeeds. A cluster that lets it fail for SettleTimeout is taken to be gone for good,
// which ends the run.
func (w *worker) insist(kind string, try func() (span, error)) (s span, ok bool) {
	begin := time.Now()
	for {
		s, err := try()
		if err == nil {
			return s, true
		}
		if time.Since(begin) > w.run.o.SettleTimeout {
			w.run.fail(fmt.Errorf("%s did not succeed for %v: %w", kind, w.run.o.SettleTimeout, err))
			return s, false
		}
		if Pause(w.run.broken, stallTick) != nil {
			return s, false
		}
	}
}

// open brings the next group into use: its counter is made, and with that its bucket is known.
func (w *worker) open() {
	r := w.run
	g := r.groups.create(r.now())
	_, ok := w.insist(openKind, func() (span, error) {
		x := w.whole(g, counterItem)
		g.count = x.event.value.n
		query, args := w.upsertText([]write{x})
		s, err := w.patient(openKind, func(ctx context.Context) error { return r.execIn(ctx, &g.bucket, query, args...) })
		w.finish(openKind, s, err, x)
		return s, err
	})
	if ok {
		r.groups.use(g)
	}
}

// execIn runs a write of one bucket and tells which.
func (r *run) execIn(ctx context.Context, bucket *int32, query string, args ...any) error {
	conn, err := r.db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	if _, err := conn.ExecContext(ctx, query, args...); err != nil {
		var ambiguous *fluss.AmbiguousWriteError
		if errors.As(err, &ambiguous) && len(ambiguous.Buckets) == 1 {
			*bucket = ambiguous.Buckets[0].Bucket
		}
		return err
	}
	return conn.Raw(func(dc any) error {
		place, err := fluss.LastWrite(dc)
		if err != nil {
			return err
		}
		if len(place.Buckets) != 1 || place.Buckets[0].Rows != 1 {
			r.judge.found(wrong, "LastWrite of one row: %+v", place)
			return nil
		}
		*bucket = place.Buckets[0].Bucket
		return nil
	})
}

// retire judges a group that nobody uses any more. After an acknowledged write to its bucket by each pool nothing unknown can
// come; so what is read then is what stays, and the histories are whole. Then its rows are deleted.
func (w *worker) retire(g *group) {
	last := map[keyOf]rowState{}
	ok := w.closeGroup(g, last) && w.verifyGroup(g, last)
	if !ok {
		return
	}
	w.run.changes[g.bucket].close(g, w.run.now())
	for _, h := range g.items {
		h.check(w.run.judge, w.run.log)
		w.run.histories.Add(1)
	}
	if s, ok := w.deleteGroup(g); ok {
		w.run.groups.retire(g, s.end)
	}
}

func (w *worker) closeGroup(g *group, last map[keyOf]rowState) bool {
	_, ok := w.insist(closeKind, func() (span, error) {
		x := w.whole(g, counterItem)
		x.event.pool = streamPool
		return span{}, w.upsertAll(w.run.stream, closeKind, w.patient, x)
	})
	if !ok {
		return false
	}
	_, ok = w.insist(closeKind, func() (span, error) {
		var writes []write
		for i := range g.items {
			x := w.whole(g, i)
			writes = append(writes, x)
			last[keyOf{g.id, i}] = x.event.value
		}
		return span{}, w.upsertAll(w.run.db, closeKind, w.patient, writes...)
	})
	return ok
}

// verifyGroup reads through the other pool.
func (w *worker) verifyGroup(g *group, last map[keyOf]rowState) bool {
	var rows []keyRow
	s, ok := w.insist(verifyKind, func() (span, error) {
		return w.patient(verifyKind, func(ctx context.Context) (err error) {
			rows, err = w.run.readKeys(ctx, w.run.observer, allColumns, w.run.from("%s WHERE g = ?"), g.id)
			return err
		})
	})
	if !ok {
		return false
	}
	found := map[keyOf]rowState{}
	for _, row := range rows {
		found[keyOf{row.group, row.item}] = row.state
	}
	for k, want := range last {
		if got := found[k]; got != want {
			w.run.judge.found(lost, "key %d/%d: acknowledged write %d is not what is there in the end: %+v", k.group, k.item, want.n, got)
		}
	}
	w.run.sees(w, s, g.keys(), rows, allColumns)
	return true
}

func (w *worker) deleteGroup(g *group) (span, bool) {
	list, args := keyList(g.keys())
	return w.insist(dropKind, func() (span, error) {
		return w.patient(dropKind, func(ctx context.Context) error {
			_, err := w.run.db.ExecContext(ctx, w.run.from("DELETE FROM %s WHERE (g, i) IN ("+list+")"), args...)
			return err
		})
	})
}

// anchor writes the rows that never change.
func (r *run) anchor(ctx context.Context, db *sql.DB) error {
	for g := int64(-1); g >= -anchorGroups; g-- {
		for i := range groupItems {
			a, b, n := cells(g, i, 0, uint64(-g))
			if _, err := db.ExecContext(ctx, r.from("UPSERT INTO %s VALUES (?, ?, ?, ?, ?)"), g, i, a, b, n); err != nil {
				return err
			}
		}
	}
	return nil
}
