package ring

import (
	"context"
	"database/sql"
)

// changelogScan reads a stretch of the change log of a bucket once more.
func (w *worker) changelogScan(kind string) { w.scanChanges(kind, w.run.readChanges, false) }

// binlogScan does so through $binlog, where an update is one row.
func (w *worker) binlogScan(kind string) { w.scanChanges(kind, w.run.readBinlog, true) }

// changeReader reads the records of a bucket from an offset up to another, -1 for the end.
type changeReader func(ctx context.Context, db queryer, bucket int32, from, to int64, f func(change)) error

func (w *worker) scanChanges(kind string, read changeReader, whole bool) {
	l := w.run.changes[w.random.IntN(keyBuckets)]
	from, to := l.stretch(w.random, whole)
	var got []change
	_, err := w.call(kind, func(ctx context.Context) error {
		got = nil
		return read(ctx, w.run.db, l.bucket, from, to, func(c change) { got = append(got, c) })
	})
	if err == nil {
		l.compare(w.run.judge, kind, from, to, got)
	}
}

// readChanges is a changeReader of $changelog.
func (r *run) readChanges(ctx context.Context, db queryer, bucket int32, from, to int64, f func(change)) error {
	return r.readRecords(ctx, db, "_change_type, _log_offset, g, i, a, b, n FROM %s$changelog", 1, bucket, from, to, func(kind string, offset int64, images []image) {
		k, ok := changeKinds[kind]
		if !ok {
			r.judge.found(wrong, "bucket %d offset %d of the change log: _change_type %q", bucket, offset, kind)
		}
		r.record(f, change{offset: offset, kind: k}, images[0])
	})
}

// readBinlog is a changeReader of $binlog, of which an update makes two records.
func (r *run) readBinlog(ctx context.Context, db queryer, bucket int32, from, to int64, f func(change)) error {
	const columns = "_change_type, _log_offset, before.g, before.i, before.a, before.b, before.n, after.g, after.i, after.a, after.b, after.n FROM %s$binlog"
	return r.readRecords(ctx, db, columns, 2, bucket, from, to, func(kind string, offset int64, images []image) {
		before, after := images[0], images[1]
		if before.g.Valid != (kind != "insert") || after.g.Valid != (kind != "delete") {
			r.judge.found(wrong, "bucket %d offset %d of the binlog: %s of %+v and %+v", bucket, offset, kind, before, after)
		}
		switch kind {
		case "insert":
			r.record(f, change{offset: offset, kind: insertion}, after)
		case "update":
			r.record(f, change{offset: offset, kind: updateBefore}, before)
			r.record(f, change{offset: offset + 1, kind: updateAfter}, after)
		case "delete":
			r.record(f, change{offset: offset, kind: deletion}, before)
		default:
			r.judge.found(wrong, "bucket %d offset %d of the binlog: _change_type %q", bucket, offset, kind)
		}
	})
}

// image is a row in a change log.
type image struct {
	g, i sql.NullInt64
	a, b sql.NullString
	n    sql.NullInt64
}

// readRecords reads rows of a change log with so many images.
func (r *run) readRecords(ctx context.Context, db queryer, columns string, images int, bucket int32, from, to int64, f func(kind string, offset int64, images []image)) error {
	query, args := stretch("SELECT "+r.from(columns)+" WHERE _bucket = ?", from, to, bucket)
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	var kind string
	var offset int64
	list := make([]image, images)
	dest := []any{&kind, &offset}
	for i := range list {
		x := &list[i]
		dest = append(dest, &x.g, &x.i, &x.a, &x.b, &x.n)
	}
	for rows.Next() {
		if err := rows.Scan(dest...); err != nil {
			return err
		}
		r.rowsRead.Add(1)
		f(kind, offset, list)
	}
	return rows.Err()
}

// record gives a record whose values are whole to f.
func (r *run) record(f func(change), c change, x image) {
	row := keyRow{group: x.g.Int64, item: int(x.i.Int64)}
	if r.decode(&row, x.a, x.b, x.n) {
		c.key, c.state = keyOf{row.group, row.item}, row.state
		f(c)
	}
}

// followChanges reads everything that is appended to the change log of a bucket, through the other pool, until ctx ends.
func (r *run) followChanges(ctx context.Context, l *changeLog) {
	w := r.worker(1100 + int(l.bucket))
	for Pause(ctx, 10*stallTick) == nil {
		r.followOnce(w, l)
	}
}

func (r *run) followOnce(w *worker, l *changeLog) error {
	s, err := w.patient(changesKind, func(ctx context.Context) error {
		return r.readChanges(ctx, r.observer, l.bucket, l.next(), -1, func(c change) { l.take(r.judge, c) })
	})
	if err == nil {
		r.trails.Add(uint64(l.read(r.judge, s.begin)))
	}
	return err
}
