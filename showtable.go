package fluss

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gofluss/fluss/dialect"
	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/plan"
	"github.com/gofluss/fluss/internal/route"
	"github.com/gofluss/fluss/internal/wire"
)

// showColumns answers SHOW [FULL] COLUMNS with the columns that MySQL gives.
func (c *conn) showColumns(ctx context.Context, s *dialect.Show) (driver.Rows, error) {
	list, err := c.describe(ctx, &s.Table)
	if err != nil {
		return nil, err
	}
	out := list.(*staticRows)
	kept := out.rows[:0]
	for _, r := range out.rows {
		if s.Like == nil || plan.LikeMatch(r[0].(string), *s.Like) {
			kept = append(kept, r)
		}
	}
	out.rows = kept
	if s.Full {
		out.columns = textColumns("Field", "Type", "Collation", "Null", "Key", "Default", "Extra", "Privileges", "Comment")
		out.columns[2].Type, out.columns[5].Type = &nullableText, &nullableText
		for i, r := range out.rows {
			out.rows[i] = []driver.Value{r[0], r[1], nil, r[2], r[3], r[4], r[5], "", r[6]}
		}
	}
	return out, nil
}

// showPartitions answers SHOW PARTITIONS as Flink does: column=value, joined by '/'.
func (c *conn) showPartitions(ctx context.Context, s *dialect.Show) (driver.Rows, error) {
	t, list, err := c.partitionsOf(ctx, s)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, p := range list {
		pairs := make([]string, len(p.Values))
		for i, v := range p.Values {
			pairs[i] = t.PartitionKeys[i] + "=" + v
		}
		names = append(names, strings.Join(pairs, "/"))
	}
	return c.names("partition name", names, nil), nil
}

// partitionsOf lists the partitions that a SHOW is about.
func (c *conn) partitionsOf(ctx context.Context, s *dialect.Show) (*catalog.Table, []route.Partition, error) {
	t, err := c.tableNow(ctx, &s.Table)
	if err != nil {
		return nil, nil, err
	}
	want, err := partitionValues(t, s.Partition)
	if err != nil {
		return nil, nil, translate(err, t.Path.String())
	}
	all, err := c.c.client.Partitions(ctx, t)
	if err != nil {
		return nil, nil, translate(err, t.Path.String())
	}
	var list []route.Partition
	for _, p := range all {
		if len(p.Values) == len(t.PartitionKeys) && matches(t, &p, want) {
			list = append(list, p)
		}
	}
	slices.SortFunc(list, func(a, b route.Partition) int { return strings.Compare(a.Name, b.Name) })
	return t, list, nil
}

func matches(t *catalog.Table, p *route.Partition, want map[string]string) bool {
	for i, name := range t.PartitionKeys {
		if v, ok := want[name]; ok && v != p.Values[i] {
			return false
		}
	}
	return true
}

// showBuckets answers SHOW BUCKETS: where each bucket lives and what is in it. What a bucket without a leader holds is not
// known, and rows are NULL where the servers keep no statistics.
func (c *conn) showBuckets(ctx context.Context, s *dialect.Show) (driver.Rows, error) {
	t, err := c.tableNow(ctx, &s.Table)
	if err != nil {
		return nil, err
	}
	ids, names := []int64{catalog.NoPartition}, map[int64]string{}
	if t.IsPartitioned() || s.Partition != nil {
		_, list, err := c.partitionsOf(ctx, s)
		if err != nil {
			return nil, err
		}
		ids = nil
		for _, p := range list {
			ids, names[p.ID] = append(ids, p.ID), p.Name
		}
	}
	out := &staticRows{columns: bucketColumns}
	places, err := c.c.client.Replicas(ctx, t, ids)
	if err == nil {
		var facts []bucketFacts
		if facts, err = c.bucketFacts(ctx, t, places); err == nil {
			for i := range places {
				out.rows = append(out.rows, bucketRow(&places[i], facts[i], names))
			}
		}
	}
	return out, translate(err, t.Path.String())
}

var (
	nullableInt    = catalog.Type{Kind: catalog.Int}
	nullableBigint = catalog.Type{Kind: catalog.BigInt}

	bucketColumns = columns{
		{Name: "partition", Type: &nullableText}, {Name: "bucket", Type: &catalog.Type{Kind: catalog.Int, NotNull: true}},
		{Name: "leader", Type: &nullableInt}, {Name: "replicas", Type: &textType},
		{Name: "earliest", Type: &nullableBigint}, {Name: "latest", Type: &nullableBigint}, {Name: "rows", Type: &nullableBigint},
	}
)

func bucketRow(p *route.Replicas, f bucketFacts, names map[int64]string) []driver.Value {
	replicas := make([]string, len(p.Replicas))
	for i, id := range p.Replicas {
		replicas[i] = fmt.Sprint(id)
	}
	r := []driver.Value{nil, int64(p.Bucket.ID), nil, strings.Join(replicas, ","), f[0], f[1], f[2]}
	if name, ok := names[p.Bucket.PartitionID]; ok {
		r[0] = name
	}
	if p.Leader >= 0 {
		r[2] = int64(p.Leader)
	}
	return r
}

// bucketFacts are the earliest and the latest offset and the number of rows; nil where not known.
type bucketFacts [3]driver.Value

func (c *conn) bucketFacts(ctx context.Context, t *catalog.Table, places []route.Replicas) ([]bucketFacts, error) {
	facts := make([]bucketFacts, len(places))
	var led []catalog.Bucket
	var at []int
	for i := range places {
		if places[i].Leader >= 0 {
			led, at = append(led, places[i].Bucket), append(at, i)
		}
	}
	if len(led) == 0 {
		return facts, nil
	}
	for n, ask := range []func() ([]int64, error){
		func() ([]int64, error) { return c.c.client.Offsets(ctx, t, led, route.Earliest()) },
		func() ([]int64, error) { return c.c.client.Offsets(ctx, t, led, route.Latest()) },
		func() ([]int64, error) { return c.c.client.Stats(ctx, t, led) },
	} {
		values, err := ask()
		if refusal, ok := errors.AsType[*wire.ServerError](err); ok && refusal.Code == wire.CodeInvalidTable && n == 2 {
			break // no statistics
		}
		if err != nil {
			return nil, err
		}
		for i, v := range values {
			facts[at[i]][n] = v
		}
	}
	return facts, nil
}

// showCluster answers SHOW CLUSTER: the servers as one of them tells now, each asked what it speaks. The release is
// inferred from that, NULL where the server does not answer.
func (c *conn) showCluster(ctx context.Context) (driver.Rows, error) {
	boss, tablets, err := c.c.client.ClusterInfo(ctx)
	if err != nil {
		return nil, translate(err, "")
	}
	out := &staticRows{columns: columns{
		{Name: "role", Type: &textType}, {Name: "id", Type: &catalog.Type{Kind: catalog.Int, NotNull: true}}, {Name: "host", Type: &textType},
		{Name: "port", Type: &catalog.Type{Kind: catalog.Int, NotNull: true}}, {Name: "version", Type: &nullableText}}}
	add := func(role string, s *catalog.Server) {
		r := []driver.Value{role, int64(s.ID), s.Host, int64(s.Port), nil}
		if release, err := c.c.client.Release(ctx, s); err == nil && release != "" {
			r[4] = release
		}
		out.rows = append(out.rows, r)
	}
	if boss != nil {
		add("coordinator", boss)
	}
	for i := range tablets {
		add("tablet", &tablets[i])
	}
	return out, ctx.Err()
}
