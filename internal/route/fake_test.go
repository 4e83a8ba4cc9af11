package route

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"net"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/wire"
	"github.com/gofluss/fluss/internal/wire/flusspb"
)

// fake is a cluster just good enough for the routing: real frames over in-memory pipes, so that tests run under
// synctest with its clock, where a goroutine that is left over fails the test.
type fake struct {
	t  testing.TB
	mu sync.Mutex // guards the model

	tables   map[catalog.TablePath]*fakeTable
	logs     map[catalog.Bucket][]fakeBatch
	starts   map[catalog.Bucket]int64 // first offset, when it is not 0
	boss     *fakeNode
	nodes    []*fakeNode // tablet servers, by id
	parallel bool        // requests of a connection are handled at the same time, as a server does
	hook     func(n *fakeNode, r wire.Request) *fakeReply
	took     map[catalog.Bucket]int64 // where the log ended when its leader took over
	lag      map[catalog.Bucket]int64 // how far the high watermark is behind the end
	slow     time.Duration            // what tablet servers need to delete a table
	seen     []fakeSeen
	dials    int
}

type fakeTable struct {
	id      int64
	schema  int32
	desc    catalog.Descriptor
	leaders []int32 // by bucket; -1: none
	epoch   int32
	parts   map[int64]string // partitions by id; nil: not partitioned
}

type fakeNode struct {
	id     int32
	addr   string
	kind   int
	down   bool // dials are refused
	frozen bool // dials hang, nothing is answered
	stuck  int  // so many dials hang
	left   bool // not in the list of servers
	late   bool // does not know that it leads
	conns  []net.Conn
	mute   []net.Conn // of conns: these are not answered any more
}

type fakeSeen struct {
	node *fakeNode
	at   time.Time
	wire.Request
}

// fakeReply is what a hook answers instead of the fake; nil lets the fake answer.
type fakeReply struct {
	silent bool
	hangUp bool
	kind   wire.ResponseType
	body   []byte
	code   wire.ErrorCode // not CodeNone: refuses
}

// fakeBatch is one log batch with the offsets it spans.
type fakeBatch struct {
	base, next int64
	bytes      []byte
}

func newFake(t testing.TB, tablets int) *fake {
	f := &fake{
		t: t, tables: map[catalog.TablePath]*fakeTable{}, logs: map[catalog.Bucket][]fakeBatch{},
		starts: map[catalog.Bucket]int64{},
	}
	f.boss = &fakeNode{id: 0, addr: "boss:1", kind: wire.CoordinatorServer}
	for i := range tablets {
		f.nodes = append(f.nodes, &fakeNode{id: int32(i), addr: fmt.Sprintf("tablet%d:1", i), kind: wire.TabletServer})
	}
	return f
}

// client returns a client of the fake, closed at the end of the bubble.
func (f *fake) client(change func(*Config), addresses ...string) *Client {
	if len(addresses) == 0 {
		addresses = []string{f.nodes[0].addr}
	}
	cfg := Config{Addresses: addresses, Wire: wire.Config{Dial: f.dial}}
	if change != nil {
		change(&cfg)
	}
	return New(cfg)
}

func (f *fake) dial(ctx context.Context, _, addr string) (net.Conn, error) {
	f.mu.Lock()
	f.dials++
	var n *fakeNode
	for _, one := range append([]*fakeNode{f.boss}, f.nodes...) {
		if one.addr == addr {
			n = one
		}
	}
	if n == nil || n.down {
		f.mu.Unlock()
		return nil, errors.New("connection refused")
	}
	if n.stuck > 0 || n.frozen {
		n.stuck--
		f.mu.Unlock()
		<-ctx.Done()
		return nil, ctx.Err()
	}
	client, server := net.Pipe()
	n.conns = append(n.conns, server)
	f.mu.Unlock()
	go f.serve(n, server) // ends when either side closes
	return client, nil
}

func (f *fake) serve(n *fakeNode, conn net.Conn) {
	defer conn.Close()
	var writing sync.Mutex
	for {
		r, err := wire.ReadRequest(conn, 0)
		if err != nil {
			return
		}
		f.mu.Lock()
		hook, frozen, parallel := f.hook, n.frozen || slices.Contains(n.mute, conn), f.parallel
		f.seen = append(f.seen, fakeSeen{n, time.Now(), r})
		f.mu.Unlock()
		switch {
		case frozen:
		case parallel:
			go f.reply(n, conn, &writing, hook, r) // ends with its answer
		case !f.reply(n, conn, &writing, hook, r):
			return
		}
	}
}

// reply answers one request. It reports false when the connection is to be closed.
func (f *fake) reply(n *fakeNode, conn net.Conn, writing *sync.Mutex, hook func(*fakeNode, wire.Request) *fakeReply, r wire.Request) bool {
	var reply *fakeReply
	if hook != nil && r.API != wire.APIVersions {
		reply = hook(n, r)
	}
	if reply == nil {
		f.mu.Lock()
		reply = f.answer(n, r)
		f.mu.Unlock()
	}
	switch {
	case reply.hangUp:
		return false
	case reply.silent:
		return true
	case reply.code != wire.CodeNone:
		code := int32(reply.code)
		reply.kind, reply.body = wire.ResponseError, message(&flusspb.ErrorResponse{ErrorCode: &code})
	}
	writing.Lock()
	defer writing.Unlock()
	_, err := conn.Write(wire.AppendResponse(nil, reply.kind, r.ID, reply.body))
	return err == nil
}

// cut closes every connection to a node.
func (f *fake) cut(n *fakeNode) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, conn := range n.conns {
		conn.Close()
	}
	n.conns = nil
}

// count is how many requests of that kind came, to any server.
func (f *fake) count(key wire.APIKey) (n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, s := range f.seen {
		if s.API == key {
			n++
		}
	}
	return n
}

func (f *fake) set(change func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change()
}

// create adds a key table with a BIGINT key and a STRING value, led by tablet server 0.
func (f *fake) create(name string, id int64, buckets int) catalog.TablePath {
	path := catalog.TablePath{Database: "demo", Table: name}
	s := &catalog.Schema{ID: 1, PrimaryKey: []string{"k"}, Columns: []catalog.Column{
		{Name: "k", Type: catalog.Type{Kind: catalog.BigInt, NotNull: true}},
		{Name: "v", Type: catalog.Type{Kind: catalog.String}},
	}}
	s.AssignIDs()
	f.set(func() {
		f.tables[path] = &fakeTable{
			id: id, schema: 1, leaders: make([]int32, buckets),
			desc: catalog.Descriptor{Schema: s, BucketKeys: []string{"k"}, BucketCount: buckets},
		}
	})
	return path
}

func (f *fake) lead(path catalog.TablePath, server int32) {
	f.set(func() {
		f.tables[path].epoch++
		for i := range f.tables[path].leaders {
			f.tables[path].leaders[i] = server
		}
	})
}

func message(m proto.Message) []byte {
	b, err := proto.Marshal(m)
	if err != nil {
		panic(err)
	}
	return b
}

func success(m proto.Message) *fakeReply { return &fakeReply{body: message(m)} }

func read[M proto.Message](f *fake, m M, body []byte) M {
	if err := proto.Unmarshal(body, m); err != nil {
		f.t.Errorf("request: %v", err)
	}
	return m
}

func (f *fake) answer(n *fakeNode, r wire.Request) *fakeReply {
	switch r.API {
	case wire.APIVersions:
		resp := &flusspb.ApiVersionsResponse{ServerType: proto.Int32(int32(n.kind))}
		for _, k := range wire.APIKeys() {
			if k.ServedBy(n.kind) {
				v, _ := k.MaxVersion()
				resp.ApiVersions = append(resp.ApiVersions, &flusspb.PbApiVersion{
					ApiKey: proto.Int32(int32(k)), MinVersion: proto.Int32(0), MaxVersion: proto.Int32(int32(v)),
				})
			}
		}
		return success(resp)
	case wire.APIGetTableInfo:
		path := catalogPath(read(f, &flusspb.GetTableInfoRequest{}, r.Body).TablePath)
		t := f.tables[path]
		if t == nil {
			return &fakeReply{code: wire.CodeTableNotExist}
		}
		return success(&flusspb.GetTableInfoResponse{
			TableId: &t.id, SchemaId: &t.schema, TableJson: catalog.EncodeDescriptor(&t.desc),
			CreatedTime: proto.Int64(1), ModifiedTime: proto.Int64(1),
		})
	case wire.APIGetMetadata:
		return f.metadata(read(f, &flusspb.MetadataRequest{}, r.Body))
	case wire.APIListPartitionInfos:
		return f.list(read(f, &flusspb.ListPartitionInfosRequest{}, r.Body))
	case wire.APILookup:
		return f.lookup(n, read(f, &flusspb.LookupRequest{}, r.Body))
	case wire.APIFetchLog:
		return f.fetch(n, read(f, &flusspb.FetchLogRequest{}, r.Body))
	case wire.APIListOffsets:
		return f.offsets(n, read(f, &flusspb.ListOffsetsRequest{}, r.Body))
	case wire.APICreateDatabase:
		return success(&flusspb.CreateDatabaseResponse{})
	case wire.APIListTables:
		resp := &flusspb.ListTablesResponse{}
		for path := range f.tables {
			resp.TableName = append(resp.TableName, path.Table)
		}
		return success(resp)
	case wire.APICreateTable:
		return success(&flusspb.CreateTableResponse{})
	case wire.APIDropTable:
		path := catalogPath(read(f, &flusspb.DropTableRequest{}, r.Body).TablePath)
		time.AfterFunc(f.slow, func() { f.set(func() { delete(f.tables, path) }) })
		return success(&flusspb.DropTableResponse{})
	case wire.APIDropDatabase:
		time.AfterFunc(f.slow, func() { f.set(func() { clear(f.tables) }) })
		return success(&flusspb.DropDatabaseResponse{})
	}
	return &fakeReply{silent: true}
}

func (f *fake) metadata(req *flusspb.MetadataRequest) *fakeReply {
	node := func(n *fakeNode) *flusspb.PbServerNode {
		host, _, _ := net.SplitHostPort(n.addr)
		return &flusspb.PbServerNode{NodeId: &n.id, Host: &host, Port: proto.Int32(1)}
	}
	resp := &flusspb.MetadataResponse{CoordinatorServer: node(f.boss)}
	for _, n := range f.nodes {
		if n.left {
			continue
		}
		resp.TabletServers = append(resp.TabletServers, node(n))
	}
	for _, p := range req.TablePath {
		t := f.tables[catalogPath(p)]
		if t == nil {
			return &fakeReply{code: wire.CodeUnknownServerError}
		}
		m := &flusspb.PbTableMetadata{
			TablePath: p, TableId: &t.id, SchemaId: &t.schema, TableJson: []byte("{}"),
			CreatedTime: proto.Int64(1), ModifiedTime: proto.Int64(1),
		}
		if t.parts == nil {
			m.BucketMetadata = t.buckets()
		}
		resp.TableMetadata = append(resp.TableMetadata, m)
		for _, id := range req.PartitionsId {
			name, ok := t.parts[id]
			if !ok {
				return &fakeReply{code: wire.CodePartitionNotExists}
			}
			resp.PartitionMetadata = append(resp.PartitionMetadata, &flusspb.PbPartitionMetadata{
				TableId: &t.id, PartitionName: &name, PartitionId: &id, BucketMetadata: t.buckets(),
			})
		}
	}
	return success(resp)
}

func (t *fakeTable) buckets() (list []*flusspb.PbBucketMetadata) {
	for i, l := range t.leaders {
		b := &flusspb.PbBucketMetadata{BucketId: proto.Int32(int32(i)), LeaderEpoch: proto.Int32(t.epoch)}
		if l >= 0 {
			b.LeaderId = proto.Int32(l)
		}
		list = append(list, b)
	}
	return list
}

func (f *fake) list(req *flusspb.ListPartitionInfosRequest) *fakeReply {
	resp := &flusspb.ListPartitionInfosResponse{}
	for id, name := range f.tables[catalogPath(req.TablePath)].parts {
		resp.PartitionsInfo = append(resp.PartitionsInfo, &flusspb.PbPartitionInfo{
			PartitionId: &id, PartitionSpec: &flusspb.PbPartitionSpec{
				PartitionKeyValues: []*flusspb.PbKeyValue{{Key: proto.String("p"), Value: &name}},
			},
		})
	}
	return success(resp)
}

// check is the code that a request for a bucket gets.
func (f *fake) check(n *fakeNode, table int64, partition *int64, bucket int32) *int32 {
	code := int32(wire.CodeUnknownTableOrBucket)
	for _, t := range f.tables {
		if partition == nil != (t.parts == nil) || partition != nil && t.parts[*partition] == "" {
			continue
		}
		if t.id == table && int(bucket) < len(t.leaders) {
			if t.leaders[bucket] == n.id && !n.late {
				return nil
			}
			code = int32(wire.CodeNotLeaderOrFollower)
		}
	}
	return &code
}

// lookup finds "v" + key for every key but those that begin with 'x'.
func (f *fake) lookup(n *fakeNode, req *flusspb.LookupRequest) *fakeReply {
	resp := &flusspb.LookupResponse{}
	for _, b := range req.BucketsReq {
		r := &flusspb.PbLookupRespForBucket{PartitionId: b.PartitionId, BucketId: b.BucketId}
		if r.ErrorCode = f.check(n, req.GetTableId(), b.PartitionId, b.GetBucketId()); r.ErrorCode == nil {
			for _, k := range b.Keys {
				v := &flusspb.PbValue{}
				if k[0] != 'x' {
					v.Values = append([]byte("v"), k...)
				}
				r.Values = append(r.Values, v)
			}
		}
		resp.BucketsResp = append(resp.BucketsResp, r)
	}
	slices.Reverse(resp.BucketsResp) // in no particular order
	return success(resp)
}

// fetch answers as the real server: from the batch that holds the offset on, cut at the limits without regard to
// batches, but for the first batch of the answer.
func (f *fake) fetch(n *fakeNode, req *flusspb.FetchLogRequest) *fakeReply {
	t := req.TablesReq[0]
	out := &flusspb.PbFetchLogRespForTable{TableId: t.TableId}
	left, first := int(req.GetMaxBytes()), true
	for _, b := range t.BucketsReq {
		r := &flusspb.PbFetchLogRespForBucket{PartitionId: b.PartitionId, BucketId: b.BucketId}
		out.BucketsResp = append(out.BucketsResp, r)
		if r.ErrorCode = f.check(n, t.GetTableId(), b.PartitionId, b.GetBucketId()); r.ErrorCode != nil {
			continue
		}
		at := catalog.Bucket{TableID: t.GetTableId(), PartitionID: catalog.NoPartition, ID: b.GetBucketId()}
		log, end := f.logs[at], f.end(at)
		r.HighWatermark = &end
		if b.GetFetchOffset() < f.starts[at] || b.GetFetchOffset() > end {
			r.ErrorCode = proto.Int32(int32(wire.CodeLogOffsetOutOfRange))
			continue
		}
		limit := min(left, int(b.GetMaxFetchBytes()))
		var records []byte
		for _, batch := range log {
			if batch.next <= b.GetFetchOffset() || len(records) >= limit && !first {
				continue
			}
			records = append(records, batch.bytes...)
			if first {
				limit, first = max(limit, len(records)), false
			}
		}
		r.Records = records[:min(limit, len(records))]
		left -= len(r.Records)
	}
	return success(&flusspb.FetchLogResponse{TablesResp: []*flusspb.PbFetchLogRespForTable{out}})
}

func (f *fake) end(b catalog.Bucket) int64 {
	if log := f.logs[b]; len(log) > 0 {
		return log[len(log)-1].next
	}
	return 0
}

func (f *fake) offsets(n *fakeNode, req *flusspb.ListOffsetsRequest) *fakeReply {
	resp := &flusspb.ListOffsetsResponse{}
	for _, id := range req.BucketId {
		r := &flusspb.PbListOffsetsRespForBucket{BucketId: proto.Int32(id)}
		at := catalog.Bucket{TableID: req.GetTableId(), PartitionID: catalog.NoPartition, ID: id}
		if r.ErrorCode = f.check(n, req.GetTableId(), req.PartitionId, id); r.ErrorCode == nil {
			r.Offset = proto.Int64(f.starts[at])
			switch req.GetOffsetType() {
			case latestOffset:
				r.Offset = proto.Int64(f.end(at) - f.lag[at])
			case takeoverOffset:
				r.Offset = proto.Int64(f.took[at])
			}
		}
		resp.BucketsResp = append(resp.BucketsResp, r)
	}
	return success(resp)
}

// logBatch makes a batch of count records (0: an empty one that takes one offset) with a payload of n bytes.
func logBatch(base int64, count, n int, schema int16) fakeBatch {
	delta := max(count-1, 0)
	b := make([]byte, 48+n)
	le := binary.LittleEndian
	le.PutUint64(b, uint64(base))
	le.PutUint32(b[8:], uint32(len(b)-12))
	le.PutUint16(b[25:], uint16(schema))
	b[27] = 1
	le.PutUint32(b[28:], uint32(delta))
	le.PutUint64(b[32:], ^uint64(0))
	le.PutUint32(b[40:], ^uint32(0))
	le.PutUint32(b[44:], uint32(count))
	for i := 0; i < n; i += 997 {
		b[48+i] = byte(base + int64(i))
	}
	le.PutUint32(b[21:], crc32.Checksum(b[25:], crc32.MakeTable(crc32.Castagnoli)))
	return fakeBatch{base: base, next: base + int64(delta) + 1, bytes: b}
}

// run is a test in a bubble: at its end every goroutine of client and fake must be gone.
func run(t *testing.T, tablets int, test func(t *testing.T, f *fake)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		f := newFake(t, tablets)
		test(t, f)
	})
}

func mustTable(t *testing.T, c *Client, path catalog.TablePath) *catalog.Table {
	t.Helper()
	table, err := c.Table(t.Context(), path)
	if err != nil {
		t.Fatalf("Table(%s): %v", path, err)
	}
	return table
}

func bucketOf(t *catalog.Table, id int32) catalog.Bucket {
	return catalog.Bucket{TableID: t.ID, PartitionID: catalog.NoPartition, ID: id}
}
