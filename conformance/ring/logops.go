package ring

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
)

// logRows makes rows for the log table.
func (w *worker) logRows(n int) (first int64, values string, args []any) {
	first = w.run.ledger.issue(n)
	for i := range int64(n) {
		args = append(args, first+i, logText(w.id, first+i, w.random.IntN(120)))
	}
	return first, strings.Repeat(", (?, ?)", n)[2:], args
}

// appended files what became of the rows of a statement.
func (w *worker) appended(kind string, err error, first int64, n int) {
	o, ok := outcomeOf(err, w.run.log.LogTable, anyBucket, n)
	if !ok {
		w.run.judge.found(undocumented, "%s: the error accounts for other rows than its %d: %v", kind, n, err)
	}
	w.run.ledger.settle(first, n, o)
	w.run.count(o, n)
}

func (w *worker) append(kind string) { w.appendSome(w.run.db, kind, 1) }

func (w *worker) appendRows(kind string) { w.appendSome(w.run.db, kind, 2+w.random.IntN(30)) }

func (w *worker) appendSome(db execer, kind string, n int) {
	first, values, args := w.logRows(n)
	_, err := w.call(kind, func(ctx context.Context) error {
		return w.exec(ctx, db, int64(n), w.run.fromLog("INSERT INTO %s VALUES "+values), args...)
	})
	w.appended(kind, err, first, n)
}

// appendReturning appends and is told where the rows went.
func (w *worker) appendReturning(kind string) {
	n := 1 + w.random.IntN(5)
	first, values, args := w.logRows(n)
	var places []place
	in := false // the statement succeeded: what its rows end with tells nothing of the write
	_, err := w.call(kind, func(ctx context.Context) error {
		rows, err := w.run.db.QueryContext(ctx, w.run.fromLog("INSERT INTO %s VALUES "+values+" RETURNING _bucket, _log_offset"), args...)
		if err != nil {
			return err
		}
		defer rows.Close()
		in = true
		for rows.Next() {
			p := place{state: told}
			var offset sql.NullInt64 // NULL: it is not known where
			if err := rows.Scan(&p.bucket, &offset); err != nil {
				return err
			}
			if p.offset = offset.Int64; !offset.Valid {
				p.state = nowhere
			}
			places = append(places, p)
		}
		return rows.Err()
	})
	if err == nil && len(places) != n {
		w.run.judge.found(short, "RETURNING gave %d places of %d rows", len(places), n)
	}
	for i, p := range places[:min(n, len(places))] {
		if p.state == told {
			w.run.ledger.placed(w.run.judge, first+int64(i), p.bucket, p.offset)
		}
	}
	if in {
		err = nil
	}
	w.appended(kind, err, first, n)
}

// logScan reads a stretch of a bucket, half of the time up to its end.
func (w *worker) logScan(kind string) { w.logScanBy(w.run.db, kind) }

func (w *worker) logScanBy(db queryer, kind string) {
	w.scanLog(kind, func(ctx context.Context, bucket int32, from, to int64) (int64, error) {
		return w.run.readLog(ctx, db, bucket, from, to)
	})
}

func (w *worker) scanLog(kind string, read func(ctx context.Context, bucket int32, from, to int64) (int64, error)) {
	bucket := int32(w.random.IntN(logBuckets))
	w.scanBucket(kind, w.run.ledger, bucket, func(ctx context.Context, from, to int64) (int64, error) { return read(ctx, bucket, from, to) })
}

// scanBucket reads a stretch of a bucket by a function that returns the offset behind the last row.
func (w *worker) scanBucket(kind string, l *ledger, bucket int32, read func(ctx context.Context, from, to int64) (int64, error)) {
	end := l.end(bucket)
	from := max(0, end-w.random.Int64N(400)-1)
	to := int64(-1)
	if w.random.IntN(2) == 0 {
		from = w.random.Int64N(end + 1)
		to = min(end, from+w.random.Int64N(300))
	}
	next := from
	_, err := w.call(kind, func(ctx context.Context) (err error) {
		next, err = read(ctx, from, to)
		return err
	})
	if err == nil && next < max(end, to) && (to < 0 || next < to) {
		w.run.judge.found(short, "a scan of bucket %d from %d to %d ended at %d, the log reaches to %d", bucket, from, to, next, end)
	}
}

// readLog reads a bucket of the log from an offset up to another, -1 for the end, and judges each row. It returns the
// offset behind the last row.
func (r *run) readLog(ctx context.Context, db queryer, bucket int32, from, to int64) (next int64, err error) {
	query, args := r.logStretch("id, v, _bucket, _log_offset", bucket, from, to)
	next = from
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return next, err
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		var text string
		var at place
		if err := rows.Scan(&id, &text, &at.bucket, &at.offset); err != nil {
			return next, err
		}
		r.sawRow(r.ledger, id, text, at, place{bucket: bucket, offset: next}, from)
		next = at.offset + 1
	}
	return next, rows.Err()
}

// logStretch selects columns of a bucket from an offset up to another, -1 for the end.
func (r *run) logStretch(columns string, bucket int32, from, to int64) (query string, args []any) {
	return stretch("SELECT "+columns+r.fromLog(" FROM %s WHERE _bucket = ?"), from, to, bucket)
}

// stretch adds to a SELECT with conditions, of args, that it reads from an offset up to another, -1 for the end.
func stretch(query string, from, to int64, args ...any) (string, []any) {
	query += " AND _log_offset >= ?"
	args = append(args, from)
	if to >= 0 {
		query += " AND _log_offset < ?"
		args = append(args, to)
	}
	return query, args
}

// sawRow judges a row of a scan that began at an offset, and the place where it stands.
func (r *run) sawRow(l *ledger, id int64, text string, at, want place, from int64) {
	r.rowsRead.Add(1)
	if at.bucket != want.bucket || at.offset != want.offset {
		r.judge.found(short, "a scan of bucket %d from %d gave bucket %d offset %d where %d has to be", want.bucket, from, at.bucket, at.offset, want.offset)
	}
	r.checkLogRow(id, text)
	l.see(r.judge, id, at.bucket, at.offset)
}

// checkLogRow judges a row by itself.
func (r *run) checkLogRow(id int64, text string) {
	if got, ok := logID(text); !ok || got != id {
		r.judge.found(wrong, "log row %d has the value %q", id, text)
	}
}

// logLimitScan reads some rows.
func (w *worker) logLimitScan(kind string) {
	limit := 1 + w.random.IntN(60)
	least := min(int64(limit), w.run.ledger.rows())
	n := int64(0)
	_, err := w.call(kind, func(ctx context.Context) error {
		rows, err := w.run.db.QueryContext(ctx, w.run.fromLog("SELECT id, v FROM %s LIMIT ?"), limit)
		if err != nil {
			return err
		}
		defer rows.Close()
		for ; rows.Next(); n++ {
			var id int64
			var text string
			if err := rows.Scan(&id, &text); err != nil {
				return err
			}
			w.run.rowsRead.Add(1)
			w.run.checkLogRow(id, text)
		}
		return rows.Err()
	})
	if err == nil && (n < least || n > int64(limit)) {
		w.run.judge.found(short, "LIMIT %d of the log gave %d rows, at least %d were there", limit, n, least)
	}
}

// tail reads everything that is appended to a bucket, through the other pool, from one offset to the next, until ctx
// ends.
func (r *run) tail(ctx context.Context, bucket int32, next *int64) {
	w := r.worker(1000 + int(bucket))
	for Pause(ctx, 10*stallTick) == nil {
		r.tailOnce(w, bucket, next)
	}
}

func (r *run) tailOnce(w *worker, bucket int32, next *int64) error {
	least := r.ledger.end(bucket)
	_, err := w.patient(tailKind, func(ctx context.Context) (err error) {
		*next, err = r.readLog(ctx, r.observer, bucket, *next, -1)
		return err
	})
	if err == nil && *next < least {
		r.judge.found(short, "the end of bucket %d is at %d, the log reaches to %d", bucket, *next, least)
	}
	return err
}

// fromLog puts the name of the log table into a statement.
func (r *run) fromLog(text string) string { return fmt.Sprintf(text, r.log.LogTable) }

// from puts the name of the key table into a statement.
func (r *run) from(text string) string { return fmt.Sprintf(text, r.log.KeyTable) }
