package flusstest

// PUT_KV, versions 0 and 1. acks and repeated entries are as for PRODUCE_LOG. Left out: the refusal of version 0 for
// lake tables, which do not exist here.

import (
	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/wire/flusspb"
)

// overwriteMode is the agg_mode that goes past the merge engine. Other values mean 0.
const overwriteMode = 1

func (c *call) putKV(q *flusspb.PutKvRequest) (proto.Message, error) {
	if err := checkAcks(q.GetAcks()); err != nil {
		return nil, err
	}
	key := func(r *flusspb.PbPutKvReqForBucket) catalog.Bucket {
		return bucketKey(q.GetTableId(), r.PartitionId, r.GetBucketId())
	}
	answer := new(flusspb.PutKvResponse)
	for _, r := range lastOfEach(q.BucketsReq, key) {
		e := &flusspb.PbPutKvRespForBucket{PartitionId: r.PartitionId, BucketId: r.BucketId}
		answer.BucketsResp = append(answer.BucketsResp, e)
		b, err := c.lead(key(r))
		var end int64
		if err == nil {
			end, err = b.put(r.Records, q.TargetColumns, q.GetAggMode() == overwriteMode)
		}
		if e.ErrorCode, e.ErrorMessage = bucketError(err); err == nil {
			e.LogEndOffset = &end
		}
	}
	return answer, nil
}

func (b *bucket) put(batch []byte, target []int32, overwrite bool) (logEnd int64, err error) {
	if !b.table.isKeyTable() {
		return 0, refuseJava(nullPointerException, "KvTablet for the replica to put kv records shouldn't be null.")
	}
	logEnd, err = b.store.putKV(batch, target, overwrite, b.numbers.take)
	return logEnd, b.spell(err)
}
