package route

import (
	"context"
	"fmt"
	"time"

	"github.com/gofluss/fluss/internal/catalog"
)

// catchUpPause is the longest pause between two looks whether followers have come up with a new leader.
const catchUpPause = 200 * time.Millisecond

// tookOver is where a bucket's log ended when its leader became the leader. All that was acknowledged before lies
// in front of it.
func tookOver() OffsetSpec { return OffsetSpec{kind: takeoverOffset} }

// Ends returns the end of each bucket's log, exclusive, in their order: what a scan that begins now has to read. It is
// Latest, but of a leader that took over just now it is waited for: until its followers have fetched from it, such a
// leader tells a lower high watermark than the one before it did, and rows acknowledged long ago would be left out.
func (c *Client) Ends(ctx context.Context, t *catalog.Table, buckets []catalog.Bucket) ([]int64, error) {
	ctx, cancel := c.bounded(ctx)
	defer cancel()
	ends := make([]int64, len(buckets))
	todo := make([]int, len(buckets))
	for i := range todo {
		todo[i] = i
	}
	var p pace
	for {
		behind, err := c.ends(ctx, t, buckets, todo, ends)
		if err != nil || len(behind.which) == 0 {
			return ends, err
		}
		if err := pause(ctx, min(p.next(), catchUpPause)); err != nil {
			return nil, &WaitError{For: behind.text(t, buckets, ends), Err: err}
		}
		todo = behind.which
	}
}

// laggards are the buckets whose high watermark has not come to where the log was when the leader took over.
type laggards struct {
	which []int
	took  int64 // of the first
}

func (l *laggards) text(t *catalog.Table, buckets []catalog.Bucket, ends []int64) string {
	i := l.which[0]
	return fmt.Sprintf("the replicas of %s: offsets to %d can be read, and the log went on to %d when its leader took over",
		place(t.Path, buckets[i]), ends[i], l.took)
}

// ends asks once for the ends of the buckets at which. The high watermark comes first: when the leader changes between
// the two questions, the later answer is that of the new one.
func (c *Client) ends(ctx context.Context, t *catalog.Table, buckets []catalog.Bucket, which []int, ends []int64) (behind laggards, err error) {
	some := make([]catalog.Bucket, len(which))
	for i, at := range which {
		some[i] = buckets[at]
	}
	high, err := c.Offsets(ctx, t, some, Latest())
	if err != nil {
		return behind, err
	}
	took, err := c.Offsets(ctx, t, some, tookOver())
	if err != nil {
		return behind, err
	}
	for i, at := range which {
		ends[at] = high[i]
		if high[i] >= took[i] {
			continue
		}
		if len(behind.which) == 0 {
			behind.took = took[i]
		}
		behind.which = append(behind.which, at)
	}
	return behind, nil
}
