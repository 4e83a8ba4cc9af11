package ring

import (
	"context"
	"database/sql"
	"runtime"
	"testing"
	"time"

	"github.com/gofluss/fluss"
	"github.com/gofluss/fluss/flusstest"
)

// Counts of a verdict.
func isBroken(v Verdict) int      { return v.Broken + v.Lost }
func isLost(v Verdict) int        { return v.Lost }
func isShort(v Verdict) int       { return v.Short }
func isShortOrLost(v Verdict) int { return v.Short + v.Lost }
func isWrong(v Verdict) int       { return v.Wrong }
func isUnknown(v Verdict) int     { return v.UnknownUnreported }

// TestBrokenServers: each server is broken in one way that a client cannot see, and the ring has to see it.
func TestBrokenServers(t *testing.T) {
	for _, test := range []struct {
		name   string
		hook   hook
		counts func(v Verdict) int
	}{
		{"acknowledges upserts and drops them", dropsUpserts(100), isBroken},
		{"acknowledges appends and drops them", dropsAppends(100), isLost},
		{"stores and refuses for good", refusesStored(100, flusstest.ProduceLog), isUnknown},
		{"ends logs early", endsLogsEarly(), isShort},
		{"leaves rows out of scans", scansNothing(), func(v Verdict) int { return v.Short + v.Broken }},
		{"answers lookups with what it answered long ago", stale(), isBroken},
		{"answers lookups with another row", swapsValues(flusstest.PrefixLookup), isWrong},
	} {
		t.Run(test.name, func(t *testing.T) { onBroken(t, test.hook, test.counts, Options{Ops: 3000}) })
	}
}

// TestBrokenKinds: the calls of a kind alone are enough to see what their server does.
func TestBrokenKinds(t *testing.T) {
	for _, test := range []struct {
		name   string
		hook   hook
		counts func(v Verdict) int
		only   []string
	}{
		{"prepared lookups of old answers", stale(), isBroken, []string{"prepared lookup", "prepared lookup in", "upsert"}},
		{"prepared upserts that are dropped", dropsUpserts(20), isBroken, []string{"prepared upsert", "lookup"}},
		{"prepared appends that are dropped", dropsAppends(20), isLost, []string{"prepared append"}},
		{"streamed rows of keys that are dropped", dropsUpserts(20), isBroken, []string{"stream transaction", "lookup", "lookup in"}},
		{"streamed log rows that are dropped", dropsAppends(20), isLost, []string{"stream transaction", "lookup", "lookup in"}},
		{"streamed log rows that are stored and refused", refusesStored(20, flusstest.ProduceLog), isUnknown, []string{"stream transaction", "lookup", "lookup in"}},
		{"record batches that are dropped", dropsAppends(20), isLost, []string{"arrow append"}},
		{"record batches that are stored and refused", refusesStored(20, flusstest.ProduceLog), isUnknown, []string{"arrow append"}},
		{"record batches of logs that end early", endsLogsEarly(), isShort, []string{"arrow log scan", "append rows"}},
		{"record batches of keys that are left out", scansNothing(), isShort, []string{"arrow full scan", "lookup", "upsert"}},
		{"change logs without what was acknowledged", dropsUpserts(20), isLost, []string{"upsert"}},
		{"change logs with forged values", forgesLogs("a.-1.", "b.-1."), isWrong, []string{"changelog scan", "binlog scan"}},
		{"change logs that end early", endsLogsEarly(), isShortOrLost, []string{"changelog scan", "upsert"}},
		{"rows of partitions that are dropped", dropsUpserts(7), isBroken, []string{"partition upsert", "partition lookup"}},
		{"rows of partitions that are left out", scansNothing(), isBroken, []string{"partition scan", "partition upsert"}},
		{"log rows of partitions that are dropped", dropsAppends(20), isLost, []string{"partition append"}},
		{"log rows of partitions that are stored and refused", refusesStored(20, flusstest.ProduceLog), isUnknown, []string{"partition append"}},
		{"logs of partitions that end early", endsLogsEarly(), isShort, []string{"partition log scan", "partition append"}},
		{"newest rows of partitions that are not", endsLogsEarly(), isShort, []string{"partition log tail", "partition append"}},
		{"record batches with forged values", forgesLogs("l.0.0.w", "l.0.9.w"), isWrong, []string{"arrow log scan", "append"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			onBroken(t, test.hook, test.counts, Options{
				DSN: "?attempt_timeout=500ms&request_timeout=2s&write_timeout=2s", Ops: 2000, Workers: 12,
				TableOptions: "'table.log.arrow.compression.type' = 'NONE'", only: test.only, // forged values have to be found
			})
		})
	}
}

// onBroken runs a load on a broken server.
func onBroken(t *testing.T, h hook, counts func(v Verdict) int, o Options) {
	srv := flusstest.Run(t)
	srv.Hook(h)
	o.DSN, o.Seed, o.Groups, o.SettleTimeout = srv.DSN()+o.DSN, 7, 6, 10*time.Second
	report, err := Run(context.Background(), o, NoFaults{})
	if err != nil {
		t.Fatal(err)
	}
	if report.Verdict.OK() || counts(report.Verdict) == 0 {
		t.Errorf("%+v %q %v %v", report.Verdict, report.Findings, report.Errors, report.Calls["full scan"])
	}
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
