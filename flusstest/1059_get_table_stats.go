package flusstest

// GET_TABLE_STATS, version 0.

import (
	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss/internal/catalog"
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
			rows, err = b.store.rowCount()
		}
		if e.ErrorCode, e.ErrorMessage = bucketError(err); err == nil {
			e.RowCount = &rows
		}
	}
	return answer, nil
}
