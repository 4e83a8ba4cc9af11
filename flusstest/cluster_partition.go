package flusstest

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/row"
	"github.com/gofluss/fluss/internal/wire"
)

// namedValue is one column of a partition spec.
type namedValue struct{ key, value string }

// resolve puts the values of a full spec in the order of the partition columns. Code 43 when it does not fit.
func (t *table) resolve(spec []namedValue, create bool) ([]string, error) {
	keys := t.now.PartitionKeys
	if len(spec) != len(keys) {
		return nil, refuse(wire.CodePartitionSpecInvalid, "PartitionSpec size is not equal to partition keys size for partitioned table %s.", t.path)
	}
	var values []string
	for _, key := range keys {
		i := slices.IndexFunc(spec, func(v namedValue) bool { return v.key == key })
		if i < 0 {
			return nil, refuse(wire.CodePartitionSpecInvalid, "PartitionSpec PartitionSpec{{%s}} does not contain partition key '%s' for partitioned table %s.", specText(spec, ", "), key, t.path)
		}
		values = append(values, spec[i].value)
	}
	for _, v := range values {
		if why := invalidName(v, create); why != "" {
			return nil, refuse(wire.CodePartitionSpecInvalid, "The partition value %s is invalid: %s", v, why)
		}
	}
	return values, nil
}

// specText is the pairs of a spec as "dt=2024" with a separator between them.
func specText(spec []namedValue, between string) string {
	var parts []string
	for _, v := range spec {
		parts = append(parts, v.key+"="+v.value)
	}
	return strings.Join(parts, between)
}

// qualified is a partition as messages name it: "dt=2024/region=eu".
func (t *table) qualified(values []string) string {
	var parts []string
	for i, v := range values {
		parts = append(parts, t.now.PartitionKeys[i]+"="+v)
	}
	return strings.Join(parts, "/")
}

// createPartition makes a partition. Under the lock.
func (c *cluster) createPartition(t *table, values []string, ignore bool) error {
	name := row.JoinPartitionName(values)
	if err := c.checkAssignment(&t.now.Descriptor); err != nil {
		return err
	}
	if t.partitions[name] != nil {
		if ignore {
			return nil
		}
		return refuse(wire.CodePartitionAlreadyExists, "Partition '%s' already exists for table %s", t.qualified(values), t.path)
	}
	n := len(t.partitions) + 1
	if n > c.srv.opt.partitions {
		return refuse(wire.CodePartitionMaxNum, "Exceed the maximum number of partitions for table %s, only allow %d partitions.", t.path, c.srv.opt.partitions)
	}
	if total := n * t.now.BucketCount; total > c.srv.opt.totalBucket {
		return refuse(wire.CodeBucketMaxNum, "Adding partition '%s' would result in %d total buckets for table %s, exceeding the maximum of %d buckets.", name, total, t.path, c.srv.opt.totalBucket)
	}
	t.partitions[name] = &partition{id: c.nextPartition, name: name, table: t}
	c.addBuckets(t, c.nextPartition)
	c.nextPartition++
	return nil
}

// dropPartition forgets a partition with its data. Under the lock.
func (c *cluster) dropPartition(t *table, values []string, ignore bool) error {
	name := row.JoinPartitionName(values)
	p := t.partitions[name]
	if p == nil {
		if ignore {
			return nil
		}
		return refuse(wire.CodePartitionNotExists, "Partition '%s' does not exist for table %s", t.qualified(values), t.path)
	}
	delete(t.partitions, name)
	c.dropBuckets(func(key catalog.Bucket) bool { return key.TableID != t.id || key.PartitionID != p.id })
	return nil
}

// sortedPartitions returns a table's partitions by id. Under the lock.
func (t *table) sortedPartitions() []*partition {
	return slices.SortedFunc(maps.Values(t.partitions), func(a, b *partition) int { return int(a.id - b.id) })
}

// autoPartition drops the expired partitions of a table and makes those of the present and the near future, if its
// properties ask for it. Under the lock. Source: AutoPartitionManager (Java, v0.9.1-incubating).
func (c *cluster) autoPartition(t *table) {
	s := settings(t.now.Properties)
	if !s.enabled("table.auto-partition.enabled") {
		return
	}
	zone := time.Local
	if name := s["table.auto-partition.time-zone"]; name != "" {
		var err error
		if zone, err = time.LoadLocation(name); err != nil {
			zone = time.UTC // as Java takes an unknown one
		}
	}
	now, unit := c.srv.now().In(zone), s.word("table.auto-partition.time-unit", "DAY")
	column := max(0, slices.Index(t.now.PartitionKeys, s["table.auto-partition.key"]))
	if keep := s.number("table.auto-partition.num-retention", 7); keep >= 0 {
		oldest, err := row.AutoPartition(unit, now, -keep)
		for _, p := range t.sortedPartitions() {
			if values := row.SplitPartitionName(p.name); err == nil && values[column] < oldest {
				_ = c.dropPartition(t, values, true)
			}
		}
	}
	if len(t.now.PartitionKeys) > 1 {
		return
	}
	for i := range s.number("table.auto-partition.num-precreate", 2) {
		if name, err := row.AutoPartition(unit, now, i); err == nil {
			_ = c.createPartition(t, []string{name}, true) // over the limit: the real one goes on too
		}
	}
}

// watchPartitions checks automatic partitions from time to time: whenever the test moves its clock, or else by the
// interval.
func (s *Server) watchPartitions() {
	if s.opt.clock != nil {
		s.opt.clock.onMove(s.checkPartitions)
		return
	}
	s.spawn(func() { // ends with the server
		ticker := time.NewTicker(s.opt.check)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				s.checkPartitions()
			case <-s.closing:
				return
			}
		}
	})
}

func (s *Server) checkPartitions() {
	if isClosed(s.closing) {
		return
	}
	c := s.cluster
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, t := range c.tablesByID {
		c.autoPartition(t)
	}
}
