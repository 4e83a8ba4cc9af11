package flusstest

import (
	"context"
	"crypto/rand"
	"errors"
	"net"
	"strconv"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/wire"
	"github.com/gofluss/fluss/internal/wire/flusspb"
)

const realDatabase = "fs_store"

// realTarget is a table with one bucket on a real server.
type realTarget struct {
	t      testing.TB
	coord  *wire.Conn
	tablet *wire.Conn
	path   catalog.TablePath
	id     int64
	now    *catalog.Table
	olds   map[int]*catalog.Schema
	part   *int64 // nil: not partitioned
}

func newRealTarget(t testing.TB, addresses []string, d catalog.Descriptor) *realTarget {
	t.Helper()
	r := &realTarget{t: t, olds: map[int]*catalog.Schema{}}
	first := r.dial(addresses[0])
	var meta flusspb.MetadataResponse
	r.must(first, wire.APIGetMetadata, &flusspb.MetadataRequest{}, &meta)
	r.coord = r.dial(nodeAddress(meta.GetCoordinatorServer()))
	r.must(r.coord, wire.APICreateDatabase, &flusspb.CreateDatabaseRequest{
		DatabaseName: proto.String(realDatabase), IgnoreIfExists: proto.Bool(true)}, &flusspb.CreateDatabaseResponse{})
	asked := r.dial(nodeAddress(meta.TabletServers[0]))
	var leader string
	for attempt := 0; leader == ""; attempt++ {
		if attempt == 3 {
			t.Fatal("three tables in a row got no leader")
		}
		r.create(&d)
		leader = r.leader(asked)
	}
	r.tablet = r.dial(leader)
	r.ready()
	return r
}

// create makes the table under a new name.
func (r *realTarget) create(d *catalog.Descriptor) {
	r.t.Helper()
	r.path = catalog.TablePath{Database: realDatabase, Table: strings.ToLower(rand.Text())}
	path := r.pbPath()
	r.must(r.coord, wire.APICreateTable, &flusspb.CreateTableRequest{
		TablePath: path, TableJson: catalog.EncodeDescriptor(d), IgnoreIfExists: proto.Bool(false),
	}, &flusspb.CreateTableResponse{})
	r.t.Cleanup(func() {
		r.must(r.coord, wire.APIDropTable, &flusspb.DropTableRequest{
			TablePath: path, IgnoreIfNotExists: proto.Bool(true)}, &flusspb.DropTableResponse{})
	})
	r.refresh()
	if r.now.IsPartitioned() {
		r.addPartition()
	}
}

// addPartition makes the partition "p" of a table with one partition column.
func (r *realTarget) addPartition() {
	r.t.Helper()
	spec := &flusspb.PbPartitionSpec{PartitionKeyValues: []*flusspb.PbKeyValue{{Key: &r.now.PartitionKeys[0], Value: proto.String("p")}}}
	r.must(r.coord, wire.APICreatePartition, &flusspb.CreatePartitionRequest{
		TablePath: r.pbPath(), PartitionSpec: spec, IgnoreIfNotExists: proto.Bool(false)}, &flusspb.CreatePartitionResponse{})
	var list flusspb.ListPartitionInfosResponse
	r.must(r.coord, wire.APIListPartitionInfos, &flusspb.ListPartitionInfosRequest{TablePath: r.pbPath()}, &list)
	r.part = list.PartitionsInfo[0].PartitionId
}

func nodeAddress(n *flusspb.PbServerNode) string {
	return net.JoinHostPort(n.GetHost(), strconv.Itoa(int(n.GetPort())))
}

func (r *realTarget) dial(addr string) *wire.Conn {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	c, err := wire.Dial(ctx, addr, &wire.Config{})
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { c.Close() })
	return c
}

func (r *realTarget) call(c *wire.Conn, k wire.APIKey, req, resp proto.Message) error {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	err := c.Call(ctx, k, 30*time.Second, req, resp)
	if s, ok := errors.AsType[*wire.ServerError](err); ok {
		return &storeError{s.Code, s.Message}
	}
	return err
}

func (r *realTarget) must(c *wire.Conn, k wire.APIKey, req, resp proto.Message) {
	r.t.Helper()
	if err := r.call(c, k, req, resp); err != nil {
		r.t.Fatalf("API %d: %v", k, err)
	}
}

func (r *realTarget) pbPath() *flusspb.PbTablePath {
	path := r.path
	return &flusspb.PbTablePath{DatabaseName: &path.Database, TableName: &path.Table}
}

func (r *realTarget) refresh() {
	r.t.Helper()
	var info flusspb.GetTableInfoResponse
	r.must(r.coord, wire.APIGetTableInfo, &flusspb.GetTableInfoRequest{TablePath: r.pbPath()}, &info)
	d, err := catalog.DecodeDescriptor(info.GetTableJson())
	if err != nil {
		r.t.Fatal(err)
	}
	d.Schema.ID = int(info.GetSchemaId())
	r.id = info.GetTableId()
	if r.now, err = catalog.NewTable(r.path, r.id, d); err != nil {
		r.t.Fatal(err)
	}
	r.olds[d.Schema.ID] = d.Schema
}

// within asks again and again, for so long, until f says yes.
func within(limit time.Duration, f func() bool) bool {
	for end := time.Now().Add(limit); !f(); {
		if time.Now().After(end) {
			return false
		}
		time.Sleep(20 * time.Millisecond) // the server tells nothing by itself
	}
	return true
}

func (r *realTarget) eventually(what string, f func() bool) {
	r.t.Helper()
	if !within(20*time.Second, f) {
		r.t.Fatalf("%s: not within 20 seconds", what)
	}
}

// leader returns the address of the bucket's leader, or nothing. Of some hundred tables made in a row, one never gets a
// leader: it is better to make another than to wait.
func (r *realTarget) leader(c *wire.Conn) (addr string) {
	req := &flusspb.MetadataRequest{TablePath: []*flusspb.PbTablePath{r.pbPath()}}
	if r.part != nil {
		req.PartitionsId = []int64{*r.part}
	}
	within(10*time.Second, func() bool {
		var m flusspb.MetadataResponse
		if r.call(c, wire.APIGetMetadata, req, &m) != nil {
			return false
		}
		var buckets []*flusspb.PbBucketMetadata
		for _, tm := range m.TableMetadata {
			buckets = append(buckets, tm.BucketMetadata...)
		}
		for _, pm := range m.PartitionMetadata {
			buckets = append(buckets, pm.BucketMetadata...)
		}
		for _, bm := range buckets {
			for _, s := range m.TabletServers {
				if bm.LeaderId != nil && s.GetNodeId() == bm.GetLeaderId() {
					addr = nodeAddress(s)
				}
			}
		}
		return addr != ""
	})
	return addr
}

// ready waits until the server acts as the leader. LIST_OFFSETS would not tell: any replica answers it.
func (r *realTarget) ready() {
	r.eventually("bucket", func() bool {
		_, err := r.limitScan(0)
		return err == nil
	})
}

func (r *realTarget) table() *catalog.Table { return r.now }

func (r *realTarget) schema(id int) *catalog.Schema { return r.olds[id] }

func (r *realTarget) addColumn(c catalog.Column) {
	r.t.Helper()
	r.must(r.coord, wire.APIAlterTable, &flusspb.AlterTableRequest{
		TablePath: r.pbPath(), IgnoreIfNotExists: proto.Bool(false),
		AddColumns: []*flusspb.PbAddColumn{{
			ColumnName: &c.Name, DataTypeJson: catalog.EncodeType(&c.Type), ColumnPositionType: proto.Int32(0)}},
	}, &flusspb.AlterTableResponse{})
	r.refresh()
	if r.now.IsKeyTable() {
		r.eventually("schema", func() bool { // a bad target is refused after the schema id was looked at
			_, err := r.put(kvBatch(r.now.Schema.ID, -1, -1, 0, nil), []int32{-1}, false)
			return code(r.t, err) != wire.CodeSchemaNotExist
		})
	}
}

func entryError(code *int32, message *string) error {
	if code == nil || *code == 0 {
		return nil
	}
	text := ""
	if message != nil {
		text, _, _ = strings.Cut(*message, "\n")
	}
	return &storeError{wire.ErrorCode(*code), text}
}

func (r *realTarget) put(batch []byte, target []int32, overwrite bool) (int64, error) {
	var mode int32
	if overwrite {
		mode = 1
	}
	var resp flusspb.PutKvResponse
	err := r.call(r.tablet, wire.APIPutKV, &flusspb.PutKvRequest{
		Acks: proto.Int32(-1), TableId: &r.id, TimeoutMs: proto.Int32(10000), TargetColumns: target, AggMode: &mode,
		BucketsReq: []*flusspb.PbPutKvReqForBucket{{PartitionId: r.part, BucketId: proto.Int32(0), Records: batch}},
	}, &resp)
	if err != nil {
		return 0, err
	}
	b := resp.BucketsResp[0]
	return b.GetLogEndOffset(), entryError(b.ErrorCode, b.ErrorMessage)
}

func (r *realTarget) produce(records []byte) (int64, error) {
	if records == nil {
		records = []byte{} // the field is required
	}
	var resp flusspb.ProduceLogResponse
	err := r.call(r.tablet, wire.APIProduceLog, &flusspb.ProduceLogRequest{
		Acks: proto.Int32(-1), TableId: &r.id, TimeoutMs: proto.Int32(10000),
		BucketsReq: []*flusspb.PbProduceLogReqForBucket{{PartitionId: r.part, BucketId: proto.Int32(0), Records: records}},
	}, &resp)
	if err != nil {
		return 0, err
	}
	b := resp.BucketsResp[0]
	return b.GetBaseOffset(), entryError(b.ErrorCode, b.ErrorMessage)
}

func (r *realTarget) lookup(keys [][]byte) ([][]byte, error) { return r.lookupOr(keys, false) }
func (r *realTarget) insert(keys [][]byte) ([][]byte, error) { return r.lookupOr(keys, true) }

func (r *realTarget) lookupOr(keys [][]byte, insert bool) ([][]byte, error) {
	req := &flusspb.LookupRequest{
		TableId: &r.id, BucketsReq: []*flusspb.PbLookupReqForBucket{{PartitionId: r.part, BucketId: proto.Int32(0), Keys: keys}}}
	if insert {
		req.InsertIfNotExists, req.Acks, req.TimeoutMs = &insert, proto.Int32(-1), proto.Int32(10000)
	}
	var resp flusspb.LookupResponse
	if err := r.call(r.tablet, wire.APILookup, req, &resp); err != nil {
		return nil, err
	}
	b := resp.BucketsResp[0]
	var values [][]byte
	for _, v := range b.Values {
		values = append(values, v.Values)
	}
	return values, entryError(b.ErrorCode, b.ErrorMessage)
}

func (r *realTarget) prefix(key []byte) ([][]byte, error) {
	var resp flusspb.PrefixLookupResponse
	err := r.call(r.tablet, wire.APIPrefixLookup, &flusspb.PrefixLookupRequest{
		TableId: &r.id, BucketsReq: []*flusspb.PbPrefixLookupReqForBucket{{PartitionId: r.part, BucketId: proto.Int32(0), Keys: [][]byte{key}}},
	}, &resp)
	if err != nil {
		return nil, err
	}
	b := resp.BucketsResp[0]
	if err := entryError(b.ErrorCode, b.ErrorMessage); err != nil {
		return nil, err
	}
	return b.ValueLists[0].Values, nil
}

func (r *realTarget) limitScan(limit int) ([]byte, error) {
	var resp flusspb.LimitScanResponse
	err := r.call(r.tablet, wire.APILimitScan, &flusspb.LimitScanRequest{
		TableId: &r.id, PartitionId: r.part, BucketId: proto.Int32(0), Limit: proto.Int32(int32(limit))}, &resp)
	if err != nil {
		return nil, err
	}
	return resp.Records, entryError(resp.ErrorCode, resp.ErrorMessage)
}

func (r *realTarget) fetch(offset int64, maxBytes int, projection []int32) ([]byte, int64, error) {
	var resp flusspb.FetchLogResponse
	err := r.call(r.tablet, wire.APIFetchLog, &flusspb.FetchLogRequest{
		FollowerServerId: proto.Int32(-1), MaxBytes: proto.Int32(int32(maxBytes)),
		TablesReq: []*flusspb.PbFetchLogReqForTable{{
			TableId: &r.id, ProjectionPushdownEnabled: proto.Bool(projection != nil), ProjectedFields: projection,
			BucketsReq: []*flusspb.PbFetchLogReqForBucket{{
				PartitionId: r.part, BucketId: proto.Int32(0), FetchOffset: &offset, MaxFetchBytes: proto.Int32(int32(maxBytes))}},
		}},
	}, &resp)
	if err != nil {
		return nil, 0, err
	}
	b := resp.TablesResp[0].BucketsResp[0]
	return b.Records, b.GetHighWatermark(), entryError(b.ErrorCode, b.ErrorMessage)
}

func (r *realTarget) offset(kind int32, millis int64) (int64, error) {
	req := &flusspb.ListOffsetsRequest{
		FollowerServerId: proto.Int32(-1), OffsetType: &kind, TableId: &r.id, PartitionId: r.part, BucketId: []int32{0}}
	if kind == listTimestamp {
		req.StartTimestamp = &millis
	}
	var resp flusspb.ListOffsetsResponse
	if err := r.call(r.tablet, wire.APIListOffsets, req, &resp); err != nil {
		return 0, err
	}
	b := resp.BucketsResp[0]
	return b.GetOffset(), entryError(b.ErrorCode, b.ErrorMessage)
}

func (r *realTarget) stats() (int64, error) {
	var resp flusspb.GetTableStatsResponse
	err := r.call(r.tablet, wire.APIGetTableStats, &flusspb.GetTableStatsRequest{
		TableId: &r.id, BucketsReq: []*flusspb.PbTableStatsReqForBucket{{PartitionId: r.part, BucketId: proto.Int32(0)}}}, &resp)
	if err != nil {
		return 0, err
	}
	b := resp.BucketsResp[0]
	return b.GetRowCount(), entryError(b.ErrorCode, b.ErrorMessage)
}
