package route

import (
	"context"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/wire"
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
	if hasCode(err, wire.CodePartitionNotExists) && c.state(call.Table).isGone(call.Bucket.PartitionID) {
		return nil
	}
	return err
}
