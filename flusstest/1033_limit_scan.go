package flusstest

// LIMIT_SCAN, version 0. Errors are in the body of a success answer, as in the real server.

import (
	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss/internal/wire/flusspb"
)

func (c *call) limitScan(q *flusspb.LimitScanRequest) (proto.Message, error) {
	answer := new(flusspb.LimitScanResponse)
	b, err := c.lead(bucketKey(q.GetTableId(), q.PartitionId, q.GetBucketId()))
	var records []byte
	var isLog bool
	if err == nil {
		records, isLog, err = b.store.limitScan(int(q.GetLimit()))
		err = b.spell(err)
	}
	if answer.ErrorCode, answer.ErrorMessage = bucketError(err); err == nil {
		answer.IsLogTable, answer.Records = &isLog, append([]byte{}, records...)
	}
	return answer, nil
}
