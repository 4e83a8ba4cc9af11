package flusstest

// GET_LATEST_KV_SNAPSHOTS, version 0. No bucket ever has a snapshot.

import (
	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss/internal/wire"
	"github.com/gofluss/fluss/internal/wire/flusspb"
)

func (c *call) getLatestKVSnapshots(q *flusspb.GetLatestKvSnapshotsRequest) (proto.Message, error) {
	cl := c.srv.cluster
	cl.mu.RLock()
	defer cl.mu.RUnlock()
	t, err := cl.find(tablePath(q.TablePath))
	if err != nil {
		return nil, err
	}
	switch named := q.PartitionName != nil; {
	case !t.now.IsKeyTable():
		return nil, refuse(wire.CodeNonPrimaryKeyTable, "Table '%s' is not a primary key table, so it doesn't have any kv snapshots.", t.path)
	case named && !t.now.IsPartitioned():
		return nil, refuse(wire.CodeTableNotPartitioned, "Table '%s' is not a partitioned table.", t.path)
	case !named && t.now.IsPartitioned():
		return nil, refuse(wire.CodePartitionNotExists, "Table '%s' is a partitioned table, but partition name is not provided.", t.path)
	}
	answer := &flusspb.GetLatestKvSnapshotsResponse{TableId: &t.id}
	if q.PartitionName != nil {
		p := t.partitions[q.GetPartitionName()]
		if p == nil {
			return nil, refuseJava("java.lang.RuntimeException", "org.apache.fluss.exception.PartitionNotExistException: The partition '%s' of table '%s' does not exist.", q.GetPartitionName(), t.path)
		}
		answer.PartitionId = &p.id
	}
	for id := range t.now.BucketCount {
		answer.LatestSnapshots = append(answer.LatestSnapshots, &flusspb.PbKvSnapshot{BucketId: proto.Int32(int32(id))})
	}
	return answer, nil
}
