package flusstest

// PRODUCE_LOG, version 0. All replicas are in sync, so that acks 1 and -1 are answered alike, at once; timeout_ms is of
// no use. A key table is accepted, as by the real server. Several entries for one bucket: the last one counts.

import (
	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/wire"
	"github.com/gofluss/fluss/internal/wire/flusspb"
)

func (c *call) produceLog(q *flusspb.ProduceLogRequest) (proto.Message, error) {
	if err := checkAcks(q.GetAcks()); err != nil {
		return nil, err
	}
	key := func(r *flusspb.PbProduceLogReqForBucket) catalog.Bucket {
		return bucketKey(q.GetTableId(), r.PartitionId, r.GetBucketId())
	}
	answer := new(flusspb.ProduceLogResponse)
	for _, r := range lastOfEach(q.BucketsReq, key) {
		e := &flusspb.PbProduceLogRespForBucket{PartitionId: r.PartitionId, BucketId: r.BucketId}
		answer.BucketsResp = append(answer.BucketsResp, e)
		b, err := c.lead(key(r))
		base := int64(-1)
		if err == nil {
			base, err = b.store.produceLog(r.Records)
			err = b.spell(err)
		}
		if e.ErrorCode, e.ErrorMessage = bucketError(err); err == nil {
			e.BaseOffset = &base
		}
	}
	return answer, nil
}

func checkAcks(acks int32) error {
	if acks < -1 || acks > 1 {
		return refuse(wire.CodeInvalidRequiredAcks, "Invalid required acks: %d", acks)
	}
	return nil
}
