package route

import (
	"context"
	"math"

	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/wire"
	"github.com/gofluss/fluss/internal/wire/flusspb"
)

// PrefixCall asks for all rows whose key starts with Key, the encoded bucket columns.
type PrefixCall struct {
	Table  *catalog.Table
	Bucket catalog.Bucket
	Key    []byte
	Values [][]byte // the rows in key-byte order, each schema id and row; they alias the answer
}

// PrefixLookup makes one prefix lookup. A partition that is not there has no rows.
func (c *Client) PrefixLookup(ctx context.Context, call *PrefixCall) error {
	call.Values = nil
	req := []wire.KeyBucket{{Partition: call.Bucket.PartitionID, Bucket: call.Bucket.ID, Keys: [][]byte{call.Key}}}
	err := c.onLeader(ctx, call.Table, call.Bucket, leaderRead{
		key: wire.APIPrefixLookup,
		enc: func(dst []byte) []byte { return wire.AppendPrefixLookupRequest(dst, call.Table.ID, req) },
		take: func(body []byte) error {
			results, err := wire.ParsePrefixLookupResponse(nil, body)
			if err != nil {
				return err
			}
			for i := range results {
				r := &results[i]
				if r.Partition != call.Bucket.PartitionID || r.Bucket != call.Bucket.ID {
					continue
				}
				if err := refusal(&r.BucketStatus); err != nil {
					return err
				}
				if len(r.Lists) != 1 {
					return malformed("%d lists for one prefix", len(r.Lists))
				}
				call.Values = r.Lists[0]
				return nil
			}
			return malformed("%s left out", place(call.Table.Path, call.Bucket))
		},
	})
	if hasCode(err, wire.CodePartitionNotExists) {
		return nil
	}
	return err
}

// smallScan is the LIMIT up to which a scan's silence is judged like that of any read; a larger one may take
// long to answer, and is given RequestTimeout.
const smallScan = 10_000

// LimitScan returns the first limit rows of a bucket of a key table in key-byte order, as a value batch.
func (c *Client) LimitScan(ctx context.Context, t *catalog.Table, b catalog.Bucket, limit int32) ([]byte, error) {
	req := &flusspb.LimitScanRequest{TableId: &t.ID, PartitionId: partitionID(b), BucketId: &b.ID, Limit: &limit}
	var records []byte
	r := leaderRead{
		key: wire.APILimitScan, class: bulkConn,
		enc: func(dst []byte) []byte { return appendMessage(dst, req) },
		take: func(body []byte) error {
			var resp flusspb.LimitScanResponse
			if err := proto.Unmarshal(body, &resp); err != nil {
				return malformed("LIMIT_SCAN: %v", err)
			}
			if code := wire.ErrorCode(resp.GetErrorCode()); code != wire.CodeNone {
				return &wire.ServerError{Code: code, Message: wire.CleanMessage(code, resp.GetErrorMessage())}
			}
			if resp.GetIsLogTable() {
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
