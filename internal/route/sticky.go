package route

import (
	"math/rand/v2"
	"sync"
	"sync/atomic"

	"github.com/gofluss/fluss/internal/catalog"
)

// stickyBuckets deals the buckets of log tables without a bucket key out to statements, in rotation, each client
// from another start. The zero value is ready to use.
type stickyBuckets struct {
	next sync.Map // table id -> *atomic.Uint32
}

// NextStickyBucket returns the bucket for the next statement that appends to a log table without bucket key: all
// of its rows, so that their offsets follow each other.
func (c *Client) NextStickyBucket(t *catalog.Table) int32 { return c.writes.sticky.bucket(t) }

func (s *stickyBuckets) bucket(t *catalog.Table) int32 {
	n := uint32(max(t.BucketCount, 1))
	v, ok := s.next.Load(t.ID)
	if !ok {
		start := &atomic.Uint32{}
		start.Store(rand.Uint32N(n))
		v, _ = s.next.LoadOrStore(t.ID, start)
	}
	return int32((v.(*atomic.Uint32).Add(1) - 1) % n)
}
