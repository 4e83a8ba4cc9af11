package route

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/wire"
	"github.com/gofluss/fluss/internal/wire/flusspb"
)

// goneTime is how long DROP TABLE waits at most until the tablet servers have none of the table. The coordinator answers
// before that, and one of 0.9.1 that is done with deleting a table forgets what its name stands for
// (CoordinatorContext.removeTable): a table that has the name by then works, but for ADD COLUMN, of which the tablet servers
// are not told any more.
const goneTime = 2 * time.Second

// awaitGone waits until no tablet server has a bucket of a dropped table. What cannot be told is not waited for; partitions
// are not, as the coordinator is done with a partitioned table only when it deletes the next one.
func (c *Client) awaitGone(ctx context.Context, t *catalog.Table) {
	k := c.cluster.Load()
	if t.IsPartitioned() || k == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, goneTime)
	defer cancel()
	var wg sync.WaitGroup
	for _, s := range k.members {
		wg.Go(func() {
			for p := (pace{}); c.has(ctx, s.ID, t) && p.sleep(ctx) == nil; {
			}
		})
	}
	wg.Wait()
}

// tableSoon is Table that gives up, with nil, where there is trouble.
func (c *Client) tableSoon(ctx context.Context, path catalog.TablePath) *catalog.Table {
	ctx, cancel := context.WithTimeout(ctx, goneTime)
	defer cancel()
	t, err := c.Table(ctx, path)
	if err != nil {
		return nil
	}
	return t
}

// has reports whether a tablet server has a bucket of a table without partitions.
func (c *Client) has(ctx context.Context, server int32, t *catalog.Table) bool {
	conn, err := c.conn(ctx, server, smallConn)
	if err != nil {
		return false
	}
	client, latest := int32(-1), int32(latestOffset)
	req := &flusspb.ListOffsetsRequest{FollowerServerId: &client, OffsetType: &latest, TableId: &t.ID}
	for n := range t.BucketCount {
		req.BucketId = append(req.BucketId, int32(n))
	}
	var resp flusspb.ListOffsetsResponse
	if err := conn.Call(ctx, wire.APIListOffsets, c.cfg.AttemptTimeout, req, &resp); err != nil {
		return false
	}
	return slices.ContainsFunc(resp.BucketsResp, func(b *flusspb.PbListOffsetsRespForBucket) bool {
		return wire.ErrorCode(b.GetErrorCode()) != wire.CodeUnknownTableOrBucket
	})
}
