package flusstest

// CREATE_PARTITION, version 0. Its ignore_if_not_exists means: ignore if it exists.

import (
	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss/internal/wire"
	"github.com/gofluss/fluss/internal/wire/flusspb"
)

func (c *call) createPartition(q *flusspb.CreatePartitionRequest) (proto.Message, error) {
	cl := c.srv.cluster
	cl.mu.Lock()
	defer cl.mu.Unlock()
	t, err := cl.partitioned(q.TablePath, "create")
	if err != nil {
		return nil, err
	}
	values, err := t.resolve(specOf(q.PartitionSpec), true)
	if err != nil {
		return nil, err
	}
	return new(flusspb.CreatePartitionResponse), cl.createPartition(t, values, q.GetIgnoreIfNotExists())
}

// partitioned finds the table of a change of partitions. Under the lock.
func (c *cluster) partitioned(path *flusspb.PbTablePath, verb string) (*table, error) {
	switch p := tablePath(path); {
	case p.Table == "":
		return nil, refuseJava("java.lang.RuntimeException", "java.lang.IllegalArgumentException: Path must not end with / character")
	case p.Database == "":
		return nil, refuseJava("java.lang.RuntimeException", "java.lang.IllegalArgumentException: Invalid path string "+
			`"/metadata/databases//tables/%s" caused by empty node name specified @20`, p.Table)
	}
	t, err := c.find(tablePath(path))
	if err != nil {
		return nil, err
	}
	if !t.now.IsPartitioned() {
		return nil, refuse(wire.CodeTableNotPartitioned, "Only partitioned table support %s partition.", verb)
	}
	return t, nil
}
