package ring

import (
	"context"
	"database/sql"
	"strings"
)

// write is one row of a statement on the key table.
type write struct {
	group *group
	item  int
	event event // kind, columns and value
}

func (w *worker) op() uint64 { return w.run.ops.Add(1) }

// whole is a write of all columns.
func (w *worker) whole(g *group, item int) write {
	op := w.op()
	return write{g, item, event{kind: writeEvent, columns: allColumns, value: rowState{present: true, a: op, b: op, n: op}}}
}

// finish files what became of the rows of a statement.
func (w *worker) finish(kind string, s span, err error, writes ...write) {
	buckets := map[int32]int{}
	for _, x := range writes {
		buckets[x.group.bucket]++
	}
	for _, x := range writes {
		o, ok := outcomeOf(err, w.run.log.KeyTable, x.group.bucket, buckets[x.group.bucket])
		if !ok {
			w.run.judge.found(undocumented, "%s: the error accounts for other rows than the %d of bucket %d: %v", kind, buckets[x.group.bucket], x.group.bucket, err)
		}
		w.file(s, o, x)
	}
}

// file files what became of one row.
func (w *worker) file(s span, o outcome, x write) {
	w.run.count(o, 1)
	h := x.group.items[x.item]
	e := x.event
	e.worker, e.call, e.ret, e.told = w.id, s.begin, s.end, s.end
	switch o {
	case stored:
		h.add(e)
		w.run.unsettled.acknowledged(e.pool, x.group.bucket, s)
	case unknown:
		e.maybe = true
		h.add(e)
		w.run.unsettled.add(e.pool, x.group.bucket, h)
	case notStored:
		e.eachColumn(func(_ columns, op uint64) { h.reject(op) })
	}
}

// exec runs a statement and checks the number of rows it tells.
func (w *worker) exec(ctx context.Context, db execer, want int64, query string, args ...any) error {
	result, err := db.ExecContext(ctx, query, args...)
	if err != nil {
		return err
	}
	if n, err := result.RowsAffected(); err != nil || n != want {
		w.run.judge.found(wrong, "%s: %d rows affected, %v, want %d", query, n, err, want)
	}
	return nil
}

type execer interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

// upsert writes a whole row.
func (w *worker) upsert(kind string) {
	w.with(func(g *group) { w.upsertAll(w.run.db, kind, w.call, w.whole(g, w.random.IntN(groupItems))) })
}

// upsertRows writes rows of two groups, mostly in two buckets.
func (w *worker) upsertRows(kind string) { w.upsertBy(w.run.db, kind) }

func (w *worker) upsertBy(db execer, kind string) {
	w.with(func(g *group) {
		w.with(func(other *group) {
			var writes []write
			for _, k := range w.some(g, 1+w.random.IntN(groupItems)) {
				writes = append(writes, w.whole(g, k.item))
			}
			if other != g {
				for _, k := range w.some(other, 1+w.random.IntN(2)) {
					writes = append(writes, w.whole(other, k.item))
				}
			}
			w.upsertAll(db, kind, w.call, writes...)
		})
	})
}

// maker makes a call: worker.call or worker.patient.
type maker func(kind string, f func(ctx context.Context) error) (span, error)

// upsertAll writes whole rows in one statement.
func (w *worker) upsertAll(db execer, kind string, call maker, writes ...write) error {
	query, args := w.upsertText(writes)
	s, err := call(kind, func(ctx context.Context) error {
		return w.exec(ctx, db, int64(len(writes)), query, args...)
	})
	w.finish(kind, s, err, writes...)
	return err
}

func (w *worker) upsertText(writes []write) (string, []any) {
	var args []any
	for _, x := range writes {
		a, b, n := cells(x.group.id, x.item, w.id, x.event.value.n)
		args = append(args, x.group.id, x.item, a, b, n)
	}
	return w.run.from("UPSERT INTO %s VALUES " + strings.Repeat(", (?, ?, ?, ?, ?)", len(writes))[2:]), args
}

// partialUpsert writes some columns of a row, and makes the row if need be.
func (w *worker) partialUpsert(kind string) {
	w.with(func(g *group) {
		x := write{g, w.random.IntN(groupItems), event{kind: writeEvent}}
		op := w.op()
		a, b, n := cells(g.id, x.item, w.id, op)
		query, args := "INSERT INTO %s (g, i, a) VALUES (?, ?, ?)", []any{g.id, x.item, a}
		x.event.columns, x.event.value = columnA, rowState{present: true, a: op}
		if w.random.IntN(2) == 0 {
			query, args = "INSERT INTO %s (n, g, b, i) VALUES (?, ?, ?, ?)", []any{n, g.id, b, x.item}
			x.event.columns, x.event.value = columnB|columnN, rowState{present: true, b: op, n: op}
		}
		s, err := w.call(kind, func(ctx context.Context) error {
			return w.exec(ctx, w.run.db, 1, w.run.from(query), args...)
		})
		w.finish(kind, s, err, x)
	})
}

// looked runs a statement that looks for a row and writes it if it is there.
func (w *worker) looked(kind string, x write, query string, args ...any) {
	var n int64
	s, err := w.call(kind, func(ctx context.Context) error {
		result, err := w.run.db.ExecContext(ctx, w.run.from(query), args...)
		if err == nil {
			n, err = result.RowsAffected()
		}
		return err
	})
	switch {
	case err == nil && n == 0: // it read that the row is not there
		x.group.items[x.item].add(event{kind: readEvent, columns: allColumns, worker: w.id, call: s.begin, ret: s.end, told: s.end})
	case err == nil && n != 1:
		w.run.judge.found(wrong, "%s: %d rows affected", query, n)
	default:
		w.finish(kind, s, err, x)
	}
}

// update sets a column of a row that is there. Between look and write the row may be deleted; then it comes back with
// this column alone, as the documentation says.
func (w *worker) update(kind string) {
	w.with(func(g *group) {
		op := w.op()
		item := w.random.IntN(groupItems)
		_, b, _ := cells(g.id, item, w.id, op)
		w.looked(kind, write{g, item, event{kind: writeEvent, columns: columnB, value: rowState{present: true, b: op}}},
			"UPDATE %s SET b = ? WHERE g = ? AND i = ?", b, g.id, item)
	})
}

// remove deletes a row.
func (w *worker) remove(kind string) {
	w.with(func(g *group) {
		item := w.random.IntN(groupItems)
		w.looked(kind, write{g, item, event{kind: deleteEvent}}, "DELETE FROM %s WHERE g = ? AND i = ?", g.id, item)
	})
}

// increment counts up, one caller at a time, so that the sum is known. After an unknown increment the counter is set to
// a number that is known again.
func (w *worker) increment(kind string) {
	w.with(func(g *group) {
		g.counter.Lock()
		defer g.counter.Unlock()
		by := 1 + w.random.Uint64N(5)
		s, err := w.call(kind, func(ctx context.Context) error {
			return w.exec(ctx, w.run.db, 1, w.run.from("UPDATE %s SET n = n + ? WHERE g = ? AND i = ?"), by, g.id, counterItem)
		})
		x := w.counted(g, g.count+by)
		w.finish(kind, s, err, x)
		switch o, _ := outcomeOf(err, w.run.log.KeyTable, g.bucket, 1); o {
		case stored:
			g.count += by
		case unknown:
			w.recount(g)
		}
	})
}

// recount sets a counter that is not known any more.
func (w *worker) recount(g *group) {
	w.insist(settleKind, func() (span, error) {
		g.count += 1000
		s, err := w.patient(settleKind, func(ctx context.Context) error {
			return w.exec(ctx, w.run.db, 1, w.run.from("INSERT INTO %s (g, i, n) VALUES (?, ?, ?)"), g.id, counterItem, g.count)
		})
		w.finish(settleKind, s, err, w.counted(g, g.count))
		return s, err
	})
}

func (w *worker) counted(g *group, n uint64) write {
	return write{g, counterItem, event{kind: writeEvent, columns: columnN, value: rowState{present: true, n: n}}}
}
