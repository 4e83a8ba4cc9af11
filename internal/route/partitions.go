package route

import (
	"context"
	"fmt"
	"maps"
	"strings"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/wire"
	"github.com/gofluss/fluss/internal/wire/flusspb"
)

// Partition is one partition of a table. Values are those of the partition columns, in their order; Name is the
// values joined by '$'.
type Partition struct {
	ID     int64
	Name   string
	Values []string
}

// partitions is a list of a table's partitions as a server told it. Immutable.
type partitions struct {
	list   []Partition
	byName map[string]int64
	byID   map[int64]string
	older  map[int64]string // names of partitions that were in earlier lists
}

// Partitions asks for all partitions of a table, in the server's order.
func (c *Client) Partitions(ctx context.Context, t *catalog.Table) ([]Partition, error) {
	ctx, cancel := c.bounded(ctx)
	defer cancel()
	p, err := c.freshPartitions(ctx, c.state(t))
	if err != nil {
		return nil, err
	}
	return p.list, nil
}

// Partition returns the id of the partition of that name, from the cache when it is there. One that is not in
// the cache is asked for each time.
func (c *Client) Partition(ctx context.Context, t *catalog.Table, name string) (id int64, ok bool, err error) {
	s := c.state(t)
	if p := s.partitions.Load(); p != nil {
		if id, ok := p.byName[name]; ok {
			return id, true, nil
		}
	}
	ctx, cancel := c.bounded(ctx)
	defer cancel()
	p, err := c.freshPartitions(ctx, s)
	if err != nil {
		return 0, false, err
	}
	id, ok = p.byName[name]
	return id, ok, nil
}

// freshPartitions returns a list that was asked for after the call began: a list that somebody else asked for
// earlier may miss what was created since.
func (c *Client) freshPartitions(ctx context.Context, s *tableState) (*partitions, error) {
	for {
		f, mine := s.listing.start(c, func(ctx context.Context) (*partitions, error) {
			ctx, cancel := context.WithTimeout(ctx, c.cfg.RequestTimeout)
			defer cancel()
			return c.listPartitions(ctx, s)
		})
		p, err := f.wait(ctx)
		if err != nil && ctx.Err() != nil && !isServerError(err) {
			return nil, &WaitError{For: "the partitions of table " + s.path.String(), Err: ctx.Err()}
		}
		if mine || err != nil {
			return p, err
		}
	}
}

// listPartitions reads the list of partitions into the table's state. It asks by path, so it checks afterwards
// that the path still is this table.
func (c *Client) listPartitions(ctx context.Context, s *tableState) (*partitions, error) {
	var resp flusspb.ListPartitionInfosResponse
	req := &flusspb.ListPartitionInfosRequest{TablePath: tablePath(s.path)}
	if err := c.ask(ctx, "the partitions of table "+s.path.String(), wire.APIListPartitionInfos, req, &resp); err != nil {
		return nil, err
	}
	if err := c.verifyTable(ctx, s); err != nil {
		return nil, err
	}
	p := &partitions{byName: map[string]int64{}, byID: map[int64]string{}, older: map[int64]string{}}
	for _, info := range resp.PartitionsInfo {
		one := Partition{ID: info.GetPartitionId()}
		for _, kv := range info.PartitionSpec.GetPartitionKeyValues() {
			one.Values = append(one.Values, kv.GetValue())
		}
		one.Name = strings.Join(one.Values, "$")
		p.list = append(p.list, one)
		p.byName[one.Name], p.byID[one.ID] = one.ID, one.Name
	}
	s.keepPartitions(p)
	return p, nil
}

func (s *tableState) keepPartitions(p *partitions) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if old := s.partitions.Load(); old != nil {
		maps.Copy(p.older, old.older)
		maps.Copy(p.older, old.byID)
	}
	s.partitions.Store(p)
	m := maps.Clone(*s.leaders.Load())
	for id := range m {
		if _, ok := p.byID[id]; !ok && id != catalog.NoPartition {
			delete(m, id)
		}
	}
	s.leaders.Store(&m)
}

// movedTo returns the id that the partition with an old id has now: it was dropped, and one of the same name
// created.
func (s *tableState) movedTo(old int64) (int64, bool) {
	p := s.partitions.Load()
	if p == nil {
		return 0, false
	}
	name, ok := p.older[old]
	if !ok {
		return 0, false
	}
	id, ok := p.byName[name]
	return id, ok && id != old
}

// isGone reports whether the cluster's list of partitions did not have one. That a server answers code 36 is no proof: it
// may not have heard of the partition yet.
func (s *tableState) isGone(partition int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.gone[partition] != nil
}

// disputed reports whether err says that a bucket's partition is gone, and nobody looked at the list yet.
func (s *tableState) disputed(b catalog.Bucket, err error) bool {
	return hasCode(err, wire.CodePartitionNotExists) && b.PartitionID != catalog.NoPartition && !s.isGone(b.PartitionID)
}

// CreatePartition creates a partition with one value for each partition column, in their order.
func (c *Client) CreatePartition(ctx context.Context, t *catalog.Table, values []string, ignoreIfExists bool) error {
	spec, err := partitionSpec(t, values)
	if err != nil {
		return err
	}
	err = c.change(ctx, ddl{
		what: fmt.Sprintf("CREATE PARTITION %s of %s", strings.Join(values, "$"), t.Path), key: wire.APICreatePartition,
		req:  &flusspb.CreatePartitionRequest{TablePath: tablePath(t.Path), PartitionSpec: spec, IgnoreIfNotExists: &ignoreIfExists},
		resp: &flusspb.CreatePartitionResponse{}, again: ignoreIfExists,
	})
	c.tables.refreshedPartitions(t)
	return err
}

// DropPartition drops a partition.
func (c *Client) DropPartition(ctx context.Context, t *catalog.Table, values []string, ignoreIfNotExists bool) error {
	spec, err := partitionSpec(t, values)
	if err != nil {
		return err
	}
	err = c.change(ctx, ddl{
		what: fmt.Sprintf("DROP PARTITION %s of %s", strings.Join(values, "$"), t.Path), key: wire.APIDropPartition,
		req:  &flusspb.DropPartitionRequest{TablePath: tablePath(t.Path), PartitionSpec: spec, IgnoreIfNotExists: &ignoreIfNotExists},
		resp: &flusspb.DropPartitionResponse{}, again: ignoreIfNotExists,
	})
	c.tables.refreshedPartitions(t)
	return err
}

// refreshedPartitions makes the next Partition call ask: names may have changed hands. Names of old ids stay.
func (c *tableCache) refreshedPartitions(t *catalog.Table) {
	s := c.byID.get(t.ID)
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if old := s.partitions.Load(); old != nil {
		p := &partitions{older: maps.Clone(old.older)}
		maps.Copy(p.older, old.byID)
		s.partitions.Store(p)
	}
}

func partitionSpec(t *catalog.Table, values []string) (*flusspb.PbPartitionSpec, error) {
	if len(values) != len(t.PartitionKeys) {
		return nil, fmt.Errorf("table %s has %d partition columns, got %d values", t.Path, len(t.PartitionKeys), len(values))
	}
	spec := &flusspb.PbPartitionSpec{}
	for i := range values {
		spec.PartitionKeyValues = append(spec.PartitionKeyValues, &flusspb.PbKeyValue{Key: &t.PartitionKeys[i], Value: &values[i]})
	}
	return spec, nil
}
