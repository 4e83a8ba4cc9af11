package route

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/wire"
	"github.com/gofluss/fluss/internal/wire/flusspb"
)

// A coordinator of 0.9.1 that is done with deleting a table, which is after it answered, forgets what its name stands for
// (CoordinatorContext.removeTable): a table that has the name by then works, but for ADD COLUMN, of which the tablet servers
// are not told any more. So a table is not created before the one of its name that this client dropped is gone.

const (
	goneTime = 2 * time.Second // how long CREATE waits at most
	goneAge  = time.Minute     // what was dropped before is gone or never will be
	maxGone  = 100             // tables of a database, and partitions of a table, that are waited for
)

// dropped is a table without partitions, or a partition.
type dropped struct {
	table     *catalog.Table
	partition int64
}

// graves are tables that were dropped lately, by name.
type graves struct {
	mu    sync.Mutex
	names map[catalog.TablePath]grave
}

type grave struct {
	all  []dropped
	when time.Time
}

func (g *graves) add(all []dropped) {
	g.mu.Lock()
	defer g.mu.Unlock()
	now := time.Now()
	maps.DeleteFunc(g.names, func(_ catalog.TablePath, of grave) bool { return now.Sub(of.when) > goneAge })
	if g.names == nil {
		g.names = map[catalog.TablePath]grave{}
	}
	for _, d := range all {
		of := g.names[d.table.Path]
		g.names[d.table.Path] = grave{append(of.all, d), now}
	}
}

func (g *graves) take(path catalog.TablePath) []dropped {
	g.mu.Lock()
	defer g.mu.Unlock()
	of := g.names[path]
	delete(g.names, path)
	return of.all
}

// beforeDrop learns what there is of a table. What cannot be told soon is not waited for, nor is a partitioned table without
// partitions: the coordinator is done with that when it deletes the next table.
func (c *Client) beforeDrop(ctx context.Context, path catalog.TablePath) []dropped {
	ctx, cancel := soon(ctx)
	defer cancel()
	t, err := c.Table(ctx, path)
	switch {
	case err != nil:
		return nil
	case !t.IsPartitioned():
		return []dropped{{t, catalog.NoPartition}}
	}
	list, err := c.Partitions(ctx, t)
	if err != nil {
		return nil
	}
	var all []dropped
	for _, p := range list[max(0, len(list)-maxGone):] {
		all = append(all, dropped{t, p.ID})
	}
	return all
}

// soon leaves the change itself most of its caller's time.
func soon(ctx context.Context) (context.Context, context.CancelFunc) {
	limit := goneTime
	if end, ok := ctx.Deadline(); ok {
		limit = min(limit, time.Until(end)/4)
	}
	return context.WithTimeout(ctx, limit)
}

// beforeDropAll is beforeDrop for the tables of a database.
func (c *Client) beforeDropAll(ctx context.Context, database string) []dropped {
	ctx, cancel := soon(ctx)
	defer cancel()
	names, err := c.ListTables(ctx, database)
	if err != nil {
		return nil
	}
	var all []dropped
	for _, name := range names[:min(len(names), maxGone)] {
		all = append(all, c.beforeDrop(ctx, catalog.TablePath{Database: database, Table: name})...)
	}
	return all
}

// awaitGone waits until no tablet server has a bucket of what was dropped.
func (c *Client) awaitGone(ctx context.Context, all []dropped) {
	k := c.cluster.Load()
	if len(all) == 0 || k == nil {
		return
	}
	ctx, cancel := soon(ctx)
	defer cancel()
	var wg sync.WaitGroup
	for _, s := range k.members {
		wg.Go(func() {
			for _, d := range all {
				for p := (pace{}); c.has(ctx, s.ID, d) && p.sleep(ctx) == nil; {
				}
			}
		})
	}
	wg.Wait()
}

// has reports whether a tablet server has a bucket of a table, or of a partition of one.
func (c *Client) has(ctx context.Context, server int32, d dropped) bool {
	conn, err := c.conn(ctx, server, smallConn)
	if err != nil {
		return false
	}
	var list []catalog.Bucket
	for n := range d.table.BucketCount {
		list = append(list, catalog.Bucket{TableID: d.table.ID, PartitionID: d.partition, ID: int32(n)})
	}
	var resp flusspb.ListOffsetsResponse
	if err := conn.Call(ctx, wire.APIListOffsets, c.cfg.AttemptTimeout, listOffsets(list, Latest()), &resp); err != nil {
		return false
	}
	return slices.ContainsFunc(resp.BucketsResp, func(b *flusspb.PbListOffsetsRespForBucket) bool {
		return classify(wire.ErrorCode(b.GetErrorCode())) != classGone
	})
}
