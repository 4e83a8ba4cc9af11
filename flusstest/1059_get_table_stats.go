package flusstest

// GET_TABLE_STATS, version 0.

import (
	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/wire"
	"github.com/gofluss/fluss/internal/wire/flusspb"
)

func (c *call) getTableStats(q *flusspb.GetTableStatsRequest) (proto.Message, error) {
	key := func(r *flusspb.PbTableStatsReqForBucket) catalog.Bucket {
		return bucketKey(q.GetTableId(), r.PartitionId, r.GetBucketId())
	}
	answer := new(flusspb.GetTableStatsResponse)
	for _, r := range lastOfEach(q.BucketsReq, key) {
		e := &flusspb.PbTableStatsRespForBucket{PartitionId: r.PartitionId, BucketId: r.BucketId}
		answer.BucketsResp = append(answer.BucketsResp, e)
		b, err := c.lead(key(r))
		var rows int64
		if err == nil {
			rows, err = b.rowCount()
		}
		if e.ErrorCode, e.ErrorMessage = bucketError(err); err == nil {
			e.RowCount = &rows
		}
	}
	return answer, nil
}

// rowCount is the store's, or the server's long text for tables that do not count.
func (b *bucket) rowCount() (int64, error) {
	if b.table.isKeyTable() && b.table.made.ChangelogImage == imageWAL {
		return 0, refuse(wire.CodeInvalidTable, "Row count is disabled for this table '%s'. This usually happens when the table is"+
			"created before v0.9 or the changelog image is set to WAL, as maintaining row count in WAL mode is costly and not "+
			"necessary for most use cases. If you want to enable row count, please set changelog image to FULL.", b.table.path)
	}
	return b.store.rowCount()
}
