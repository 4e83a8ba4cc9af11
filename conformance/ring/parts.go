package ring

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"
)

// The partitioned tables of the load. Partitions are made while it runs, by ALTER TABLE and by the first row.
const (
	createPartKeys = `CREATE TABLE %s (p STRING NOT NULL, k INT NOT NULL, n BIGINT, v STRING, PRIMARY KEY (p, k) NOT ENFORCED)
 PARTITIONED BY (p) WITH ('bucket.num' = '%d'%s)`
	createPartLog = `CREATE TABLE %s (id BIGINT NOT NULL, p STRING NOT NULL, v STRING NOT NULL)
 PARTITIONED BY (p) WITH ('bucket.num' = '%d'%s)`

	partBuckets = 2
	partKeys    = 8 // keys of a partition
	firstParts  = 2 // partitions that are there when the load begins
	mostParts   = 10
)

// partTime is how long a new partition may take until it serves. The coordinator of 0.9.1 can overlook one; it is left
// alone then.
const partTime = time.Minute

// parts are the partitions. It is safe for concurrent use.
type parts struct {
	keyTable, logTable string
	ledger             *ledger // of the log table's rows, by the buckets of all partitions; see partBucket

	mu   sync.Mutex
	open []*part // that serve
	made int     // the number of the next one
	due  int64   // how many calls the load has to have made when it comes
}

// part is a partition of both tables.
type part struct {
	number int
	name   string
	keys   [partKeys]version

	serves bool   // it is in use
	early  []span // ids of the log rows that it was given before
}

// partBucket numbers the buckets of all partitions.
func (p *part) bucket(b int32) int32 { return int32(p.number)*partBuckets + b }

func newParts() *parts { return &parts{ledger: newLedger()} }

// claim returns the next partition to be made, nil when it is not time for one.
func (ps *parts) claim(calls int64) *part {
	ps.mu.Lock()
	defer ps.mu.Unlock()
	if ps.made == mostParts || calls < ps.due {
		return nil
	}
	if ps.made >= firstParts {
		ps.due += ps.due/2 + 500
	}
	p := &part{number: ps.made, name: fmt.Sprintf("part_%d", ps.made)}
	ps.made++
	return p
}

func (ps *parts) use(p *part) {
	ps.mu.Lock()
	defer ps.mu.Unlock()
	p.serves, p.early = true, nil
	ps.open = append(ps.open, p)
}

// some returns up to n of the partitions that serve.
func (ps *parts) some(random *rand.Rand, n int) []*part {
	ps.mu.Lock()
	defer ps.mu.Unlock()
	list := slices.Clone(ps.open)
	random.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return list[:min(n, len(list))]
}

// all returns all partitions that serve.
func (ps *parts) all() []*part {
	ps.mu.Lock()
	defer ps.mu.Unlock()
	return slices.Clone(ps.open)
}

// setUpParts makes the partitioned tables and their first partitions. They come before the other tables: a coordinator that
// overlooks a partitioned table can name no leaders for anything that comes later, which the other tables then show.
func (r *run) setUpParts(ctx context.Context, options string) error {
	ps := r.parts
	for _, t := range []struct {
		name *string
		text string
	}{{&ps.keyTable, createPartKeys}, {&ps.logTable, createPartLog}} {
		*t.name = r.log.Database + ".p" + map[string]string{createPartKeys: "kv", createPartLog: "log"}[t.text]
		if _, err := r.observer.ExecContext(ctx, fmt.Sprintf(t.text, *t.name, partBuckets, options)); err != nil {
			return fmt.Errorf("make %s: %w", *t.name, err)
		}
		r.log.Parted = append(r.log.Parted, *t.name)
	}
	w := r.worker(-1)
	for range firstParts {
		if p := ps.claim(0); !w.openPart(p) {
			return fmt.Errorf("partition %s: %w", p.name, ErrNotServing)
		}
	}
	return nil
}

// addPart makes a partition when it is time for one.
func (w *worker) addPart(string) {
	if p := w.run.parts.claim(w.run.log.Ops()); p != nil && !w.openPart(p) && w.run.o.Progress != nil {
		fmt.Fprintf(w.run.o.Progress, "partition %s did not serve in %v and is left alone\n", p.name, partTime)
	}
}

// openPart makes a partition, brings it into use when all of its buckets serve, and says whether they do.
func (w *worker) openPart(p *part) bool {
	for begin := time.Now(); time.Since(begin) < partTime; {
		if w.tryPart(p) == nil {
			w.run.parts.use(p)
			return true
		}
		if Pause(w.run.broken, stallTick) != nil {
			break
		}
	}
	for _, ids := range p.early { // they cannot be read
		w.run.parts.ledger.settle(ids.begin, int(ids.end-ids.begin), unknown)
	}
	return false
}

// tryPart makes a partition, by a statement or by its first rows, fills it, and looks at all of its buckets.
func (w *worker) tryPart(p *part) error {
	ps := w.run.parts
	exec := func(text string) error {
		_, err := w.patient(addPartKind, func(ctx context.Context) error {
			_, err := w.run.db.ExecContext(ctx, text)
			return err
		})
		return err
	}
	if p.number%2 == 0 {
		for _, table := range []string{ps.keyTable, ps.logTable} {
			if err := exec(fmt.Sprintf("ALTER TABLE %s ADD IF NOT EXISTS PARTITION (p = '%s')", table, p.name)); err != nil {
				return err
			}
		}
	}
	var writes []partWrite
	for k := range partKeys {
		writes = append(writes, partWrite{p, k})
	}
	if err := w.upsertParts(w.run.db, addPartKind, w.patient, writes); err != nil {
		return err
	}
	if err := w.appendParts(w.run.db, addPartKind, w.patient, []*part{p}); err != nil {
		return err
	}
	for _, table := range []string{ps.keyTable, ps.logTable} {
		_, err := w.patient(addPartKind, func(ctx context.Context) error {
			return w.run.db.QueryRowContext(ctx, "SELECT COUNT(*) FROM "+table+" WHERE p = ?", p.name).Scan(new(int64))
		})
		if err != nil {
			return err
		}
	}
	return nil
}
