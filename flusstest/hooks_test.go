package flusstest

import (
	"errors"
	"slices"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss/internal/record"
	"github.com/gofluss/fluss/internal/wire"
	"github.com/gofluss/fluss/internal/wire/flusspb"
)

// kvTable is a key table of one bucket with a connection to its tablet server.
type kvTable struct {
	*rawConn
	srv *Server
	id  int64
	seq int32
}

func newKVTable(t testing.TB, srv *Server) *kvTable {
	t.Helper()
	id := makeTable(t, srv, "fluss.kv", kv)
	return &kvTable{rawConn: dialRaw(t, srv, srv.Addresses()[1]), srv: srv, id: id}
}

// putRequest upserts (key, "v", NULL) with the next sequence of writer 1.
func (k *kvTable) putRequest(key byte) *flusspb.PutKvRequest {
	records := record.AppendKVRecord(nil, []byte{key}, []byte{4, key, 1, 'v'})
	batch := record.AppendKVBatch(nil, record.KVHeader{SchemaID: 1, WriterID: 1, Sequence: k.seq, Count: 1}, records)
	k.seq++
	return &flusspb.PutKvRequest{Acks: proto.Int32(-1), TableId: &k.id, TimeoutMs: proto.Int32(1000),
		BucketsReq: []*flusspb.PbPutKvReqForBucket{{BucketId: proto.Int32(0), Records: batch}}}
}

func (k *kvTable) put(key byte) (wire.ErrorCode, int64) {
	k.t.Helper()
	e := k.must(wire.APIPutKV, k.putRequest(key)).(*flusspb.PutKvResponse).BucketsResp[0]
	return wire.ErrorCode(e.GetErrorCode()), e.GetLogEndOffset()
}

func (k *kvTable) lookupRequest(key byte) *flusspb.LookupRequest {
	return &flusspb.LookupRequest{TableId: &k.id, BucketsReq: []*flusspb.PbLookupReqForBucket{{BucketId: proto.Int32(0), Keys: [][]byte{{key}}}}}
}

// has says whether a key is there, and with which code the bucket answers.
func (k *kvTable) has(key byte) (bool, wire.ErrorCode) {
	k.t.Helper()
	e := k.must(wire.APILookup, k.lookupRequest(key)).(*flusspb.LookupResponse).BucketsResp[0]
	return len(e.Values) == 1 && e.Values[0].Values != nil, wire.ErrorCode(e.GetErrorCode())
}

func (k *kvTable) want(key byte, there bool) {
	k.t.Helper()
	if got, code := k.has(key); got != there || code != 0 {
		k.t.Errorf("key %d: there %v, code %d, want %v", key, got, code, there)
	}
}

func TestHookSeesRequests(t *testing.T) {
	srv := Run(t, InMemory(), TabletServers(1))
	k := newKVTable(t, srv)
	var mu sync.Mutex
	var seen []Request
	var table string
	var buckets []Bucket
	remove := srv.Hook(func(r *Request) Action {
		mu.Lock()
		defer mu.Unlock()
		seen, table, buckets = append(seen, *r), r.Table(), r.Buckets()
		return Action{}
	})
	k.put(1)
	mu.Lock()
	if len(seen) != 1 || seen[0].API != PutKV || seen[0].API.String() != "PUT_KV" || seen[0].Server != 0 || seen[0].ID != 77 {
		t.Errorf("seen %+v", seen)
	}
	if table != "fluss.kv" || !slices.Equal(buckets, []Bucket{{k.id, -1, 0}}) {
		t.Errorf("table %q, buckets %v", table, buckets)
	}
	mu.Unlock()
	remove()
	k.want(1, true)
	if len(seen) != 1 {
		t.Error("asked after it was removed")
	}
}

func TestHooksNewestFirst(t *testing.T) {
	srv := Run(t, InMemory())
	k := newKVTable(t, srv)
	defer srv.Hook(Every(Lookup, Refuse(12)))()
	remove := srv.Hook(First(1, Lookup, Refuse(44)))
	for i, want := range []wire.ErrorCode{44, 12, 12} {
		if _, code := k.has(1); code != want {
			t.Errorf("lookup %d: code %d, want %d", i, code, want)
		}
	}
	remove()
	if _, code := k.has(1); code != 12 {
		t.Errorf("code %d", code)
	}
}

// TestActions tells each action by what becomes of a put of key 1 and by the answer.
func TestActions(t *testing.T) {
	tests := []struct {
		name   string
		action Action
		done   bool // the put was performed
		check  func(k *kvTable)
	}{
		{"drop", Drop(), false, nil},
		{"lose", Lose(), true, nil},
		{"refuse", Refuse(25), false, func(k *kvTable) { k.wantCode(25) }},
		{"refuse and perform", Action{Code: 25, Message: "too late"}, true, func(k *kvTable) { k.wantCode(25) }},
		{"answer", Action{Skip: true, Answer: []byte{}}, false, func(k *kvTable) {
			if r := k.read(); len(r.Body) != 0 {
				k.t.Errorf("body % x", r.Body)
			}
		}},
		{"delay", Action{Delay: time.Millisecond}, true, func(k *kvTable) { k.wantCode(0) }},
		{"twice", Action{Twice: true}, true, func(k *kvTable) { k.wantCode(0) }},
		{"corrupt", Corrupt(-1), true, func(k *kvTable) {
			if r := k.read(); r.Body[len(r.Body)-1] != 0xfe {
				k.t.Errorf("body % x, want a last byte of 01 inverted", r.Body)
			}
		}},
		{"hang up", Hangup(), false, func(k *kvTable) { k.ends() }},
		{"reset", Action{Silent: true, Reset: true}, true, func(k *kvTable) { k.ends() }},
		{"cut", Cut(6), true, func(k *kvTable) {
			b := make([]byte, 6)
			if _, err := k.r.Read(b); err != nil {
				k.t.Error(err)
			}
			k.ends()
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			srv := Run(t, InMemory())
			k := newKVTable(t, srv)
			srv.Hook(First(1, PutKV, tt.action))
			k.send(wire.APIPutKV, 1, k.putRequest(1))
			if tt.check != nil {
				tt.check(k)
			}
			again := &kvTable{rawConn: dialRaw(t, srv, srv.Addresses()[1]), srv: srv, id: k.id}
			if tt.check == nil { // the next answer is the next request's
				again = k
			}
			again.want(1, tt.done)
		})
	}
}

// TestHalfClose: the client reads the answer and the end behind it; what it sends then is still performed.
func TestHalfClose(t *testing.T) {
	for name, opts := range map[string][]Option{"memory": {InMemory()}, "tcp": nil} {
		t.Run(name, func(t *testing.T) {
			srv := Run(t, opts...)
			k := newKVTable(t, srv)
			srv.Hook(First(1, PutKV, Action{HalfClose: true}))
			k.send(wire.APIPutKV, 1, k.putRequest(1))
			k.wantCode(0)
			k.ends()
			k.send(wire.APIPutKV, 2, k.putRequest(2))
			for end := time.Now().Add(20 * time.Second); srv.LogEnd("fluss.kv", 0) != 2; time.Sleep(time.Millisecond) { // a poll: no answer tells
				if time.Now().After(end) {
					t.Fatal("the request was not performed")
				}
			}
		})
	}
}

// TestReset: over TCP the client reads an error, not the end.
func TestReset(t *testing.T) {
	srv := Run(t)
	k := newKVTable(t, srv)
	srv.Hook(First(1, PutKV, Action{Silent: true, Reset: true}))
	k.send(wire.APIPutKV, 1, k.putRequest(1))
	if _, err := k.r.ReadByte(); !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("got %v, want a reset", err)
	}
}

func (k *kvTable) wantCode(want wire.ErrorCode) {
	k.t.Helper()
	m, _ := open(k.t, wire.APIPutKV, k.read())
	e := m.(*flusspb.PutKvResponse).BucketsResp[0]
	if got := wire.ErrorCode(e.GetErrorCode()); got != want {
		k.t.Errorf("code %d, want %d: %v", got, want, m)
	}
}

func TestReorder(t *testing.T) {
	srv := Run(t, InMemory())
	k := newKVTable(t, srv)
	defer srv.Hook(First(1, PutKV, Action{Reorder: true}))()
	for id := range int32(3) {
		k.send(wire.APIPutKV, id, k.putRequest(byte(id)))
	}
	var order []int32
	for range 3 {
		order = append(order, k.read().ID)
	}
	if !slices.Equal(order, []int32{1, 0, 2}) {
		t.Errorf("order %v", order)
	}
}

func TestWait(t *testing.T) {
	srv := Run(t, InMemory())
	k := newKVTable(t, srv)
	gate, seen := make(chan struct{}), make(chan struct{}, 1)
	defer srv.Hook(func(r *Request) Action {
		if r.API != PutKV {
			return Action{}
		}
		seen <- struct{}{}
		return Action{Wait: gate}
	})()
	k.send(wire.APIPutKV, 1, k.putRequest(1))
	<-seen
	other := &kvTable{rawConn: dialRaw(t, srv, srv.Addresses()[1]), srv: srv, id: k.id}
	other.want(1, false)
	close(gate)
	k.wantCode(0)
	other.want(1, true)
}

// TestRefusals: a refusal comes where each API has it, and parses.
func TestRefusals(t *testing.T) {
	srv := Run(t, InMemory())
	k := newKVTable(t, srv)
	b0, p := proto.Int32(0), proto.Int64(5)
	tests := []struct {
		key wire.APIKey
		q   proto.Message
	}{
		{wire.APIProduceLog, &flusspb.ProduceLogRequest{Acks: proto.Int32(1), TableId: &k.id, TimeoutMs: b0, BucketsReq: []*flusspb.PbProduceLogReqForBucket{{PartitionId: p, BucketId: b0, Records: []byte{}}}}},
		{wire.APIPutKV, &flusspb.PutKvRequest{Acks: proto.Int32(1), TableId: &k.id, TimeoutMs: b0, BucketsReq: []*flusspb.PbPutKvReqForBucket{{PartitionId: p, BucketId: b0, Records: []byte{}}}}},
		{wire.APILookup, &flusspb.LookupRequest{TableId: &k.id, BucketsReq: []*flusspb.PbLookupReqForBucket{{PartitionId: p, BucketId: b0}}}},
		{wire.APIPrefixLookup, &flusspb.PrefixLookupRequest{TableId: &k.id, BucketsReq: []*flusspb.PbPrefixLookupReqForBucket{{PartitionId: p, BucketId: b0}}}},
		{wire.APIFetchLog, &flusspb.FetchLogRequest{FollowerServerId: b0, MaxBytes: b0, TablesReq: []*flusspb.PbFetchLogReqForTable{{TableId: &k.id, ProjectionPushdownEnabled: proto.Bool(false), BucketsReq: []*flusspb.PbFetchLogReqForBucket{{PartitionId: p, BucketId: b0, FetchOffset: proto.Int64(0), MaxFetchBytes: b0}}}}}},
		{wire.APIListOffsets, &flusspb.ListOffsetsRequest{FollowerServerId: b0, OffsetType: b0, TableId: &k.id, PartitionId: p, BucketId: []int32{0}}},
		{wire.APIGetTableStats, &flusspb.GetTableStatsRequest{TableId: &k.id, BucketsReq: []*flusspb.PbTableStatsReqForBucket{{PartitionId: p, BucketId: b0}}}},
		{wire.APILimitScan, &flusspb.LimitScanRequest{TableId: &k.id, PartitionId: p, BucketId: b0, Limit: b0}},
		{wire.APIGetTableInfo, &flusspb.GetTableInfoRequest{TablePath: pathOf("fluss.kv")}},
	}
	for _, tt := range tests {
		remove := srv.Hook(Every(API(tt.key), Action{Skip: true, Code: 44, Message: "none"}))
		faked, code := k.call(tt.key, tt.q)
		remove()
		real, _ := k.call(tt.key, tt.q) // of an unknown partition: code 21 in the same place
		if code != 0 {
			continue
		}
		if got, want := mask(t, tt.key, faked), mask(t, tt.key, real); got != want {
			t.Errorf("%s:\n got %s\nwant %s", tt.key, got, want)
		}
	}
}

// mask is a message as text without codes and texts of errors.
func mask(t *testing.T, key wire.APIKey, m proto.Message) string {
	body, err := proto.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return codes.ReplaceAllString(tell(t, key, wire.Response{Body: body}), "")
}

func TestFaults(t *testing.T) {
	srv := Run(t, InMemory())
	k := newKVTable(t, srv)
	defer srv.Faults(1, Profile{Twice: 0.3, Delay: 0.3, Refuse: 0.3, MaxDelay: time.Millisecond, Codes: []int{44}})()
	refused := 0
	for range 200 {
		if _, code := k.has(1); code == 44 {
			refused++
		}
	}
	if refused < 30 || refused > 90 {
		t.Errorf("%d of 200 refused, want about 60", refused)
	}
}

// TestSynctest runs a server in a bubble, where a delay of an hour takes no time.
func TestSynctest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := Run(t, InMemory())
		// Without zstd, whose pooled encoders must not be used in a bubble and outside of it.
		id := makeTable(t, srv, "fluss.kv", tableText{cols: kv.cols, pk: kv.pk, props: `"table.log.arrow.compression.type":"none"`})
		k := &kvTable{rawConn: dialRaw(t, srv, srv.Addresses()[1]), srv: srv, id: id}
		defer srv.Hook(Every(PutKV, Action{Delay: time.Hour}))()
		start := time.Now()
		k.SetReadDeadline(time.Time{})
		k.send(wire.APIPutKV, 1, k.putRequest(1))
		if _, err := wire.ReadResponse(k.r, 1000); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(start); took != time.Hour {
			t.Errorf("took %v", took)
		}
	})
}

func TestLinks(t *testing.T) {
	srv := Run(t)
	addr := srv.Addresses()[1]
	list := new(flusspb.ListDatabasesRequest)

	c := dialRaw(t, srv, addr)
	c.must(wire.APIListDatabases, list)
	srv.DropConnections()
	c.ends()

	srv.RefuseConnections(true)
	if nc, err := srv.Dial(t.Context(), "tcp", addr); err == nil {
		(&rawConn{t: t, Conn: nc, r: newReader(nc)}).ends()
	}
	srv.RefuseConnections(false)

	srv.StallConnections(true)
	c = dialRaw(t, srv, addr)
	c.send(wire.APIListDatabases, 1, list)
	srv.StallConnections(false)
	c.read()

	srv.CutAfter(-1, 20)
	c = dialRaw(t, srv, addr)
	c.must(wire.APIListDatabases, list) // 9 and 7 bytes
	c.send(wire.APIListDatabases, 2, list)
	if _, err := wire.ReadResponse(c.r, 1000); err == nil {
		t.Error("an answer came after 20 bytes")
	}
	srv.CutAfter(15, -1)
	c = dialRaw(t, srv, addr)
	c.must(wire.APIListDatabases, list) // 12 bytes
	c.send(wire.APIListDatabases, 2, list)
	c.ends()
	srv.CutAfter(-1, -1)
	dialRaw(t, srv, addr).must(wire.APIListDatabases, list)
}
