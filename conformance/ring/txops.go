package ring

import (
	"context"
	"database/sql"
)

// transaction buffers writes to both tables, reads its own, and commits or rolls back.
func (w *worker) transaction(kind string) {
	w.with(func(g *group) {
		t := &txn{w: w, group: g}
		var s span
		_, err := w.call(kind, func(ctx context.Context) (err error) {
			tx, err := w.run.db.BeginTx(ctx, nil)
			if err != nil {
				return err
			}
			if err := t.fill(ctx, tx); err != nil {
				tx.Rollback()
				return err
			}
			s.begin = w.run.now() // nothing leaves before
			if t.rollback = w.random.IntN(6) == 0; t.rollback {
				err = tx.Rollback()
			} else {
				err = tx.Commit()
			}
			s.end = w.run.now()
			return err
		})
		t.finish(kind, s, err)
	})
}

// txn is a transaction under way.
type txn struct {
	w        *worker
	group    *group
	writes   []write
	first    int64 // id of the first log row
	logRows  int
	rollback bool
	begun    bool // Commit or Rollback was called
}

func (t *txn) fill(ctx context.Context, tx *sql.Tx) error {
	w := t.w
	for _, k := range w.some(t.group, 1+w.random.IntN(3)) {
		x := w.whole(t.group, k.item)
		t.writes = append(t.writes, x)
		query, args := w.upsertText([]write{x})
		if err := w.exec(ctx, tx, 1, query, args...); err != nil {
			return err
		}
		rows, err := w.run.readKeys(ctx, tx, allColumns, w.run.from("%s WHERE g = ? AND i = ?"), k.group, k.item)
		if err != nil {
			return err
		}
		if len(rows) != 1 || rows[0].state != x.event.value {
			w.run.judge.found(wrong, "key %d/%d: a transaction reads %+v behind its own write %d", k.group, k.item, rows, x.event.value.n)
		}
	}
	if t.logRows = w.random.IntN(4); t.logRows > 0 {
		first, values, args := w.logRows(t.logRows)
		t.first = first
		if err := w.exec(ctx, tx, int64(t.logRows), w.run.fromLog("INSERT INTO %s VALUES "+values), args...); err != nil {
			return err
		}
	}
	t.begun = true
	return nil
}

// finish files what became of the rows: not stored if the transaction did not come to its Commit.
func (t *txn) finish(kind string, s span, err error) {
	w := t.w
	sent := t.begun && !t.rollback
	key, log := notStored, notStored
	if sent {
		key = t.outcome(kind, err, w.run.log.KeyTable, t.group.bucket, len(t.writes))
		if t.logRows > 0 {
			log = t.outcome(kind, err, w.run.log.LogTable, anyBucket, t.logRows)
		}
	}
	for _, x := range t.writes {
		w.file(s, key, x)
	}
	if t.logRows > 0 {
		w.run.ledger.settle(t.first, t.logRows, log)
		w.run.count(log, t.logRows)
	}
}

func (t *txn) outcome(kind string, err error, table string, bucket int32, rows int) outcome {
	o, ok := outcomeOf(err, table, bucket, rows)
	if !ok {
		t.w.run.judge.found(undocumented, "%s: the error accounts for other rows than the %d of %s: %v", kind, rows, table, err)
	}
	return o
}
