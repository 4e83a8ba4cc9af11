package ring

import (
	"context"
	"strings"
)

// partAppend appends rows of several partitions in one statement.
func (w *worker) partAppend(kind string) {
	_ = w.appendParts(w.run.db, kind, w.call, w.run.parts.some(w.random, 1+w.random.IntN(3)))
}

// appendParts appends up to 8 rows to each partition. Those of one go to one bucket.
func (w *worker) appendParts(db execer, kind string, call maker, parts []*part) error {
	l := w.run.parts.ledger
	var args []any
	first, sizes, n := make([]int64, len(parts)), make([]int, len(parts)), 0
	for i, p := range parts {
		sizes[i] = 1 + w.random.IntN(8)
		first[i] = l.issue(sizes[i])
		for id := first[i]; id < first[i]+int64(sizes[i]); id++ {
			args = append(args, id, p.name, logText(w.id, id, w.random.IntN(60)))
			n++
		}
	}
	query := "INSERT INTO " + w.run.parts.logTable + " VALUES " + strings.Repeat(", (?, ?, ?)", n)[2:]
	_, err := call(kind, func(ctx context.Context) error { return w.exec(ctx, db, int64(n), query, args...) })
	for i, p := range parts {
		c := w.run.partOutcome(kind, err, p, sizes[i])
		l.settleCounts(first[i], sizes[i], c)
		if !p.serves {
			p.early = append(p.early, span{first[i], first[i] + int64(sizes[i])})
		}
		w.run.countAll(c, sizes[i])
	}
	return err
}

// partLogScan reads a stretch of a bucket of a partition, half of the time up to its end.
func (w *worker) partLogScan(kind string) {
	p := w.run.parts.some(w.random, 1)[0]
	bucket := int32(w.random.IntN(partBuckets))
	w.scanBucket(kind, w.run.parts.ledger, p.bucket(bucket), func(ctx context.Context, from, to int64) (int64, error) {
		return w.run.readPartLog(ctx, w.run.db, p, bucket, from, to)
	})
}

// readPartLog is readLog of a partition.
func (r *run) readPartLog(ctx context.Context, db queryer, p *part, bucket int32, from, to int64) (next int64, err error) {
	query, args := stretch("SELECT id, v, p, _partition, _bucket, _log_offset FROM "+r.parts.logTable+" WHERE p = ? AND _bucket = ?", from, to, p.name, bucket)
	next = from
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return next, err
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		var text, name, partition string
		var at place
		if err := rows.Scan(&id, &text, &name, &partition, &at.bucket, &at.offset); err != nil {
			return next, err
		}
		if name != p.name || partition != p.name {
			r.judge.found(wrong, "a scan of partition %s gave row %d of %s, in %s", p.name, id, name, partition)
		}
		at.bucket = p.bucket(at.bucket)
		r.sawRow(r.parts.ledger, id, text, at, place{bucket: p.bucket(bucket), offset: next}, from)
		next = at.offset + 1
	}
	return next, rows.Err()
}

// finalParts reads all partitions, through the other pool, and judges both tables as a whole.
func (r *run) finalParts(w *worker) bool {
	for _, p := range r.parts.all() {
		for b := range int32(partBuckets) {
			next := int64(0)
			_, ok := w.insist(finalKind, func() (span, error) {
				return w.patient(finalKind, func(ctx context.Context) (err error) {
					next, err = r.readPartLog(ctx, r.observer, p, b, next, -1)
					return err
				})
			})
			if !ok {
				return false
			}
		}
	}
	r.parts.ledger.check(r.judge)
	for _, p := range r.parts.all() {
		_, ok := w.insist(finalKind, func() (span, error) {
			var found map[string]uint64
			s, err := w.patient(finalKind, func(ctx context.Context) (err error) {
				found, err = r.queryParts(ctx, r.observer, wholeHint, "p = ?", p.name)
				return err
			})
			for k := range partKeys {
				if x := (partWrite{p, k}); err == nil {
					x.version().see(r.judge, x.String(), x.version().least(), found[x.String()])
				}
			}
			return s, err
		})
		if !ok {
			return false
		}
	}
	return true
}
