package flusstest

// PREFIX_LOOKUP, versions 0 and 1. Left out: the refusal of version 0 for lake tables, which do not exist here.

import (
	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/wire"
	"github.com/gofluss/fluss/internal/wire/flusspb"
)

func (c *call) prefixLookup(q *flusspb.PrefixLookupRequest) (proto.Message, error) {
	key := func(r *flusspb.PbPrefixLookupReqForBucket) catalog.Bucket {
		return bucketKey(q.GetTableId(), r.PartitionId, r.GetBucketId())
	}
	answer := new(flusspb.PrefixLookupResponse)
	for _, r := range lastOfEach(q.BucketsReq, key) {
		e := &flusspb.PbPrefixLookupRespForBucket{PartitionId: r.PartitionId, BucketId: r.BucketId}
		answer.BucketsResp = append(answer.BucketsResp, e)
		b, err := c.leadRead(key(r))
		if err == nil && !b.table.isKeyTable() {
			err = refuse(wire.CodeNonPrimaryKeyTable, "Try to do prefix lookup on a non primary key table: %s", b.table.path)
		}
		e.ErrorCode, e.ErrorMessage = bucketError(err)
		if err != nil {
			continue
		}
		for _, prefix := range r.Keys {
			e.ValueLists = append(e.ValueLists, &flusspb.PbValueList{Values: b.store.prefix(prefix)})
		}
	}
	return answer, nil
}
