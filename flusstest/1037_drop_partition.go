package flusstest

// DROP_PARTITION, version 0. The data is gone at once; late requests get code 21.

import (
	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss/internal/wire/flusspb"
)

func (c *call) dropPartition(q *flusspb.DropPartitionRequest) (proto.Message, error) {
	cl := c.srv.cluster
	cl.mu.Lock()
	defer cl.mu.Unlock()
	t, err := cl.partitioned(q.TablePath, "drop")
	if err != nil {
		return nil, err
	}
	values, err := t.resolve(specOf(q.PartitionSpec), false)
	if err != nil {
		return nil, err
	}
	return new(flusspb.DropPartitionResponse), cl.dropPartition(t, values, q.GetIgnoreIfNotExists())
}
