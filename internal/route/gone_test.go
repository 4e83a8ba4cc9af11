package route

import (
	"cmp"
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/wire"
)

func TestCreateAgainWaits(t *testing.T) {
	for _, test := range []struct {
		name           string
		slow, from, to time.Duration
		frozen, absent bool
		partitions     map[int64]string
		allFrozen      bool          // but for the coordinator
		within         time.Duration // of the caller's context
	}{
		{name: "at once", to: 50 * time.Millisecond},
		{name: "slow", slow: 300 * time.Millisecond, from: 300 * time.Millisecond, to: time.Second},
		{name: "never", slow: time.Hour, from: goneTime, to: goneTime + 50*time.Millisecond},
		{name: "partitions", partitions: map[int64]string{3: "a", 4: "b"}, slow: 300 * time.Millisecond, from: 300 * time.Millisecond, to: time.Second},
		{name: "no partitions", partitions: map[int64]string{}, slow: time.Hour, to: 50 * time.Millisecond},
		{name: "a frozen follower", frozen: true, to: goneTime + 50*time.Millisecond},
		{name: "frozen servers and little time", allFrozen: true, within: 800 * time.Millisecond, to: 800 * time.Millisecond},
		{name: "no such table", absent: true, to: 50 * time.Millisecond},
	} {
		t.Run(test.name, func(t *testing.T) {
			run(t, 3, func(t *testing.T, f *fake) {
				path := f.create("t", 7, 4)
				desc := f.tables[path].desc
				if test.absent {
					path.Table = "another"
				}
				f.set(func() {
					f.slow = test.slow
					if test.partitions != nil {
						f.tables[path].partitioned(test.partitions)
					}
				})
				c := f.client(nil)
				defer c.Close()
				if err := c.Ping(t.Context()); err != nil {
					t.Fatal(err)
				}
				f.set(func() {
					for i, n := range f.nodes {
						n.frozen = test.allFrozen || test.frozen && i == 2
					}
				})
				ctx, cancel := context.WithTimeout(t.Context(), cmp.Or(test.within, time.Minute))
				defer cancel()
				start := time.Now()
				if err := c.DropTable(ctx, path, true); err != nil {
					t.Fatal(err)
				}
				if err := c.CreateTable(ctx, path, &desc, false); err != nil {
					t.Fatal(err)
				}
				if drops, creates := f.count(wire.APIDropTable), f.count(wire.APICreateTable); drops != 1 || creates != 1 {
					t.Errorf("dropped %d times, created %d times", drops, creates)
				}
				if took := time.Since(start); took < test.from || took > test.to {
					t.Errorf("took %v, want %v to %v", took, test.from, test.to)
				}
			})
		})
	}
}

func TestCreateAgainDatabase(t *testing.T) {
	run(t, 2, func(t *testing.T, f *fake) {
		for i := range int64(3) {
			f.create(fmt.Sprint("t", i), i, 2)
		}
		path := catalog.TablePath{Database: "demo", Table: "t1"}
		desc := f.tables[path].desc
		f.set(func() { f.slow = 300 * time.Millisecond })
		c := f.client(nil)
		defer c.Close()
		start := time.Now()
		if err := c.DropDatabase(t.Context(), "demo", false, true); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(start); took > 50*time.Millisecond {
			t.Errorf("DROP took %v", took)
		}
		if err := c.CreateTable(t.Context(), path, &desc, false); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(start); took < f.slow || took > time.Second {
			t.Errorf("took %v, want %v at least", took, f.slow)
		}
	})
}

// partitioned makes a table that f.create made one with partitions.
func (t *fakeTable) partitioned(partitions map[int64]string) {
	s := t.desc.Schema
	s.Columns = append(s.Columns, catalog.Column{Name: "p", Type: catalog.Type{Kind: catalog.String, NotNull: true}})
	s.PrimaryKey = append(s.PrimaryKey, "p")
	s.AssignIDs()
	t.desc.PartitionKeys, t.parts = []string{"p"}, partitions
}
