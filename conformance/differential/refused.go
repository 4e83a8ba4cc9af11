package differential

import (
	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss/internal/record"
	"github.com/gofluss/fluss/internal/wire"
	"github.com/gofluss/fluss/internal/wire/flusspb"
)

// refused sends requests for data that cannot be right: ids of nothing, partitions where there are none, buckets that are
// not there, the wrong kind of table, bodies that are no message.
func (w *world) refused(t *table) error {
	if w.one(40) {
		return w.garbage()
	}
	id, partition, bucket := t.symbol, (*int64)(nil), int32(0)
	if at := w.place(t); at != nil {
		partition, bucket = at.partition.id(), at.bucket
	}
	kinds := 4
	if t.latest.IsKeyTable() {
		kinds = 3 // PRODUCE_LOG to one would spoil its change log
	}
	switch w.IntN(kinds) {
	case 0:
		id = strangeID + w.Int64N(9)
	case 1:
		bucket = pick(w.dice, int32(-1), 99)
	case 2:
		if partition == nil {
			partition = proto.Int64(strangeID)
		} else {
			partition = pick(w.dice, nil, proto.Int64(strangeID))
		}
	}
	return w.dataRequest(t, id, partition, bucket)
}

func (w *world) dataRequest(t *table, id int64, partition *int64, bucket int32) error {
	key := []byte{1, 2, 3, 4}
	header := record.KVHeader{SchemaID: 1, WriterID: -1, Sequence: -1, Count: 1}
	switch w.IntN(8) {
	case 0:
		return w.call(w.tablet(t, wire.APILookup, &flusspb.LookupRequest{TableId: &id, BucketsReq: []*flusspb.PbLookupReqForBucket{{
			PartitionId: partition, BucketId: &bucket, Keys: [][]byte{key}}}}))
	case 1:
		return w.call(w.tablet(t, wire.APIPrefixLookup, &flusspb.PrefixLookupRequest{TableId: &id, BucketsReq: []*flusspb.PbPrefixLookupReqForBucket{{
			PartitionId: partition, BucketId: &bucket, Keys: [][]byte{key}}}}))
	case 2:
		return w.call(w.tablet(t, wire.APIPutKV, &flusspb.PutKvRequest{Acks: proto.Int32(-1), TableId: &id, TimeoutMs: proto.Int32(1000),
			BucketsReq: []*flusspb.PbPutKvReqForBucket{{PartitionId: partition, BucketId: &bucket,
				Records: record.AppendKVBatch(nil, header, record.AppendKVRecord(nil, key, []byte{0}))}}}))
	case 3:
		if id == t.symbol && t.latest.IsKeyTable() && bucket >= 0 && bucket < 99 && partition != nil && *partition != strangeID {
			return nil
		}
		return w.call(w.tablet(t, wire.APIProduceLog, &flusspb.ProduceLogRequest{Acks: proto.Int32(-1), TableId: &id, TimeoutMs: proto.Int32(1000),
			BucketsReq: []*flusspb.PbProduceLogReqForBucket{{PartitionId: partition, BucketId: &bucket, Records: []byte("no batch")}}}))
	case 4:
		return w.call(w.tablet(t, wire.APIFetchLog, &flusspb.FetchLogRequest{FollowerServerId: proto.Int32(-1), MaxBytes: proto.Int32(allBytes),
			TablesReq: []*flusspb.PbFetchLogReqForTable{{TableId: &id, ProjectionPushdownEnabled: proto.Bool(w.one(2)), ProjectedFields: []int32{0},
				BucketsReq: []*flusspb.PbFetchLogReqForBucket{{PartitionId: partition, BucketId: &bucket, FetchOffset: proto.Int64(1 << 40), MaxFetchBytes: proto.Int32(allBytes)}}}}}))
	case 5:
		return w.call(w.tablet(t, wire.APIListOffsets, &flusspb.ListOffsetsRequest{FollowerServerId: proto.Int32(-1), OffsetType: proto.Int32(1),
			TableId: &id, PartitionId: partition, BucketId: []int32{bucket}}))
	case 6:
		return w.call(w.tablet(t, wire.APILimitScan, &flusspb.LimitScanRequest{TableId: &id, PartitionId: partition, BucketId: &bucket, Limit: proto.Int32(0)}))
	}
	return w.call(w.tablet(t, wire.APIGetTableStats, &flusspb.GetTableStatsRequest{TableId: &id,
		BucketsReq: []*flusspb.PbTableStatsReqForBucket{{PartitionId: partition, BucketId: &bucket}}}))
}

// garbage sends bytes that are no message of their API, which no server answers.
func (w *world) garbage() error {
	body := make([]byte, 1+w.IntN(20))
	for i := range body {
		body[i] = byte(w.Uint32())
	}
	body[0] = 0x0f // a wire type that there is not
	api := pick(w.dice, wire.APILookup, wire.APIPutKV, wire.APIFetchLog, wire.APIGetTableInfo)
	return w.call(&step{api: api, role: wire.TabletServer, body: body})
}
