package route

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/wire"
)

// leader is the tablet server that reads and writes of a bucket go to. epoch is -1 when it was not told.
type leader struct {
	server int32
	epoch  int32
}

// noLeader stands for a bucket whose leader is not known.
var noLeader = leader{server: -1, epoch: -1}

// leaders are those of a table: by partition id (catalog.NoPartition for a table without), then by bucket.
// Immutable.
type leaders map[int64][]leader

// tableState is what the client knows about one incarnation of a table.
type tableState struct {
	id      int64
	path    catalog.TablePath
	buckets int

	leaders    atomic.Pointer[leaders]
	partitions atomic.Pointer[partitions] // nil: not read
	listing    single[*partitions]
	verifying  single[struct{}] // asks beside the refreshes whether the table is still this one
	schemas    atomic.Pointer[map[int]*catalog.Schema]
	lookups    atomic.Pointer[map[int32]*lookupQueue] // by server

	mu      sync.Mutex
	refresh *flight[struct{}]   // reading the leaders again
	wanted  map[int64]bool      // partitions whose leaders the next refresh asks for
	asked   map[int64]time.Time // when they were asked for last, as far as it matters for the pace
	boss    bool                // the next refresh asks the coordinator first
	verify  bool                // the next refresh asks whether the table is still this one
	gone    map[int64]error     // partitions that are not there any more
	dead    error               // the table is not there any more
	pace    pace                // between refreshes that ask for the same again
}

func newTableState(t *catalog.Table) *tableState {
	s := &tableState{id: t.ID, path: t.Path, buckets: t.BucketCount, wanted: map[int64]bool{}, asked: map[int64]time.Time{}, gone: map[int64]error{}}
	s.leaders.Store(&leaders{})
	return s
}

// leader returns a bucket's leader if it is known. It takes no lock.
func (s *tableState) leader(b catalog.Bucket) (leader, bool) {
	list := (*s.leaders.Load())[b.PartitionID]
	if int(b.ID) >= len(list) || b.ID < 0 {
		return noLeader, false
	}
	l := list[b.ID]
	return l, l.server >= 0
}

// setLeaders replaces those of some partitions.
func (s *tableState) setLeaders(fresh leaders) {
	s.mu.Lock()
	defer s.mu.Unlock()
	m := maps.Clone(*s.leaders.Load())
	maps.Copy(m, fresh)
	s.leaders.Store(&m)
}

// want adds a partition to what the next refresh asks for.
func (s *tableState) want(partition int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wanted[partition] = true
}

// drop forgets a bucket's leader, unless it is another one than seen by now.
func (s *tableState) drop(b catalog.Bucket, seen leader) {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := (*s.leaders.Load())[b.PartitionID]
	if int(b.ID) >= len(list) || list[b.ID] != seen {
		return
	}
	m := maps.Clone(*s.leaders.Load())
	list = append([]leader(nil), list...)
	list[b.ID] = noLeader
	m[b.PartitionID] = list
	s.leaders.Store(&m)
}

// lost drops a leader that could not be reached or did not answer. The coordinator is the first to know the next
// one: tablet servers went on naming a frozen one for 30 seconds.
func (s *tableState) lost(b catalog.Bucket, seen leader) {
	s.mu.Lock()
	s.boss = true
	s.mu.Unlock()
	s.drop(b, seen)
}

// leaderOf returns a bucket's leader. When none is known it reads the metadata again, once for all who wait, and
// goes on until there is one. It ends with ctx (*WaitError), when the table is gone (*wire.ServerError with code
// 7) or another one (*TableChangedError), or when the partition is gone (code 36).
func (c *Client) leaderOf(ctx context.Context, t *catalog.Table, b catalog.Bucket) (leader, error) {
	s := c.state(t)
	if l, ok := s.leader(b); ok {
		return l, nil
	}
	return c.waitLeader(ctx, s, b)
}

func (c *Client) waitLeader(ctx context.Context, s *tableState, b catalog.Bucket) (leader, error) {
	if b.ID < 0 || int(b.ID) >= s.buckets {
		return noLeader, fmt.Errorf("table %s has buckets 0 to %d, not %d", s.path, s.buckets-1, b.ID)
	}
	var last error
	for {
		f, err := c.refreshLeaders(s, b.PartitionID)
		if err != nil {
			return noLeader, err
		}
		_, err = f.wait(ctx)
		if l, ok := s.leader(b); ok {
			return l, nil
		}
		switch {
		case ctx.Err() != nil:
			if last == nil && err != nil && !errors.Is(err, ctx.Err()) {
				last = err
			}
			return noLeader, &WaitError{For: "a leader of " + place(s.path, b), Err: ctx.Err(), Last: last}
		case err != nil && !worthRepeating(err):
			return noLeader, err
		case err != nil:
			last = err
		}
	}
}

// suspect says that an answer, or the lack of one, proved that seen does not lead the bucket any more, or not
// yet: the next leaderOf reads the metadata again.
func (c *Client) suspect(t *catalog.Table, b catalog.Bucket, seen leader) { c.state(t).lost(b, seen) }

// suspectCode is suspect for an answer with an error code.
func (c *Client) suspectCode(t *catalog.Table, b catalog.Bucket, seen leader, code wire.ErrorCode) {
	c.state(t).refuted(b, seen, code)
}

// refuted drops a leader that answered with an error code. After code 21 the refresh also asks whether the table is
// still the same one.
func (s *tableState) refuted(b catalog.Bucket, seen leader, code wire.ErrorCode) {
	if code == wire.CodeUnknownTableOrBucket {
		s.mu.Lock()
		s.verify = true
		s.mu.Unlock()
	}
	s.drop(b, seen)
}
