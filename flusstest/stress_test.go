package flusstest

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss/internal/wire"
	"github.com/gofluss/fluss/internal/wire/flusspb"
)

// TestEverythingAtOnce has clients write, read and change tables while leaders move, servers stop and start and faults
// happen. It only looks for races, deadlocks and panics, and that the cluster is well afterwards.
func TestEverythingAtOnce(t *testing.T) {
	srv := Run(t, InMemory(), TabletServers(3), Replicas(2))
	k := newKVTable(t, srv)
	remove := srv.Faults(7, Profile{Drop: 0.01, Lose: 0.01, Hangup: 0.01, Cut: 0.01, Twice: 0.02, Delay: 0.02, Refuse: 0.02, MaxDelay: time.Millisecond})
	var clients, troubles sync.WaitGroup
	for i := range 6 {
		clients.Go(func() {
			for n := range 60 {
				oneCall(srv, k.id, i, n)
			}
		})
	}
	done := make(chan struct{})
	trouble := func(f func(n int)) {
		troubles.Go(func() { // stopped by done
			for n := 0; ; n++ {
				select {
				case <-done:
					return
				default:
					f(n)
				}
			}
		})
	}
	trouble(func(n int) { _ = srv.MoveLeader("fluss.kv", 0, n%3) })
	trouble(func(n int) {
		srv.StopTablet(n % 3)
		_ = srv.StartTablet(n % 3)
	})
	trouble(func(n int) {
		srv.Freeze(n % 3)
		srv.StaleMetadata(n%2 == 0)
		srv.DropConnections()
		srv.Thaw(n % 3)
	})
	clients.Wait()
	close(done)
	troubles.Wait()
	remove()
	srv.StaleMetadata(false)
	if err := srv.MoveLeader("fluss.kv", 0, 0); err != nil {
		t.Fatal(err)
	}
	after := &kvTable{rawConn: dialRaw(t, srv, srv.Addresses()[1]), srv: srv, id: k.id}
	if code, _ := after.put(1); code != 0 && code != wire.CodeOutOfOrderSequence {
		t.Errorf("code %d", code)
	}
	after.want(1, true)
}

// oneCall makes a request on a connection of its own; it may fail.
func oneCall(srv *Server, id int64, client, n int) {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	node := n % 4
	c, err := wire.Dial(ctx, srv.Addresses()[node], &wire.Config{Dial: srv.Dial})
	if err != nil {
		return
	}
	defer c.Close()
	name := fmt.Sprintf("fluss.t%d", client)
	key := byte(n)
	row := kvRows(-1, -1, key)
	requests := []struct {
		key wire.APIKey
		q   proto.Message
	}{
		{wire.APICreateTable, &flusspb.CreateTableRequest{TablePath: pathOf(name), TableJson: []byte(kv.json()), IgnoreIfExists: proto.Bool(true)}},
		{wire.APIGetMetadata, &flusspb.MetadataRequest{TablePath: []*flusspb.PbTablePath{pathOf("fluss.kv")}}},
		{wire.APIPutKV, &flusspb.PutKvRequest{Acks: proto.Int32(-1), TableId: &id, TimeoutMs: proto.Int32(10), BucketsReq: []*flusspb.PbPutKvReqForBucket{{BucketId: proto.Int32(0), Records: row}}}},
		{wire.APILookup, &flusspb.LookupRequest{TableId: &id, BucketsReq: []*flusspb.PbLookupReqForBucket{{BucketId: proto.Int32(0), Keys: [][]byte{{key}}}}}},
		{wire.APIFetchLog, &flusspb.FetchLogRequest{FollowerServerId: proto.Int32(-1), MaxBytes: proto.Int32(1000), MaxWaitMs: proto.Int32(3), MinBytes: proto.Int32(1 << 20),
			TablesReq: []*flusspb.PbFetchLogReqForTable{{TableId: &id, ProjectionPushdownEnabled: proto.Bool(false), BucketsReq: []*flusspb.PbFetchLogReqForBucket{{BucketId: proto.Int32(0), FetchOffset: proto.Int64(-2), MaxFetchBytes: proto.Int32(1000)}}}}}},
		{wire.APIAlterTable, &flusspb.AlterTableRequest{TablePath: pathOf("fluss.kv"), IgnoreIfNotExists: proto.Bool(true), AddColumns: []*flusspb.PbAddColumn{{ColumnName: proto.String(fmt.Sprint("c", client, n)), DataTypeJson: []byte(`{"type":"STRING"}`), ColumnPositionType: proto.Int32(0)}}}},
		{wire.APIDropTable, &flusspb.DropTableRequest{TablePath: pathOf(name), IgnoreIfNotExists: proto.Bool(true)}},
	}
	for _, r := range requests {
		if r.key.ServedBy(c.ServerType()) {
			_ = c.Call(ctx, r.key, 0, r.q, responses[r.key].ProtoReflect().New().Interface())
		}
	}
}
