package ring

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/binary"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss"
	"github.com/gofluss/fluss/flusstest"
	"github.com/gofluss/fluss/internal/wire/flusspb"
)

// oneIn breaks one in n requests of an API.
func oneIn(n int64, api flusstest.API, broken func(r *flusstest.Request) flusstest.Action) func(*flusstest.Request) flusstest.Action {
	var seen atomic.Int64
	return func(r *flusstest.Request) flusstest.Action {
		if r.API != api || seen.Add(1)%n != n-1 {
			return flusstest.Action{}
		}
		return broken(r)
	}
}

// TestBrokenServers: each server is broken in one way that a client cannot see, and the ring has to see it.
func TestBrokenServers(t *testing.T) {
	for _, test := range []struct {
		name   string
		hook   func(*flusstest.Request) flusstest.Action
		counts func(v Verdict) int
	}{
		{"acknowledges upserts and drops them", oneIn(100, flusstest.PutKV, func(r *flusstest.Request) flusstest.Action {
			answer := &flusspb.PutKvResponse{}
			for _, b := range r.Buckets() {
				answer.BucketsResp = append(answer.BucketsResp, &flusspb.PbPutKvRespForBucket{BucketId: proto.Int32(int32(b.ID)), LogEndOffset: proto.Int64(1 << 20)})
			}
			return flusstest.Action{Skip: true, Answer: marshal(answer)}
		}), func(v Verdict) int { return v.Broken + v.Lost }},
		{"acknowledges appends and drops them", oneIn(100, flusstest.ProduceLog, func(r *flusstest.Request) flusstest.Action {
			answer := &flusspb.ProduceLogResponse{}
			for _, b := range r.Buckets() {
				answer.BucketsResp = append(answer.BucketsResp, &flusspb.PbProduceLogRespForBucket{BucketId: proto.Int32(int32(b.ID)), BaseOffset: proto.Int64(1 << 20)})
			}
			return flusstest.Action{Skip: true, Answer: marshal(answer)}
		}), func(v Verdict) int { return v.Lost }},
		{"stores and refuses for good", oneIn(100, flusstest.ProduceLog, func(*flusstest.Request) flusstest.Action {
			return flusstest.Action{Code: 48} // AUTHORIZATION_EXCEPTION
		}), func(v Verdict) int { return v.UnknownUnreported }},
		{"ends logs early", oneIn(5, flusstest.ListOffsets, func(*flusstest.Request) flusstest.Action {
			return change(new(flusspb.ListOffsetsResponse), func(a *flusspb.ListOffsetsResponse) {
				for _, b := range a.BucketsResp {
					b.Offset = proto.Int64(b.GetOffset() / 2)
				}
			})
		}), func(v Verdict) int { return v.Short }},
		{"leaves rows out of scans", oneIn(5, flusstest.LimitScan, func(r *flusstest.Request) flusstest.Action {
			return change(new(flusspb.LimitScanResponse), func(a *flusspb.LimitScanResponse) {
				if !a.GetIsLogTable() {
					a.Records = []byte{5, 0, 0, 0, 0, 0, 0, 0, 0} // length 5, magic 0, no rows
				}
			})
		}), func(v Verdict) int { return v.Short + v.Broken }},
		{"answers lookups with what it answered long ago", stale(), func(v Verdict) int { return v.Broken + v.Lost }},
		{"answers lookups with another row", oneIn(100, flusstest.PrefixLookup, func(*flusstest.Request) flusstest.Action {
			return flusstest.Action{Edit: func(frame []byte) []byte { return bytes.ReplaceAll(frame, []byte("a."), []byte("b.")) }}
		}), func(v Verdict) int { return v.Wrong }},
	} {
		t.Run(test.name, func(t *testing.T) {
			srv := flusstest.Run(t)
			srv.Hook(test.hook)
			report, err := Run(context.Background(), Options{DSN: srv.DSN(), Seed: 7, Ops: 3000, Groups: 6, SettleTimeout: 10 * time.Second}, NoFaults{})
			if err != nil {
				t.Fatal(err)
			}
			if report.Verdict.OK() || test.counts(report.Verdict) == 0 {
				t.Errorf("%+v %q %v %v", report.Verdict, report.Findings, report.Errors, report.Calls["full scan"])
			}
		})
	}
}

// stale answers every fifth lookup that was asked before with the first answer that was given for it. How often keys come
// together in a request again depends on the machine: one in five is enough of them on any.
func stale() func(*flusstest.Request) flusstest.Action {
	first := map[string][]byte{}
	var guard sync.Mutex
	again := 0
	return func(r *flusstest.Request) flusstest.Action {
		if r.API != flusstest.Lookup {
			return flusstest.Action{}
		}
		key := string(r.Body)
		return flusstest.Action{Edit: func(frame []byte) []byte {
			guard.Lock()
			defer guard.Unlock()
			was, ok := first[key]
			if !ok {
				first[key] = slices.Clone(frame[9:])
				return frame
			}
			if again++; again%5 == 0 {
				return withBody(frame, was)
			}
			return frame
		}}
	}
}

func marshal(m proto.Message) []byte {
	b, err := proto.Marshal(m)
	if err != nil {
		panic(err)
	}
	return b
}

// change edits the message of an answer: its head has 9 bytes.
func change[M proto.Message](m M, edit func(M)) flusstest.Action {
	return flusstest.Action{Edit: func(frame []byte) []byte {
		m := proto.Clone(m)
		if proto.Unmarshal(frame[9:], m) != nil {
			return frame
		}
		edit(m.(M))
		return withBody(frame, marshal(m))
	}}
}

func withBody(frame, body []byte) []byte {
	out := append(slices.Clone(frame[:9]), body...)
	binary.BigEndian.PutUint32(out, uint32(len(out)-4))
	return out
}

// TestLate: a call that comes back more than a second past its context counts, one that comes back in time does not.
func TestLate(t *testing.T) {
	r := &run{start: time.Now(), judge: &judge{}}
	ctx, cancel := context.WithDeadline(context.Background(), r.start.Add(-time.Hour))
	defer cancel()
	end := -int64(time.Hour)
	r.judgeTime(ctx, "call", span{end - 10, end + int64(900*time.Millisecond)}, 0, nil)
	if r.judge.verdict.Late != 0 {
		t.Error("in time counts")
	}
	r.judgeTime(ctx, "call", span{end - 10, end + int64(1100*time.Millisecond)}, 0, nil)
	if r.judge.verdict.Late != 1 {
		t.Error("late does not count")
	}
	r.stalls.list = []span{{end, end + int64(500*time.Millisecond)}}
	r.judgeTime(ctx, "call", span{end - 10, end + int64(1400*time.Millisecond)}, 0, nil)
	if r.judge.verdict.Late != 1 {
		t.Error("the process stood still, and the call counts")
	}
}

// TestLeaks: what is left behind is counted.
func TestLeaks(t *testing.T) {
	srv := flusstest.Run(t)
	before := Measure()
	config, err := fluss.ParseDSN(srv.DSN())
	if err != nil {
		t.Fatal(err)
	}
	connector, err := fluss.NewConnector(config)
	if err != nil {
		t.Fatal(err)
	}
	db := sql.OpenDB(connector)
	defer db.Close()
	if err := db.Ping(); err != nil {
		t.Fatal(err)
	}
	hold := make([]byte, 3*MaxHeapLeft)
	v := Verdict{}
	v.leaks(Measure(), before)
	if v.Goroutines == 0 || v.Files == 0 || v.HeapLeft <= MaxHeapLeft {
		t.Errorf("an open pool and %d bytes: %+v", len(hold), v)
	}
	runtime.KeepAlive(hold)
}
