package flusstest

// LIST_OFFSETS, version 0. Type 3 is where the log ended when its leader took over.

import (
	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss/internal/wire"
	"github.com/gofluss/fluss/internal/wire/flusspb"
)

// Offset types.
const (
	offsetEarliest = iota
	offsetLatest
	offsetTimestamp
	offsetTakeover
)

func (c *call) listOffsets(q *flusspb.ListOffsetsRequest) (proto.Message, error) {
	answer := new(flusspb.ListOffsetsResponse)
	for _, id := range q.BucketId {
		offset, err := c.offset(q, id)
		e := &flusspb.PbListOffsetsRespForBucket{BucketId: &id}
		if e.ErrorCode, e.ErrorMessage = bucketError(err); err == nil {
			e.Offset = &offset
		}
		answer.BucketsResp = append(answer.BucketsResp, e)
	}
	return answer, nil
}

func (c *call) offset(q *flusspb.ListOffsetsRequest, id int32) (int64, error) {
	b, err := c.lead(bucketKey(q.GetTableId(), q.PartitionId, id))
	if err != nil {
		return 0, err
	}
	switch q.GetOffsetType() {
	case offsetEarliest:
		return b.store.earliest(), nil
	case offsetLatest:
		return b.store.logEnd(), nil
	case offsetTakeover:
		return min(b.took.Load(), b.store.logEnd()), nil // TruncateLog may have been there since
	case offsetTimestamp:
		if q.StartTimestamp == nil {
			return 0, refuseJava(illegalArgument, "startTimestamp is not present while list offset by timestamp.")
		}
		now := c.srv.now().UnixMilli()
		if at := q.GetStartTimestamp(); at > now {
			return 0, refuse(wire.CodeInvalidTimestamp, "Get offset error for table bucket %s, the fetch timestamp %d is larger than the current timestamp %d",
				bucketText(b.key), at, now)
		}
		return b.store.offsetAt(q.GetStartTimestamp())
	}
	return 0, refuseJava(illegalArgument, "Invalid list offset type: %d", q.GetOffsetType())
}
