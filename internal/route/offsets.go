package route

import (
	"context"

	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/wire"
	"github.com/gofluss/fluss/internal/wire/flusspb"
)

// OffsetSpec says which offset of a log is asked for. The zero value is the earliest.
type OffsetSpec struct {
	kind    int32
	millis  int64
	lenient bool // a timestamp that has not come yet gives NotYet, not the server's error
}

// The kinds of LIST_OFFSETS.
const (
	earliestOffset = iota
	latestOffset
	timestampOffset
	takeoverOffset
)

// Earliest is the first offset that can be read, tiered segments included.
func Earliest() OffsetSpec { return OffsetSpec{kind: earliestOffset} }

// Latest is the end of what can be read, exclusive: the high watermark, whatever a new leader knows of it. See Ends.
func Latest() OffsetSpec { return OffsetSpec{kind: latestOffset} }

// AtTimestamp is the first offset whose batch was committed at or after that time, in milliseconds since the epoch.
func AtTimestamp(millis int64) OffsetSpec { return OffsetSpec{kind: timestampOffset, millis: millis} }

// NotYet is the offset of a time that has not come, for Since.
const NotYet = -1

// Since is AtTimestamp that gives NotYet where the server's clock has not come to that time. The offset may be one in
// front of the first that was committed then: of tiered segments only a sparse index is asked.
func Since(millis int64) OffsetSpec {
	return OffsetSpec{kind: timestampOffset, millis: millis, lenient: true}
}

// Offsets returns one offset for each bucket, in their order.
func (c *Client) Offsets(ctx context.Context, t *catalog.Table, buckets []catalog.Bucket, at OffsetSpec) ([]int64, error) {
	return c.scatter(ctx, t, buckets, scatterRead{
		key: wire.APIListOffsets, onePartition: true,
		request: func(list []catalog.Bucket) proto.Message { return listOffsets(list, at) },
		parse: func(body []byte, asked []catalog.Bucket, set func(bucketNumber)) error {
			var resp flusspb.ListOffsetsResponse
			if err := proto.Unmarshal(body, &resp); err != nil {
				return malformed("LIST_OFFSETS: %v", err)
			}
			for _, r := range resp.BucketsResp {
				n := bucketNumber{
					BucketStatus: status(asked[0].PartitionID, r.GetBucketId(), r.GetErrorCode(), r.GetErrorMessage()),
					value:        r.GetOffset(), present: r.Offset != nil,
				}
				if n.Code == wire.CodeInvalidTimestamp && at.lenient {
					n = bucketNumber{BucketStatus: status(asked[0].PartitionID, r.GetBucketId(), 0, ""), value: NotYet, present: true}
				}
				set(n)
			}
			return nil
		},
	})
}

// listOffsets asks for an offset of each of some buckets of a table or partition.
func listOffsets(list []catalog.Bucket, at OffsetSpec) *flusspb.ListOffsetsRequest {
	client := int32(-1)
	req := &flusspb.ListOffsetsRequest{
		FollowerServerId: &client, OffsetType: &at.kind, TableId: &list[0].TableID, PartitionId: partitionID(list[0]),
	}
	for _, b := range list {
		req.BucketId = append(req.BucketId, b.ID)
	}
	if at.kind == timestampOffset {
		req.StartTimestamp = &at.millis
	}
	return req
}

// Stats returns the server's row count of each bucket, in their order: live rows of a key table, offsets of a log
// table. A table without statistics is a *wire.ServerError with code 15.
func (c *Client) Stats(ctx context.Context, t *catalog.Table, buckets []catalog.Bucket) ([]int64, error) {
	return c.scatter(ctx, t, buckets, scatterRead{
		key: wire.APIGetTableStats,
		request: func(list []catalog.Bucket) proto.Message {
			req := &flusspb.GetTableStatsRequest{TableId: &t.ID}
			for i := range list {
				req.BucketsReq = append(req.BucketsReq, &flusspb.PbTableStatsReqForBucket{
					PartitionId: partitionID(list[i]), BucketId: &list[i].ID,
				})
			}
			return req
		},
		parse: func(body []byte, _ []catalog.Bucket, set func(bucketNumber)) error {
			var resp flusspb.GetTableStatsResponse
			if err := proto.Unmarshal(body, &resp); err != nil {
				return malformed("GET_TABLE_STATS: %v", err)
			}
			for _, r := range resp.BucketsResp {
				partition := catalog.NoPartition
				if r.PartitionId != nil {
					partition = r.GetPartitionId()
				}
				set(bucketNumber{
					BucketStatus: status(partition, r.GetBucketId(), r.GetErrorCode(), r.GetErrorMessage()),
					value:        r.GetRowCount(), present: r.RowCount != nil,
				})
			}
			return nil
		},
	})
}

func status(partition int64, bucket, code int32, message string) wire.BucketStatus {
	return wire.BucketStatus{Partition: partition, Bucket: bucket, Code: wire.ErrorCode(code), Message: message}
}
