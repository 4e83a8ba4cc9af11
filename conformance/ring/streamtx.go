package ring

import (
	"context"
	"database/sql"

	"github.com/gofluss/fluss"
)

// streamBuffer is tx_buffer_bytes of the pool with tx=stream, the least there is: batches leave when half of it is full.
const streamBuffer = 64 << 10

// streamTx is a transaction of the pool with tx=stream, which sends rows of both tables while it fills. What became of them
// is told by counts, also when its context ended and database/sql rolled back.
type streamTx struct {
	w     *worker
	group *group
	conn  *sql.Conn

	begun      bool // there is a transaction
	ended      bool // Commit or Rollback was called
	rolledBack bool // it was Rollback

	writes []write // to the key table, in order
	keys   int     // whose statements succeeded
	first  int64   // id of the first log row
	issued int     // log rows that it was to have
	tried  int     // whose statements were run
	rows   int     // whose statements succeeded
}

// streamTransaction writes rows of a group and, between them, large log rows.
func (w *worker) streamTransaction(kind string) {
	w.with(func(g *group) {
		t := &streamTx{w: w, group: g}
		s, err := w.call(kind, t.run)
		result := t.learn(kind)
		s.end = w.run.now() // some answers came after the call
		t.finish(kind, s, err, result)
	})
}

func (t *streamTx) run(ctx context.Context) (err error) {
	if t.conn, err = t.w.run.stream.Conn(ctx); err != nil {
		return err
	}
	tx, err := t.conn.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	t.begun = true
	if err := t.fill(ctx, tx); err != nil {
		_ = tx.Rollback() // what it did is asked for in any case
		return err
	}
	t.ended = true
	if t.rolledBack = t.w.random.IntN(6) == 0; t.rolledBack {
		return tx.Rollback()
	}
	return tx.Commit()
}

// fill runs prepared INSERTs.
func (t *streamTx) fill(ctx context.Context, tx *sql.Tx) error {
	w := t.w
	put, err := tx.PrepareContext(ctx, w.run.from("INSERT INTO %s VALUES (?, ?, ?, ?, ?)"))
	if err != nil {
		return err
	}
	defer put.Close()
	add, err := tx.PrepareContext(ctx, w.run.fromLog("INSERT INTO %s VALUES (?, ?)"))
	if err != nil {
		return err
	}
	defer add.Close()
	t.issued = 1 + w.random.IntN(60)
	t.first = w.run.ledger.issue(t.issued)
	keys := w.some(t.group, 1+w.random.IntN(groupItems))
	for i, k := range keys {
		x := w.whole(t.group, k.item)
		x.event.pool = streamPool
		t.writes = append(t.writes, x)
		a, b, n := cells(k.group, k.item, w.id, x.event.value.n)
		if _, err := put.ExecContext(ctx, k.group, k.item, a, b, n); err != nil {
			return err
		}
		t.keys++
		if err := t.add(ctx, add, t.issued*(i+1)/len(keys)); err != nil {
			return err
		}
		if w.random.IntN(8) == 0 {
			if err := t.readBack(ctx, tx, k); err != nil {
				return err
			}
		}
	}
	return nil
}

// add appends log rows until there are n.
func (t *streamTx) add(ctx context.Context, stmt *sql.Stmt, n int) error {
	for t.rows < n {
		id := t.first + int64(t.rows)
		t.tried++
		if _, err := stmt.ExecContext(ctx, id, logText(t.w.id, id, 500+t.w.random.IntN(2500))); err != nil {
			return err
		}
		t.rows++
	}
	return nil
}

// readBack reads a key that was written, for which everything is sent: the server has it, and others may write to it.
func (t *streamTx) readBack(ctx context.Context, tx *sql.Tx, k keyOf) error {
	r := t.w.run
	s := span{begin: r.now()}
	rows, err := r.readKeys(ctx, tx, allColumns, r.from("%s WHERE g = ? AND i = ?"), k.group, k.item)
	s.end = r.now()
	if err == nil {
		r.sees(t.w, s, []keyOf{k}, rows, allColumns)
	}
	return err
}

// learn asks what became of the rows. Where the context ended it is database/sql that rolls back, a little later.
func (t *streamTx) learn(kind string) (result fluss.TxResult) {
	if t.conn == nil {
		return result
	}
	defer t.conn.Close()
	if !t.begun {
		return result
	}
	r := t.w.run
	ctx, cancel := context.WithTimeout(context.Background(), r.o.CallTimeout)
	defer cancel()
	for {
		err := t.conn.Raw(func(dc any) (err error) {
			result, err = fluss.LastTx(dc)
			return err
		})
		if err == nil {
			return result
		}
		if Pause(ctx, stallTick/10) != nil {
			r.judge.found(late, "%s: a transaction whose context has ended is not over after %v: %v", kind, r.o.CallTimeout, err)
			return result
		}
	}
}
