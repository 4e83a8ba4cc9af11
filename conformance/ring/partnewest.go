package ring

import (
	"context"
	"fmt"
)

// newest is how many offsets of each bucket partTail reads.
const newest = 20

// partTail reads the newest rows of each bucket of some partitions, in one statement.
func (w *worker) partTail(kind string) {
	parts := w.run.parts.some(w.random, 1+w.random.IntN(mostParts))
	ends := map[int32]int64{}
	for _, p := range parts {
		for b := range int32(partBuckets) {
			ends[p.bucket(b)] = w.run.parts.ledger.end(p.bucket(b))
		}
	}
	var got map[int32][]int64
	_, err := w.call(kind, func(ctx context.Context) (err error) {
		got, err = w.run.newestOf(ctx, parts)
		return err
	})
	if err == nil {
		w.run.judge.newest(kind, ends, got)
	}
}

// newest judges the offsets that were read of the ends of buckets: they are the last ones, all of them, in order, and reach
// as far as the bucket was known to.
func (j *judge) newest(kind string, ends map[int32]int64, got map[int32][]int64) {
	for bucket, end := range ends {
		offsets, next := got[bucket], int64(0)
		if n := len(offsets); n > 0 {
			next = offsets[n-1] + 1
		}
		if next < end {
			j.found(short, "%s: bucket %d ended at %d, its log reaches to %d", kind, bucket, next, end)
		}
		want := max(0, next-newest)
		for _, at := range offsets {
			if at != want {
				j.found(short, "%s: bucket %d up to %d gave offset %d where %d has to be", kind, bucket, next, at, want)
				break
			}
			want++
		}
	}
}

// newestOf returns the offsets of the newest rows by bucket, and judges each row.
func (r *run) newestOf(ctx context.Context, parts []*part) (map[int32][]int64, error) {
	byName := map[string]*part{}
	for _, p := range parts {
		byName[p.name] = p
	}
	query := fmt.Sprintf("SELECT /*+ LAST(%d) */ id, v, p, _bucket, _log_offset FROM %s WHERE %s", newest, r.parts.logTable, namedIn(parts))
	rows, err := r.db.QueryContext(ctx, query, argsOf(parts)...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	got := map[int32][]int64{}
	for rows.Next() {
		var id int64
		var text, name string
		var at place
		if err := rows.Scan(&id, &text, &name, &at.bucket, &at.offset); err != nil {
			return nil, err
		}
		p := byName[name]
		if p == nil {
			r.judge.found(wrong, "a scan gave a row of partition %q, for which it did not ask", name)
			continue
		}
		at.bucket = p.bucket(at.bucket)
		r.sawRow(r.parts.ledger, id, text, at, at, 0)
		got[at.bucket] = append(got[at.bucket], at.offset)
	}
	return got, rows.Err()
}
