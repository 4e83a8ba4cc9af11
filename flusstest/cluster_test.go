package flusstest

import (
	"runtime"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss/internal/wire"
	"github.com/gofluss/fluss/internal/wire/flusspb"
)

// metadataOf asks a server for the leader of the only bucket of a table, -1 for none, and the servers alive.
func metadataOf(t testing.TB, srv *Server, node int, table string) (leader, epoch int32, alive []int32) {
	t.Helper()
	c := dialRaw(t, srv, srv.Addresses()[node])
	m := c.must(wire.APIGetMetadata, &flusspb.MetadataRequest{TablePath: []*flusspb.PbTablePath{pathOf(table)}}).(*flusspb.MetadataResponse)
	for _, s := range m.TabletServers {
		alive = append(alive, s.GetNodeId())
	}
	b := m.TableMetadata[0].BucketMetadata[0]
	if b.LeaderId == nil {
		return -1, -1, alive
	}
	return b.GetLeaderId(), b.GetLeaderEpoch(), alive
}

func TestMoveLeader(t *testing.T) {
	srv := Run(t, InMemory(), TabletServers(3), Replicas(2))
	k := newKVTable(t, srv)
	k.put(1)
	if srv.Leader("fluss.kv", 0) != 0 {
		t.Fatalf("first leader %d", srv.Leader("fluss.kv", 0))
	}
	srv.StaleMetadata(true)
	if err := srv.MoveLeader("fluss.kv", 0, 2); err != nil {
		t.Fatal(err)
	}
	if _, code := k.has(1); code != wire.CodeNotLeaderOrFollower {
		t.Errorf("the old leader answers code %d", code)
	}
	if leader, epoch, _ := metadataOf(t, srv, 0, "fluss.kv"); leader != 0 || epoch != 0 {
		t.Errorf("stale metadata: leader %d epoch %d", leader, epoch)
	}
	srv.StaleMetadata(false)
	if leader, epoch, _ := metadataOf(t, srv, 2, "fluss.kv"); leader != 2 || epoch != 1 {
		t.Errorf("leader %d epoch %d", leader, epoch)
	}
	k2 := &kvTable{rawConn: dialRaw(t, srv, srv.Addresses()[3]), srv: srv, id: k.id, seq: k.seq}
	k2.want(1, true)
	if code, end := k2.put(2); code != 0 || end != 2 {
		t.Errorf("put at the new leader: code %d, end %d", code, end)
	}
	m := k2.must(wire.APIListOffsets, &flusspb.ListOffsetsRequest{FollowerServerId: proto.Int32(-1), OffsetType: proto.Int32(3), TableId: &k.id, BucketId: []int32{0}})
	if got := m.(*flusspb.ListOffsetsResponse).BucketsResp[0].GetOffset(); got != 1 {
		t.Errorf("the log ended at %d when the leader took over, want 1", got)
	}
	for _, err := range []error{srv.MoveLeader("fluss.none", 0, 1), srv.MoveLeader("fluss.kv", 9, 1), srv.MoveLeader("fluss.kv", 0, 9), srv.MoveLeader("fluss.kv/x", 0, 1)} {
		if err == nil {
			t.Error("moved what is not there")
		}
	}
}

func TestStopStart(t *testing.T) {
	for _, inMemory := range []bool{true, false} {
		opts := []Option{TabletServers(2), Replicas(2)}
		if inMemory {
			opts = append(opts, InMemory())
		}
		srv := Run(t, opts...)
		k := newKVTable(t, srv)
		k.put(1)
		addresses := srv.Addresses()
		srv.StopTablet(0)
		k.ends()
		if nc, err := srv.Dial(t.Context(), "tcp", addresses[1]); err == nil {
			nc.Close()
			t.Error("a stopped server takes connections")
		}
		if leader, epoch, alive := metadataOf(t, srv, 0, "fluss.kv"); leader != 1 || epoch != 1 || !slices.Equal(alive, []int32{1}) {
			t.Errorf("leader %d epoch %d alive %v", leader, epoch, alive)
		}
		srv.StopTablet(1)
		if leader, _, alive := metadataOf(t, srv, 0, "fluss.kv"); leader != -1 || len(alive) != 0 {
			t.Errorf("leader %d alive %v", leader, alive)
		}
		for _, i := range []int{0, 1} {
			if err := srv.StartTablet(i); err != nil {
				t.Fatal(err)
			}
		}
		if !slices.Equal(srv.Addresses(), addresses) {
			t.Errorf("addresses %v, before %v", srv.Addresses(), addresses)
		}
		if leader, epoch, _ := metadataOf(t, srv, 1, "fluss.kv"); leader != 0 || epoch != 3 {
			t.Errorf("leader %d epoch %d", leader, epoch)
		}
		(&kvTable{rawConn: dialRaw(t, srv, addresses[1]), srv: srv, id: k.id}).want(1, true)
	}
}

func TestRestartForgetsOlderBatches(t *testing.T) {
	srv := Run(t, InMemory())
	k := newKVTable(t, srv)
	for key := range byte(3) {
		k.put(key)
	}
	srv.StopTablet(0)
	if err := srv.StartTablet(0); err != nil {
		t.Fatal(err)
	}
	for seq, want := range []wire.ErrorCode{wire.CodeOutOfOrderSequence, wire.CodeOutOfOrderSequence, 0} {
		again := &kvTable{rawConn: dialRaw(t, srv, srv.Addresses()[1]), srv: srv, id: k.id, seq: int32(seq)}
		if code, _ := again.put(byte(seq)); code != want {
			t.Errorf("sequence %d again: code %d, want %d", seq, code, want)
		}
	}
}

func TestKill(t *testing.T) {
	srv := Run(t, InMemory(), TabletServers(2), Replicas(2))
	newKVTable(t, srv)
	srv.KillTablet(0)
	if leader, _, alive := metadataOf(t, srv, 2, "fluss.kv"); leader != 0 || !slices.Equal(alive, []int32{0, 1}) {
		t.Errorf("before the failover: leader %d alive %v", leader, alive)
	}
	srv.Failover(0)
	if leader, epoch, alive := metadataOf(t, srv, 2, "fluss.kv"); leader != 1 || epoch != 1 || !slices.Equal(alive, []int32{1}) {
		t.Errorf("leader %d epoch %d alive %v", leader, epoch, alive)
	}
}

func TestFreeze(t *testing.T) {
	srv := Run(t)
	k := newKVTable(t, srv)
	srv.Freeze(0)
	k.send(wire.APILookup, 1, k.lookupRequest(1))
	c := dialRaw(t, srv, srv.Addresses()[1])
	c.send(wire.APIListDatabases, 2, new(flusspb.ListDatabasesRequest))
	k.SetReadDeadline(time.Now().Add(5 * time.Millisecond))
	if _, err := k.r.Peek(1); !isTimeout(err) {
		t.Errorf("a frozen server answered: %v", err)
	}
	srv.Thaw(0)
	k.read()
	c.read()
}

// A frozen server that the cluster takes for dead keeps its connections, and joins again when it thaws.
func TestFrozenFailover(t *testing.T) {
	srv := Run(t, InMemory(), TabletServers(2), Replicas(2))
	k := newKVTable(t, srv)
	srv.Freeze(0)
	k.send(wire.APILookup, 1, k.lookupRequest(1))
	srv.Failover(0)
	if leader, epoch, alive := metadataOf(t, srv, 2, "fluss.kv"); leader != 1 || epoch != 1 || !slices.Equal(alive, []int32{1}) {
		t.Errorf("frozen: leader %d epoch %d alive %v", leader, epoch, alive)
	}
	if err := srv.MoveLeader("fluss.kv", 0, 0); err == nil {
		t.Error("it is made the leader of a bucket")
	}
	srv.Thaw(0)
	if got, err := wire.ParseLookupResponse(nil, k.read().Body); err != nil || got[0].Code != wire.CodeNotLeaderOrFollower {
		t.Errorf("the old leader answered %+v, %v", got, err)
	}
	if leader, _, alive := metadataOf(t, srv, 2, "fluss.kv"); leader != 1 || !slices.Equal(alive, []int32{0, 1}) {
		t.Errorf("thawed: leader %d alive %v", leader, alive)
	}
}

func TestCoordinatorDown(t *testing.T) {
	srv := Run(t, InMemory())
	k := newKVTable(t, srv)
	srv.StopCoordinator()
	k.put(1)
	k.want(1, true)
	m := k.must(wire.APIGetMetadata, new(flusspb.MetadataRequest)).(*flusspb.MetadataResponse)
	if m.CoordinatorServer != nil {
		t.Error("metadata tells of the stopped coordinator")
	}
	if err := srv.StartCoordinator(); err != nil {
		t.Fatal(err)
	}
	makeTable(t, srv, "fluss.other", kv)
}

func TestElectionTime(t *testing.T) {
	srv := Run(t, InMemory(), ElectionTime(30*time.Millisecond))
	k := newKVTable(t, srv)
	if leader, _, _ := metadataOf(t, srv, 0, "fluss.kv"); leader != -1 {
		t.Errorf("leader %d at once", leader)
	}
	if _, code := k.has(1); code != wire.CodeNotLeaderOrFollower {
		t.Errorf("code %d", code)
	}
	for deadline := time.Now().Add(10 * time.Second); ; runtime.Gosched() {
		if _, code := k.has(1); code == 0 {
			break
		} else if time.Now().After(deadline) {
			t.Fatal("no leader")
		}
	}
	if leader, _, _ := metadataOf(t, srv, 0, "fluss.kv"); leader != 0 {
		t.Errorf("leader %d", leader)
	}
}

func partitionNames(t *testing.T, srv *Server, table string) []string {
	t.Helper()
	m := dialRaw(t, srv, srv.Addresses()[1]).must(wire.APIListPartitionInfos, &flusspb.ListPartitionInfosRequest{TablePath: pathOf(table)})
	var names []string
	for _, p := range m.(*flusspb.ListPartitionInfosResponse).PartitionsInfo {
		names = append(names, p.PartitionSpec.PartitionKeyValues[0].GetValue())
	}
	return names
}

// TestClock moves a clock and looks at automatic partitions and times of creation.
func TestClock(t *testing.T) {
	clock := NewClock(time.Date(2026, 8, 1, 12, 0, 0, 0, time.UTC))
	srv := Run(t, InMemory(), WithClock(clock))
	makeTable(t, srv, "fluss.days", tableText{cols: []string{"id INTEGER", "dt STRING"}, part: []string{"dt"},
		props: `"table.auto-partition.enabled":"true","table.auto-partition.time-zone":"UTC","table.auto-partition.num-retention":"1","table.auto-partition.num-precreate":"2"`})
	for _, want := range [][]string{{"20260801", "20260802"}, {"20260801", "20260802", "20260803"}, {"20260802", "20260803", "20260804"}} {
		if got := partitionNames(t, srv, "fluss.days"); !slices.Equal(got, want) {
			t.Errorf("%v: partitions %v, want %v", clock.Now(), got, want)
		}
		clock.Advance(24 * time.Hour)
	}
	c := dialRaw(t, srv, srv.Addresses()[0])
	info := c.must(wire.APIGetTableInfo, &flusspb.GetTableInfoRequest{TablePath: pathOf("fluss.days")}).(*flusspb.GetTableInfoResponse)
	if got := time.UnixMilli(info.GetCreatedTime()).UTC(); !got.Equal(time.Date(2026, 8, 1, 12, 0, 0, 0, time.UTC)) {
		t.Errorf("created %v", got)
	}
}

// TestPartitionCheck lets a day pass by the runtime's time.
func TestPartitionCheck(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // begins at midnight UTC on 2000-01-01
		srv := Run(t, InMemory(), PartitionCheckInterval(time.Minute))
		makeTable(t, srv, "fluss.days", tableText{cols: []string{"id INTEGER", "dt STRING"}, part: []string{"dt"},
			props: `"table.auto-partition.enabled":"true","table.auto-partition.time-zone":"UTC","table.auto-partition.num-retention":"1"`})
		time.Sleep(49 * time.Hour)
		if got, want := partitionNames(t, srv, "fluss.days"), []string{"20000102", "20000103", "20000104"}; !slices.Equal(got, want) {
			t.Errorf("partitions %v, want %v", got, want)
		}
	})
}

func TestPartitionLimit(t *testing.T) {
	srv := Run(t, InMemory(), MaxPartitions(2))
	makeTable(t, srv, "fluss.p", tableText{cols: []string{"id INTEGER", "dt STRING"}, part: []string{"dt"}})
	c := dialRaw(t, srv, srv.Addresses()[0])
	for i, want := range []wire.ErrorCode{0, 0, wire.CodePartitionMaxNum} {
		_, code := c.call(wire.APICreatePartition, &flusspb.CreatePartitionRequest{TablePath: pathOf("fluss.p"),
			PartitionSpec: spec("dt", string(rune('a'+i))), IgnoreIfNotExists: proto.Bool(false)})
		if code != want {
			t.Errorf("partition %d: code %d, want %d", i, code, want)
		}
	}
}

// TestIDsChange: a table made again under its name is another one.
func TestIDsChange(t *testing.T) {
	srv := Run(t, InMemory())
	k := newKVTable(t, srv)
	k.put(1)
	c := dialRaw(t, srv, srv.Addresses()[0])
	c.must(wire.APIDropTable, &flusspb.DropTableRequest{TablePath: pathOf("fluss.kv"), IgnoreIfNotExists: proto.Bool(false)})
	if _, code := k.has(1); code != wire.CodeUnknownTableOrBucket {
		t.Errorf("code %d", code)
	}
	again := newKVTable(t, srv)
	if again.id == k.id {
		t.Errorf("id %d again", k.id)
	}
	again.want(1, false)
}

func TestDamage(t *testing.T) {
	srv := Run(t, InMemory())
	k := newKVTable(t, srv)
	for key := range byte(4) {
		k.put(key)
	}
	if end := srv.LogEnd("fluss.kv", 0); end != 4 {
		t.Fatalf("log end %d", end)
	}
	if err := srv.TruncateLog("fluss.kv", 0, 3); err != nil {
		t.Fatal(err)
	}
	k.want(2, true)
	k.want(3, false)
	if err := srv.ExpireLog("fluss.kv", 0, 2); err != nil {
		t.Fatal(err)
	}
	m := k.must(wire.APIListOffsets, &flusspb.ListOffsetsRequest{FollowerServerId: proto.Int32(-1), OffsetType: proto.Int32(0), TableId: &k.id, BucketId: []int32{0}})
	if got := m.(*flusspb.ListOffsetsResponse).BucketsResp[0].GetOffset(); got != 2 {
		t.Errorf("earliest %d", got)
	}
	if err := srv.CorruptLog("fluss.kv", 0, 2, 30); err != nil {
		t.Error(err)
	}
	if err := srv.CorruptLog("fluss.kv", 0, 99, 0); err == nil {
		t.Error("corrupted an offset that is not there")
	}
	if err := srv.ForgetWriters("fluss.kv", 0); err != nil {
		t.Error(err)
	}
}

// TestManyServers starts a hundred servers at once and measures the start of one.
func TestManyServers(t *testing.T) {
	before := runtime.NumGoroutine()
	start := time.Now()
	var all []*Server
	for range 100 {
		srv := NewServer(TabletServers(2))
		all = append(all, srv)
	}
	took := time.Since(start)
	for _, srv := range all {
		nc, err := srv.Dial(t.Context(), "tcp", srv.Addresses()[1])
		if err != nil {
			t.Fatal(err)
		}
		defer nc.Close()
		(&rawConn{t: t, Conn: nc, r: newReader(nc)}).must(wire.APIListDatabases, new(flusspb.ListDatabasesRequest))
	}
	for _, srv := range all {
		srv.Close()
		srv.Close() // harmless
	}
	goroutinesEnd(t, before)
	t.Logf("100 servers started in %v", took)
	if took > 100*50*time.Millisecond {
		t.Errorf("a start took %v", took/100)
	}
}

// TestCloseEndsEverything closes with a fetch waiting, a delayed answer, a stalled and a frozen connection.
func TestCloseEndsEverything(t *testing.T) {
	before := runtime.NumGoroutine()
	srv := NewServer(TabletServers(2), Replicas(2))
	k := newKVTable(t, srv)
	srv.Hook(Every(PutKV, Action{Delay: time.Hour}))
	srv.Hook(Every(GetTableInfo, Action{Wait: make(chan struct{})}))
	k.send(wire.APIPutKV, 1, k.putRequest(1))
	k.send(wire.APIFetchLog, 2, &flusspb.FetchLogRequest{
		FollowerServerId: proto.Int32(-1), MaxBytes: proto.Int32(1000), MaxWaitMs: proto.Int32(1 << 30), MinBytes: proto.Int32(1),
		TablesReq: []*flusspb.PbFetchLogReqForTable{{TableId: &k.id, ProjectionPushdownEnabled: proto.Bool(false),
			BucketsReq: []*flusspb.PbFetchLogReqForBucket{{BucketId: proto.Int32(0), FetchOffset: proto.Int64(1), MaxFetchBytes: proto.Int32(1000)}}}},
	})
	k.want(1, true)
	k.send(wire.APIGetTableInfo, 3, &flusspb.GetTableInfoRequest{TablePath: pathOf("fluss.kv")})
	srv.Freeze(1)
	dialRaw(t, srv, srv.Addresses()[2]).send(wire.APIListDatabases, 1, new(flusspb.ListDatabasesRequest))
	srv.StallConnections(true)
	dialRaw(t, srv, srv.Addresses()[1])
	srv.Close()
	goroutinesEnd(t, before)
}

// TestLongPoll: new data wakes a waiting fetch of a replicated bucket only.
func TestLongPoll(t *testing.T) {
	for _, replicas := range []int{1, 2} {
		srv := Run(t, TabletServers(2), Replicas(replicas))
		k := newKVTable(t, srv)
		fetch := dialRaw(t, srv, srv.Addresses()[1])
		wait := int32(200)
		if replicas == 2 {
			wait = 1 << 30
		}
		start := time.Now()
		fetch.send(wire.APIFetchLog, 2, &flusspb.FetchLogRequest{
			FollowerServerId: proto.Int32(-1), MaxBytes: proto.Int32(1000), MaxWaitMs: &wait, MinBytes: proto.Int32(1),
			TablesReq: []*flusspb.PbFetchLogReqForTable{{TableId: &k.id, ProjectionPushdownEnabled: proto.Bool(false),
				BucketsReq: []*flusspb.PbFetchLogReqForBucket{{BucketId: proto.Int32(0), FetchOffset: proto.Int64(0), MaxFetchBytes: proto.Int32(1000)}}}},
		})
		fetch.must(wire.APIListDatabases, new(flusspb.ListDatabasesRequest)) // so the fetch has begun
		k.put(1)
		m, _ := open(t, wire.APIFetchLog, fetch.read())
		if b := m.(*flusspb.FetchLogResponse).TablesResp[0].BucketsResp[0]; len(b.Records) == 0 {
			t.Errorf("%d replicas: no records", replicas)
		}
		if took := time.Since(start); replicas == 1 && took < 200*time.Millisecond {
			t.Errorf("woken after %v", took)
		}
	}
}

// goroutinesEnd fails unless the number of goroutines soon is what it was: those that a WaitGroup saw end may need
// another moment to be gone.
func goroutinesEnd(t *testing.T, before int) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); runtime.NumGoroutine() > before; runtime.Gosched() {
		if time.Now().After(deadline) {
			stacks := make([]byte, 1<<20)
			t.Fatalf("%d goroutines, before %d:\n%s", runtime.NumGoroutine(), before, stacks[:runtime.Stack(stacks, true)])
		}
	}
}
