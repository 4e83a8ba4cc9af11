package route

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/wire"
)

// A leader that took over and whose followers have not fetched yet shows less than was acknowledged: a scan waits.
func TestEndsOfNewLeader(t *testing.T) {
	run(t, 1, func(t *testing.T, f *fake) {
		c := f.client(nil)
		defer c.Close()
		table := mustTable(t, c, f.create("t", 7, 3))
		buckets := []catalog.Bucket{bucketOf(table, 0), bucketOf(table, 1), bucketOf(table, 2)}
		for i, b := range buckets {
			f.fill(b, 10, i+8)
		}
		end := []int64{f.end(buckets[0]), f.end(buckets[1]), f.end(buckets[2])}
		f.set(func() {
			f.took = map[catalog.Bucket]int64{buckets[0]: end[0] - 5, buckets[1]: end[1]}
			f.lag = map[catalog.Bucket]int64{buckets[0]: 5, buckets[1]: 3} // rows of bucket 0 came after the leader
		})

		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		_, err := c.Ends(ctx, table, buckets)
		if wait, ok := errors.AsType[*WaitError](err); !ok || !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(wait.For, "bucket 1") {
			t.Fatalf("followers that do not fetch: %v", err)
		}

		time.AfterFunc(time.Second, func() { f.set(func() { f.lag[buckets[1]] = 0 }) })
		asked := f.count(wire.APIListOffsets)
		ends, err := c.Ends(t.Context(), table, buckets)
		if want := []int64{end[0] - 5, end[1], end[2]}; err != nil || !slices.Equal(ends, want) {
			t.Errorf("ends %d, %v; want %d", ends, err, want)
		}
		if n := f.count(wire.APIListOffsets) - asked; n < 4 || n > 40 {
			t.Errorf("%d requests in a second of waiting", n)
		}
	})
}
