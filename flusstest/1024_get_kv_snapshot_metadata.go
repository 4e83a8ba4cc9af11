package flusstest

// GET_KV_SNAPSHOT_METADATA, version 0. No snapshot ever exists: code 41.

import (
	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss/internal/wire"
	"github.com/gofluss/fluss/internal/wire/flusspb"
)

func (c *call) getKVSnapshotMetadata(q *flusspb.GetKvSnapshotMetadataRequest) (proto.Message, error) {
	key := bucketKey(q.GetTableId(), q.PartitionId, q.GetBucketId())
	return nil, refuse(wire.CodeKVSnapshotNotExist, "Failed to get kv snapshot metadata for table bucket %s and snapshot id %d. Error: Kv snapshot not found",
		bucketText(key), q.GetSnapshotId())
}
