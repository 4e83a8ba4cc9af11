package ring

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gofluss/fluss"
)

// partWrite is a key of a partition.
type partWrite struct {
	part *part
	key  int
}

func (x partWrite) String() string { return fmt.Sprintf("%s key %d", x.part.name, x.key) }

func (x partWrite) version() *version { return &x.part.keys[x.key] }

// someOf draws keys of some partitions, each at most once.
func (w *worker) someOf(parts []*part, each int) (keys []partWrite) {
	for _, p := range parts {
		for _, k := range w.random.Perm(partKeys)[:1+w.random.IntN(each)] {
			keys = append(keys, partWrite{p, k})
		}
	}
	return keys
}

// partUpsert writes rows of several partitions in one statement.
func (w *worker) partUpsert(kind string) {
	var db execer = w.run.db
	if w.random.IntN(2) == 0 {
		db = w.run.prepared
	}
	keys := slices.DeleteFunc(w.someOf(w.run.parts.some(w.random, 1+w.random.IntN(3)), 2), func(x partWrite) bool {
		return !x.version().writer.TryLock()
	})
	for _, x := range keys {
		defer x.version().writer.Unlock()
	}
	if len(keys) > 0 {
		_ = w.upsertParts(db, kind, w.call, keys)
	}
}

// upsertParts writes keys, which the caller alone writes to.
func (w *worker) upsertParts(db execer, kind string, call maker, keys []partWrite) error {
	var args []any
	rows := map[*part]int{}
	numbers := make([]uint64, len(keys))
	for i, x := range keys {
		rows[x.part]++
		numbers[i] = x.version().issue()
		args = append(args, x.part.name, x.key, int64(numbers[i]), cellText('v', int64(x.part.number), x.key, w.id, numbers[i]))
	}
	query := "UPSERT INTO " + w.run.parts.keyTable + " VALUES " + strings.Repeat(", (?, ?, ?, ?)", len(keys))[2:]
	_, err := call(kind, func(ctx context.Context) error { return w.exec(ctx, db, int64(len(keys)), query, args...) })
	for i, x := range keys {
		o := w.run.partOutcome(kind, err, x.part, rows[x.part]).each()
		x.version().settle(numbers[i], o)
		w.run.count(o, 1)
	}
	return err
}

// partOutcome is what became of the rows of a statement that went to one partition.
func (r *run) partOutcome(kind string, err error, p *part, rows int) counts {
	if err == nil {
		return counts{stored: rows}
	}
	buckets, told := bucketsIn(err)
	switch {
	case !told && errors.Is(err, fluss.ErrAmbiguousWrite): // it is not known whether the partition was made
		return counts{unknown: rows}
	case !told:
		return counts{notStored: rows}
	}
	c := sumOf(slices.DeleteFunc(slices.Clone(buckets), func(b fluss.BucketOutcome) bool { return b.Partition != p.name }), anyBucket)
	if c.rows() != rows {
		r.judge.found(undocumented, "%s: the error accounts for other rows than the %d of partition %s: %v", kind, rows, p.name, err)
		return counts{unknown: rows}
	}
	return c
}

// partLookup reads keys of several partitions.
func (w *worker) partLookup(kind string) {
	var db queryer = w.run.db
	if w.random.IntN(2) == 0 {
		db = w.run.prepared
	}
	keys := w.someOf(w.run.parts.some(w.random, 1+w.random.IntN(3)), 3)
	var args []any
	for _, x := range keys {
		args = append(args, x.part.name, x.key)
	}
	where := "(p, k) IN (" + strings.Repeat(", (?, ?)", len(keys))[2:] + ")"
	if len(keys) == 1 {
		where = "p = ? AND k = ?"
	}
	w.readParts(db, kind, keys, "", where, args...)
}

const wholeHint = "/*+ FULL_SCAN */"

// partScan reads whole partitions.
func (w *worker) partScan(kind string) {
	parts := w.run.parts.some(w.random, 1+w.random.IntN(3))
	w.readParts(w.run.db, kind, keysOf(parts), wholeHint, namedIn(parts), argsOf(parts)...)
}

func keysOf(parts []*part) (keys []partWrite) {
	for _, p := range parts {
		for k := range partKeys {
			keys = append(keys, partWrite{p, k})
		}
	}
	return keys
}

// namedIn is a condition on the partition column, with argsOf as its arguments.
func namedIn(parts []*part) string { return "p IN (" + strings.Repeat(", ?", len(parts))[2:] + ")" }

func argsOf(parts []*part) (args []any) {
	for _, p := range parts {
		args = append(args, p.name)
	}
	return args
}

// readParts runs a SELECT that has to find each of the keys that is there, and nothing else.
func (w *worker) readParts(db queryer, kind string, keys []partWrite, hint, where string, args ...any) {
	least := make([]uint64, len(keys))
	for i, x := range keys {
		least[i] = x.version().least()
	}
	var found map[string]uint64
	_, err := w.call(kind, func(ctx context.Context) (err error) {
		found, err = w.run.queryParts(ctx, db, hint, where, args...)
		return err
	})
	if err != nil {
		return
	}
	for i, x := range keys {
		x.version().see(w.run.judge, x.String(), least[i], found[x.String()])
		delete(found, x.String())
	}
	for name := range found {
		w.run.judge.found(wrong, "%s: read by a statement that did not ask for it", name)
	}
}

// queryParts reads rows and judges each by itself. It returns the number of the write of each key.
func (r *run) queryParts(ctx context.Context, db queryer, hint, where string, args ...any) (map[string]uint64, error) {
	rows, err := db.QueryContext(ctx, "SELECT "+hint+" p, k, n, v, _partition FROM "+r.parts.keyTable+" WHERE "+where, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	found := map[string]uint64{}
	for rows.Next() {
		var p, text, partition string
		var k int
		var n uint64
		if err := rows.Scan(&p, &k, &n, &text, &partition); err != nil {
			return nil, err
		}
		r.rowsRead.Add(1)
		var number int64
		_, _ = fmt.Sscanf(p, "part_%d", &number)
		if op, ok := cellOp(text, 'v', number, k); !ok || op != n || partition != p {
			r.judge.found(wrong, "partition %s, read in %s, key %d: write %d has the value %q", p, partition, k, n, text)
		}
		name := fmt.Sprintf("%s key %d", p, k)
		if _, twice := found[name]; twice {
			r.judge.found(wrong, "%s: read twice by one statement", name)
		}
		found[name] = n
	}
	return found, rows.Err()
}
