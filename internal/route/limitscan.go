package route

import (
	"context"
	"math"

	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/wire"
)

// smallScan is the LIMIT up to which a scan's silence is judged like that of any read; a larger one may take
// long to answer, and is given RequestTimeout.
const smallScan = 10_000

// LimitScan returns the first limit rows of a bucket of a key table in key-byte order, as a value batch.
func (c *Client) LimitScan(ctx context.Context, t *catalog.Table, b catalog.Bucket, limit int32) ([]byte, error) {
	var records []byte
	r := leaderRead{
		key: wire.APILimitScan, class: bulkConn,
		enc: func(dst []byte) []byte { return wire.AppendLimitScanRequest(dst, t.ID, b.PartitionID, b.ID, limit) },
		take: func(body []byte) error {
			resp, err := wire.ParseLimitScanResponse(body)
			switch {
			case err != nil:
				return err
			case resp.Code != wire.CodeNone:
				return &wire.ServerError{Code: resp.Code, Message: resp.Message}
			case resp.IsLog:
				return malformed("LIMIT_SCAN of a key table gave log batches")
			}
			records = resp.Records
			return nil
		},
	}
	if limit > smallScan {
		r.silence = c.cfg.RequestTimeout
	}
	err := c.onLeader(ctx, t, b, r)
	return records, err
}

// Unlimited is the limit of a LimitScan of a whole bucket.
const Unlimited int32 = math.MaxInt32

func partitionID(b catalog.Bucket) *int64 {
	if b.PartitionID == catalog.NoPartition {
		return nil
	}
	return &b.PartitionID
}

// appendMessage appends a generated message. All required fields of ours are set, so nothing can fail.
func appendMessage(dst []byte, m proto.Message) []byte {
	dst, err := proto.MarshalOptions{}.MarshalAppend(dst, m)
	if err != nil {
		panic("route: " + err.Error())
	}
	return dst
}
