package flusstest

// LOOKUP, versions 0 and 1. Messages are read and written by hand: this is the request there are most of. Left out: the
// refusal of version 0 for lake tables, which do not exist here.

import (
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/wire"
	"github.com/gofluss/fluss/internal/wire/flusspb"
)

func (c *call) lookup() {
	q := new(flusspb.LookupRequest)
	if proto.Unmarshal(c.req.Body, q) != nil {
		c.malformed()
		return
	}
	insert := q.GetInsertIfNotExists()
	if insert {
		err := c.mustTable(opWrite, q.GetTableId())
		if err == nil {
			err = c.checkInsert(q)
		}
		if err != nil {
			c.finish(nil, err)
			return
		}
	}
	key := func(r *flusspb.PbLookupReqForBucket) catalog.Bucket {
		return bucketKey(q.GetTableId(), r.PartitionId, r.GetBucketId())
	}
	var denied error
	if !insert {
		denied = c.mayRead(q.GetTableId())
	}
	var body, entry []byte
	for _, r := range lastOfEach(q.BucketsReq, key) {
		entry = appendBucket(entry[:0], r.PartitionId, r.GetBucketId())
		var b *bucket
		err := denied
		if err == nil {
			b, err = c.leadKeyTable(key(r))
		}
		if err == nil {
			entry, err = b.appendValues(entry, r.Keys, insert)
		}
		entry = appendBucketError(entry, err)
		body = protowire.AppendTag(body, 1, protowire.BytesType)
		body = protowire.AppendBytes(body, entry)
	}
	c.done(wire.ResponseSuccess, body)
}

// checkInsert checks what only an inserting lookup needs. Wrong acks only matter when there is something to insert.
func (c *call) checkInsert(q *flusspb.LookupRequest) error {
	switch {
	case q.TimeoutMs == nil:
		return refuseJava(illegalState, "Field 'timeout_ms' is not set")
	case q.Acks == nil:
		return refuseJava(illegalState, "Field 'acks' is not set")
	}
	wrong := checkAcks(q.GetAcks())
	if wrong == nil {
		return nil
	}
	for _, r := range q.BucketsReq {
		b, err := c.leadKeyTable(bucketKey(q.GetTableId(), r.PartitionId, r.GetBucketId()))
		if err != nil {
			continue
		}
		for _, value := range b.store.lookups(nil, r.Keys) {
			if value == nil {
				return wrong
			}
		}
	}
	return nil
}

// leadKeyTable is lead for requests that only key tables take: code 20 for others.
func (c *call) leadKeyTable(key catalog.Bucket) (*bucket, error) {
	b, err := c.lead(key)
	if err == nil && !b.table.isKeyTable() {
		err = refuse(wire.CodeNonPrimaryKeyTable, "the primary key table not exists for %s", bucketText(key))
	}
	return b, err
}

// appendValues appends field 5 of a PbLookupRespForBucket for each key: a PbValue, which is empty where there is no row.
// After an error nothing was appended.
func (b *bucket) appendValues(dst []byte, keys [][]byte, insert bool) ([]byte, error) {
	if insert {
		values, err := b.store.insertIfNotExists(keys, b.numbers.take)
		if err != nil {
			return dst, err
		}
		for _, v := range values {
			dst = appendValue(dst, v)
		}
		return dst, nil
	}
	var few [16][]byte
	for _, value := range b.store.lookups(few[:0], keys) {
		dst = appendValue(dst, value)
	}
	return dst, nil
}

func appendValue(dst, value []byte) []byte {
	dst = protowire.AppendTag(dst, 5, protowire.BytesType)
	if value == nil {
		return append(dst, 0)
	}
	dst = protowire.AppendVarint(dst, uint64(protowire.SizeTag(1)+protowire.SizeBytes(len(value))))
	dst = protowire.AppendTag(dst, 1, protowire.BytesType)
	return protowire.AppendBytes(dst, value)
}

// appendBucket appends the fields 1 partition_id and 2 bucket_id that most entries begin with.
func appendBucket(dst []byte, partition *int64, id int32) []byte {
	if partition != nil {
		dst = protowire.AppendTag(dst, 1, protowire.VarintType)
		dst = protowire.AppendVarint(dst, uint64(*partition))
	}
	dst = protowire.AppendTag(dst, 2, protowire.VarintType)
	return protowire.AppendVarint(dst, uint64(int64(id)))
}

// appendBucketError appends the fields 3 error_code and 4 error_message; nothing after success.
func appendBucketError(dst []byte, err error) []byte {
	code, message := bucketError(err)
	if code != nil {
		dst = protowire.AppendTag(dst, 3, protowire.VarintType)
		dst = protowire.AppendVarint(dst, uint64(int64(*code)))
	}
	if message != nil {
		dst = protowire.AppendTag(dst, 4, protowire.BytesType)
		dst = protowire.AppendString(dst, *message)
	}
	return dst
}
