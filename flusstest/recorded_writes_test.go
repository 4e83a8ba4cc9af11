package flusstest

import (
	"fmt"

	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/record"
	"github.com/gofluss/fluss/internal/row"
	"github.com/gofluss/fluss/internal/wire"
	"github.com/gofluss/fluss/internal/wire/flusspb"
)

var ix = tableText{cols: []string{"a INTEGER", "b STRING"}, buckets: 3, bucket: []string{}, props: `"table.log.format":"INDEXED"`}

// ixBatch is a batch of rows (from, "row") (from+1, "row") ... for ix.
func ixBatch(from, rows int, writer int64, sequence int32) []byte {
	d, err := catalog.DecodeDescriptor([]byte(ix.json()))
	if err != nil {
		panic(err)
	}
	d.Schema.ID = 1
	t, err := catalog.NewTable(catalog.TablePath{Database: testDB, Table: "ix"}, 0, d)
	if err != nil {
		panic(err)
	}
	e, err := record.NewLogEncoder(t)
	if err != nil {
		panic(err)
	}
	for i := range rows {
		if err := e.Append([]row.Datum{{I: int64(from + i)}, {B: []byte("row")}}); err != nil {
			panic(err)
		}
	}
	return e.Finish(nil, record.LogHeader{WriterID: writer, Sequence: sequence})
}

// kvRows upserts rows (key, "v", NULL) of kv.
func kvRows(writer int64, sequence int32, keys ...byte) []byte {
	var records []byte
	for _, key := range keys {
		records = record.AppendKVRecord(records, []byte{key}, []byte{4, key, 1, 'v'})
	}
	return record.AppendKVBatch(nil, record.KVHeader{SchemaID: 1, WriterID: writer, Sequence: sequence, Count: int32(len(keys))}, records)
}

// perBucket is one entry of a produce request.
type perBucket struct {
	bucket int32
	batch  []byte
}

func produce(name string, acks int32, entries ...perBucket) step {
	return withID("produce "+name, wire.APIProduceLog, func(id func(string) int64) proto.Message {
		q := &flusspb.ProduceLogRequest{Acks: &acks, TableId: proto.Int64(id("ix")), TimeoutMs: proto.Int32(1000)}
		for _, e := range entries {
			q.BucketsReq = append(q.BucketsReq, &flusspb.PbProduceLogReqForBucket{BucketId: &e.bucket, Records: e.batch})
		}
		return q
	})
}

// fetchIx reads the three buckets of ix.
func fetchIx(maxBytes, bucketBytes int32, offsets ...int64) step {
	return withID(fmt.Sprintf("fetch ix %v max %d, %d a bucket", offsets, maxBytes, bucketBytes), wire.APIFetchLog, func(id func(string) int64) proto.Message {
		t := &flusspb.PbFetchLogReqForTable{TableId: proto.Int64(id("ix")), ProjectionPushdownEnabled: proto.Bool(false)}
		for b, offset := range offsets {
			t.BucketsReq = append(t.BucketsReq, &flusspb.PbFetchLogReqForBucket{BucketId: proto.Int32(int32(b)), FetchOffset: &offset, MaxFetchBytes: &bucketBytes})
		}
		return &flusspb.FetchLogRequest{FollowerServerId: proto.Int32(-1), MaxBytes: &maxBytes, TablesReq: []*flusspb.PbFetchLogReqForTable{t}}
	})
}

func putKV(name, table string, acks int32, partition string, entries ...perBucket) step {
	return withID("put "+name, wire.APIPutKV, func(id func(string) int64) proto.Message {
		q := &flusspb.PutKvRequest{Acks: &acks, TableId: proto.Int64(id(table)), TimeoutMs: proto.Int32(1000)}
		for _, e := range entries {
			r := &flusspb.PbPutKvReqForBucket{BucketId: &e.bucket, Records: e.batch}
			if partition != "" {
				r.PartitionId = proto.Int64(id(table + "/" + partition))
			}
			q.BucketsReq = append(q.BucketsReq, r)
		}
		return q
	})
}

func scanAll(table string, limit int32) step {
	return withID(fmt.Sprintf("limit scan %s %d", table, limit), wire.APILimitScan, func(id func(string) int64) proto.Message {
		return &flusspb.LimitScanRequest{TableId: proto.Int64(id(table)), BucketId: proto.Int32(0), Limit: &limit}
	})
}

func listAll(table string, kind int32) step {
	return withID(fmt.Sprintf("offsets of %s, type %d", table, kind), wire.APIListOffsets, func(id func(string) int64) proto.Message {
		return &flusspb.ListOffsetsRequest{FollowerServerId: proto.Int32(-1), OffsetType: &kind, TableId: proto.Int64(id(table)), BucketId: []int32{0, 1, 2}}
	})
}

// writeSteps are about what requests do with buckets; what a bucket does with its records has tests of its own.
func writeSteps() []step {
	first, second := ixBatch(0, 3, -1, -1), ixBatch(100, 4, -1, -1)
	size := int32(len(first))
	return []step{
		create("ix", ix), metadata("ix"),
		produce("two buckets", -1, perBucket{0, first}, perBucket{1, second}),
		produce("one bucket twice", -1, perBucket{0, first}, perBucket{0, second}),
		produce("acks 0", 0, perBucket{2, first}), produce("acks 1 and an unknown bucket", 1, perBucket{2, first}, perBucket{7, first}),
		produce("empty", -1, perBucket{2, []byte{}}), produce("cut", -1, perBucket{2, first[:40]}), produce("two batches", -1, perBucket{2, append(append([]byte{}, first...), second...)}),
		produce("writer", -1, perBucket{1, ixBatch(0, 2, 77, 0)}), produce("writer again", -1, perBucket{1, ixBatch(0, 2, 77, 0)}), produce("writer gap", -1, perBucket{1, ixBatch(0, 2, 77, 5)}),
		listAll("ix", 0), listAll("ix", 1), listAll("ix", 3),
		fetchIx(1<<20, 1<<20, 0, 0, 0), fetchIx(1<<20, 1<<20, -2, -2, -2), fetchIx(1<<20, 1<<20, 1, 5, 2), fetchIx(1<<20, size+10, 0), fetchIx(1<<20, 10, 0), fetchIx(10, 1<<20, 0), fetchIx(10, 10, 1), fetchIx(0, 0, 0), fetchIx(1<<20, 2*size-1, 0), fetchIx(size+1, 1<<20, 0), fetchIx(-1, -1, 0),
		scanAll("ix", 2), scanAll("ix", 100), scanAll("ix", 0), scanAll("ix", -1),
		withID("stats of ix", wire.APIGetTableStats, func(id func(string) int64) proto.Message {
			q := &flusspb.GetTableStatsRequest{TableId: proto.Int64(id("ix"))}
			for b := range int32(3) {
				q.BucketsReq = append(q.BucketsReq, &flusspb.PbTableStatsReqForBucket{BucketId: &b})
			}
			return q
		}),
		create("two", tableText{cols: kv.cols, pk: kv.pk, buckets: 2, bucket: []string{"id"}}), metadata("two"),
		putKV("two buckets", "two", -1, "", perBucket{0, kvRows(-1, -1, 1, 2)}, perBucket{1, kvRows(-1, -1, 3)}),
		putKV("one bucket twice", "two", -1, "", perBucket{0, kvRows(-1, -1, 4)}, perBucket{0, kvRows(-1, -1, 5)}),
		putKV("acks 0", "two", 0, "", perBucket{1, kvRows(-1, -1, 6)}), putKV("unknown bucket", "two", 1, "", perBucket{9, kvRows(-1, -1, 6)}, perBucket{1, kvRows(-1, -1, 7)}),
		putKV("with a partition", "two", -1, "none", perBucket{0, kvRows(-1, -1, 1)}),
		putKV("writer", "two", -1, "", perBucket{0, kvRows(5, 0, 1)}), putKV("writer again", "two", -1, "", perBucket{0, kvRows(5, 0, 1)}), putKV("writer gap", "two", -1, "", perBucket{0, kvRows(5, 2, 1)}),
		putKV("nothing", "two", -1, "", perBucket{0, []byte{}}), putKV("cut", "two", -1, "", perBucket{0, kvRows(-1, -1, 1)[:20]}),
		withID("lookup in both", wire.APILookup, func(id func(string) int64) proto.Message {
			return &flusspb.LookupRequest{TableId: proto.Int64(id("two")), BucketsReq: []*flusspb.PbLookupReqForBucket{
				{BucketId: proto.Int32(0), Keys: [][]byte{{1}, {4}, {5}, {3}}}, {BucketId: proto.Int32(1), Keys: [][]byte{{3}, {6}, {7}, {3}}}}}
		}),
		withID("lookup of one bucket twice", wire.APILookup, func(id func(string) int64) proto.Message {
			return &flusspb.LookupRequest{TableId: proto.Int64(id("two")), BucketsReq: []*flusspb.PbLookupReqForBucket{
				{BucketId: proto.Int32(0), Keys: [][]byte{{1}, {4}}}, {BucketId: proto.Int32(0), Keys: [][]byte{{5}}}}}
		}),
		withID("lookup of no key", wire.APILookup, func(id func(string) int64) proto.Message {
			return &flusspb.LookupRequest{TableId: proto.Int64(id("two")), BucketsReq: []*flusspb.PbLookupReqForBucket{{BucketId: proto.Int32(0)}}}
		}),
		withID("lookup of no bucket", wire.APILookup, func(id func(string) int64) proto.Message {
			return &flusspb.LookupRequest{TableId: proto.Int64(id("two"))}
		}),
		scanAll("two", 100), scanAll("two", 1), listAll("two", 1),
		withID("insert lookup without acks", wire.APILookup, func(id func(string) int64) proto.Message {
			return &flusspb.LookupRequest{TableId: proto.Int64(id("two")), InsertIfNotExists: proto.Bool(true), BucketsReq: []*flusspb.PbLookupReqForBucket{{BucketId: proto.Int32(0), Keys: [][]byte{{1}}}}}
		}),
		withID("insert lookup with bad acks", wire.APILookup, func(id func(string) int64) proto.Message {
			return &flusspb.LookupRequest{TableId: proto.Int64(id("two")), InsertIfNotExists: proto.Bool(true), Acks: proto.Int32(5), TimeoutMs: proto.Int32(1), BucketsReq: []*flusspb.PbLookupReqForBucket{{BucketId: proto.Int32(0), Keys: [][]byte{{11}}}}}
		}),
		withID("insert lookup with bad acks, keys known", wire.APILookup, func(id func(string) int64) proto.Message {
			return &flusspb.LookupRequest{TableId: proto.Int64(id("two")), InsertIfNotExists: proto.Bool(true), Acks: proto.Int32(5), TimeoutMs: proto.Int32(1), BucketsReq: []*flusspb.PbLookupReqForBucket{{BucketId: proto.Int32(0), Keys: [][]byte{{1}}}}}
		}),
		create("pk3", tableText{cols: []string{"id INTEGER", "dt STRING"}, pk: []string{"id", "dt"}, part: []string{"dt"}}),
		createPart("pk3", false, "dt", "d1"), tabl("metadata of pk3/d1", wire.APIGetMetadata, &flusspb.MetadataRequest{PartitionsPath: []*flusspb.PbPhysicalTablePath{{DatabaseName: proto.String(testDB), TableName: proto.String("pk3"), PartitionName: proto.String("d1")}}}),
		putKV("into a partition", "pk3", -1, "d1", perBucket{0, record.AppendKVBatch(nil, record.KVHeader{SchemaID: 1, WriterID: -1, Sequence: -1, Count: 1}, record.AppendKVRecord(nil, []byte{1}, []byte{0, 1, 2, 'd', '1'}))}),
		putKV("into an unknown partition", "pk3", -1, "d9", perBucket{0, kvRows(-1, -1, 1)}), putKV("without a partition", "pk3", -1, "", perBucket{0, kvRows(-1, -1, 1)}),
	}
}
