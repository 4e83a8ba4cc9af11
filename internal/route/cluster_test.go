package route

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/wire"
	"github.com/gofluss/fluss/internal/wire/flusspb"
)

func TestBootstrap(t *testing.T) {
	for _, test := range []struct {
		name  string
		addrs []string
		fault func(f *fake)
		limit time.Duration
		fails bool
	}{
		{"first is fine", []string{"tablet0:1", "nowhere:1"}, nil, 0, false},
		{"coordinator", []string{"boss:1"}, nil, 0, false},
		{"first refuses", []string{"nowhere:1", "tablet1:1"}, nil, 0, false},
		{"first hangs", []string{"tablet0:1", "boss:1"}, func(f *fake) { f.nodes[0].frozen = true }, dialStagger, false},
		{"two hang", []string{"tablet0:1", "tablet1:1", "boss:1"}, func(f *fake) { f.nodes[0].frozen, f.nodes[1].frozen = true, true }, 2 * dialStagger, false},
		{"all refuse", []string{"nowhere:1", "nowhere:2"}, nil, 500 * time.Millisecond, true},
		{"none", []string{}, nil, 0, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			run(t, 2, func(t *testing.T, f *fake) {
				if test.fault != nil {
					test.fault(f)
				}
				c := New(Config{Addresses: test.addrs, Wire: wire.Config{Dial: f.dial}})
				defer c.Close()
				began := time.Now()
				err := c.Ping(t.Context())
				if (err != nil) != test.fails {
					t.Errorf("Ping: %v", err)
				}
				if test.fails {
					if err := c.CreateDatabase(t.Context(), "d", nil, true); err == nil {
						t.Errorf("CREATE DATABASE: %v", err)
					}
				}
				if err != nil && strings.Contains(err.Error(), "\n") {
					t.Errorf("an error of several lines: %q", err)
				}
				if d := time.Since(began); d > test.limit {
					t.Errorf("took %v, want at most %v", d, test.limit)
				}
			})
		})
	}
}

func TestPingHangs(t *testing.T) {
	run(t, 1, func(t *testing.T, f *fake) {
		f.nodes[0].frozen = true
		c := f.client(nil)
		defer c.Close()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		began := time.Now()
		if err := c.Ping(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
		if d := time.Since(began); d != time.Second {
			t.Errorf("took %v", d)
		}
	})
}

func TestPingSilentServer(t *testing.T) {
	run(t, 2, func(t *testing.T, f *fake) {
		c := f.client(nil, "tablet0:1", "boss:1")
		defer c.Close()
		f.hook = func(n *fakeNode, _ wire.Request) *fakeReply {
			if n == f.nodes[0] {
				return &fakeReply{silent: true}
			}
			return nil
		}
		if err := c.Ping(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

func TestWrongPassword(t *testing.T) {
	run(t, 1, func(t *testing.T, f *fake) {
		c := f.client(func(cfg *Config) { cfg.Wire.SASL = &wire.Credentials{User: "u", Password: "p"} }, "nowhere:1", "tablet0:1", "boss:1")
		defer c.Close()
		f.hook = func(_ *fakeNode, r wire.Request) *fakeReply { return &fakeReply{code: wire.CodeAuthenticate} }
		began := time.Now()
		for _, err := range []error{
			c.Ping(t.Context()),
			c.CreateDatabase(t.Context(), "d", nil, true),
			func() error {
				_, err := c.Table(t.Context(), catalog.TablePath{Database: "a", Table: "b"})
				return err
			}(),
		} {
			if !hasCode(err, wire.CodeAuthenticate) {
				t.Errorf("got %v", err)
			}
		}
		if d := time.Since(began); d > 0 {
			t.Errorf("took %v", d)
		}
	})
}

func TestSingleFlight(t *testing.T) {
	run(t, 3, func(t *testing.T, f *fake) {
		c := f.client(nil)
		defer c.Close()
		path := f.create("t", 7, 8)
		f.hook = func(_ *fakeNode, r wire.Request) *fakeReply {
			time.Sleep(10 * time.Millisecond) // of the bubble's clock: all callers are there
			return nil
		}
		var wg sync.WaitGroup
		for i := range 64 {
			wg.Go(func() {
				table, err := c.Table(t.Context(), path)
				if err != nil {
					t.Error(err)
					return
				}
				mustFind(t, c, call(table, int32(i%8), fmt.Sprint(i)))
			})
		}
		wg.Wait()
		for key, want := range map[wire.APIKey]int{wire.APIGetTableInfo: 1, wire.APIGetMetadata: 1} {
			if n := f.count(key); n != want {
				t.Errorf("%d %s for 64 callers, want %d", n, key, want)
			}
		}
		if f.dials != 1 {
			t.Errorf("%d dials, want 1: the first server leads all", f.dials)
		}
	})
}

func TestWaiterLeaves(t *testing.T) {
	run(t, 1, func(t *testing.T, f *fake) {
		c := f.client(nil)
		defer c.Close()
		path := f.create("t", 7, 8)
		f.hook = func(_ *fakeNode, r wire.Request) *fakeReply {
			if r.API == wire.APIGetTableInfo {
				time.Sleep(time.Second)
			}
			return nil
		}
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		var wg sync.WaitGroup
		wg.Go(func() {
			if _, err := c.Table(t.Context(), path); err != nil {
				t.Error(err)
			}
		})
		if _, err := c.Table(ctx, path); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
		wg.Wait()
	})
}

func TestServersLeave(t *testing.T) {
	run(t, 2, func(t *testing.T, f *fake) {
		c := f.client(nil, "boss:1")
		defer c.Close()
		path := f.create("t", 7, 2)
		f.set(func() { f.tables[path].leaders[1] = 1 })
		table := mustTable(t, c, path)
		mustFind(t, c, call(table, 0, "a"), call(table, 1, "b"))
		f.set(func() { f.nodes[1].addr = "moved:1" })
		f.cut(f.nodes[1])
		mustFind(t, c, call(table, 1, "b"))
		if err := c.Ping(t.Context()); err != nil {
			t.Fatal(err)
		}
		c.nodes.mu.Lock()
		defer c.nodes.mu.Unlock()
		if c.nodes.byAddr["tablet1:1"] != nil || c.nodes.byAddr["moved:1"] == nil || len(c.nodes.byAddr) != 3 {
			t.Errorf("addresses in use: %v", c.nodes.byAddr)
		}
	})
}

// A cluster whose leader is dead while the survivors still name it: the refreshes are spaced.
func TestFailoverTakesLong(t *testing.T) {
	run(t, 2, func(t *testing.T, f *fake) {
		c := f.client(nil, "tablet1:1")
		defer c.Close()
		path := f.create("t", 7, 4)
		table := mustTable(t, c, path)
		mustFind(t, c, call(table, 0, "a"))
		f.set(func() { f.nodes[0].down = true })
		f.cut(f.nodes[0])
		time.AfterFunc(20*time.Second, func() { f.lead(path, 1) })
		f.set(func() { f.seen = nil })
		began := time.Now()
		var wg sync.WaitGroup
		for i := range 64 {
			wg.Go(func() { mustFind(t, c, call(table, int32(i%4), fmt.Sprint(i))) })
		}
		wg.Wait()
		if d := time.Since(began); d < 20*time.Second || d > 22*time.Second {
			t.Errorf("took %v", d)
		}
		if n := f.count(wire.APIGetMetadata); n > 60 {
			t.Errorf("%d metadata requests in 20 s", n)
		}
	})
}

// Who wants short attempts does not wait long between them: faults that come one after the other cost no second each.
func TestShortAttemptsShortPauses(t *testing.T) {
	run(t, 1, func(t *testing.T, f *fake) {
		c := f.client(func(c *Config) { c.AttemptTimeout = 90 * time.Millisecond })
		defer c.Close()
		table := mustTable(t, c, f.create("t", 7, 1))
		cut := false
		f.set(func() {
			f.hook = func(_ *fakeNode, r wire.Request) *fakeReply {
				if r.API == wire.APILookup {
					cut = !cut
				}
				if cut && r.API == wire.APILookup {
					return &fakeReply{hangUp: true}
				}
				return nil
			}
		})
		for range 10 {
			began := time.Now()
			mustFind(t, c, call(table, 0, "a"))
			if d := time.Since(began); d > 100*time.Millisecond {
				t.Errorf("a broken connection cost %v", d)
			}
		}
	})
}

func TestDDL(t *testing.T) {
	create := func(c *Client, again bool) error { return c.CreateDatabase(context.Background(), "d", nil, again) }
	for _, test := range []struct {
		name  string
		fault func(f *fake) func(n *fakeNode, r wire.Request) *fakeReply // for the first CREATE DATABASE
		again bool
		sent  int
		want  func(err error) bool
	}{
		{"fine", func(*fake) func(*fakeNode, wire.Request) *fakeReply { return nil }, false, 1, func(err error) bool { return err == nil }},
		{"refused", func(*fake) func(*fakeNode, wire.Request) *fakeReply {
			return func(*fakeNode, wire.Request) *fakeReply { return &fakeReply{code: wire.CodeDatabaseAlreadyExist} }
		}, false, 1, func(err error) bool { return hasCode(err, wire.CodeDatabaseAlreadyExist) }},
		{"hung up", func(*fake) func(*fakeNode, wire.Request) *fakeReply {
			return func(*fakeNode, wire.Request) *fakeReply { return &fakeReply{hangUp: true} }
		}, false, 1, is[*UnknownOutcomeError]},
		{"hung up, again", func(*fake) func(*fakeNode, wire.Request) *fakeReply {
			return func(*fakeNode, wire.Request) *fakeReply { return &fakeReply{hangUp: true} }
		}, true, 2, func(err error) bool { return err == nil }},
		{"silent", func(*fake) func(*fakeNode, wire.Request) *fakeReply {
			return func(*fakeNode, wire.Request) *fakeReply { return &fakeReply{silent: true} }
		}, false, 1, func(err error) bool {
			return is[*UnknownOutcomeError](err)
		}},
		{"silent, again, coordinator gone", func(*fake) func(*fakeNode, wire.Request) *fakeReply {
			return func(n *fakeNode, _ wire.Request) *fakeReply { n.down = true; return &fakeReply{hangUp: true} }
		}, true, 1, func(err error) bool {
			return is[*UnknownOutcomeError](err) && errors.Is(err, context.DeadlineExceeded)
		}},
		{"moved", func(f *fake) func(*fakeNode, wire.Request) *fakeReply {
			f.boss.addr = "newboss:1"
			f.mu.Unlock()
			f.cut(f.boss)
			f.mu.Lock()
			return nil
		}, false, 1, func(err error) bool { return err == nil }},
	} {
		t.Run(test.name, func(t *testing.T) {
			run(t, 1, func(t *testing.T, f *fake) {
				c := f.client(nil)
				defer c.Close()
				if err := create(c, true); err != nil {
					t.Fatal(err)
				}
				f.set(func() {
					f.seen = nil
					fault := test.fault(f)
					f.hook = func(n *fakeNode, r wire.Request) *fakeReply {
						if r.API == wire.APICreateDatabase && fault != nil {
							defer func() { fault = nil }()
							return fault(n, r)
						}
						return nil
					}
				})
				if err := create(c, test.again); !test.want(err) {
					t.Errorf("got %v", err)
				}
				if n := f.count(wire.APICreateDatabase); n != test.sent {
					t.Errorf("sent %d times, want %d", n, test.sent)
				}
			})
		})
	}
}

func TestDDLWithoutCoordinator(t *testing.T) {
	run(t, 1, func(t *testing.T, f *fake) {
		c := f.client(nil)
		defer c.Close()
		f.set(func() { f.boss.down = true })
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		err := c.CreateDatabase(ctx, "d", nil, false)
		if is[*UnknownOutcomeError](err) || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
		f.set(func() { f.boss.down = false })
		if err := c.CreateDatabase(t.Context(), "d", nil, false); err != nil {
			t.Error(err)
		}
	})
}

func TestOffsets(t *testing.T) {
	run(t, 3, func(t *testing.T, f *fake) {
		c := f.client(nil)
		defer c.Close()
		path := f.create("t", 7, 9)
		f.set(func() {
			for i := range f.tables[path].leaders {
				f.tables[path].leaders[i] = int32(i % 3)
			}
		})
		table := mustTable(t, c, path)
		var buckets []catalog.Bucket
		for i := range 9 {
			b := bucketOf(table, int32(i))
			buckets = append(buckets, b)
			f.fill(b, 10, i+1)
		}
		check := func() {
			t.Helper()
			ends, err := c.Offsets(t.Context(), table, buckets, Latest())
			if err != nil {
				t.Fatal(err)
			}
			for i, end := range ends {
				if end != int64(i+1) {
					t.Errorf("bucket %d: end %d", i, end)
				}
			}
		}
		check()
		if n := f.count(wire.APIListOffsets); n != 3 {
			t.Errorf("%d requests for 9 buckets on 3 servers", n)
		}
		f.lead(path, 1)
		check()
		f.cut(f.nodes[1])
		check()
		f.set(func() { f.nodes[1].frozen = true })
		f.lead(path, 2)
		check()
	})
}

func TestPrefixAndLimit(t *testing.T) {
	run(t, 1, func(t *testing.T, f *fake) {
		c := f.client(nil)
		defer c.Close()
		table := mustTable(t, c, f.create("t", 7, 2))
		hook := func(_ *fakeNode, r wire.Request) *fakeReply {
			switch r.API {
			case wire.APIPrefixLookup:
				req := read(f, &flusspb.PrefixLookupRequest{}, r.Body)
				return success(&flusspb.PrefixLookupResponse{BucketsResp: []*flusspb.PbPrefixLookupRespForBucket{{
					BucketId: req.BucketsReq[0].BucketId, ValueLists: []*flusspb.PbValueList{{Values: [][]byte{{1}, {2}}}},
				}}})
			case wire.APILimitScan:
				req := read(f, &flusspb.LimitScanRequest{}, r.Body)
				if req.GetLimit() == 1 {
					return success(&flusspb.LimitScanResponse{ErrorCode: proto.Int32(int32(wire.CodeAuthorization))})
				}
				return success(&flusspb.LimitScanResponse{Records: []byte("rows")})
			case wire.APIGetTableStats:
				return success(&flusspb.GetTableStatsResponse{BucketsResp: []*flusspb.PbTableStatsRespForBucket{
					{BucketId: proto.Int32(1), RowCount: proto.Int64(11)}, {BucketId: proto.Int32(0), ErrorCode: proto.Int32(15)},
				}})
			}
			return nil
		}
		f.set(func() { f.hook = hook })
		prefix := &PrefixCall{Table: table, Bucket: bucketOf(table, 1), Key: []byte("k")}
		if err := c.PrefixLookup(t.Context(), prefix); err != nil || len(prefix.Values) != 2 {
			t.Errorf("got %v, %v", prefix.Values, err)
		}
		rows, err := c.LimitScan(t.Context(), table, bucketOf(table, 1), 10)
		if err != nil || string(rows) != "rows" {
			t.Errorf("got %q, %v", rows, err)
		}
		if _, err := c.LimitScan(t.Context(), table, bucketOf(table, 1), 1); !hasCode(err, wire.CodeAuthorization) {
			t.Errorf("got %v", err)
		}
		counts, err := c.Stats(t.Context(), table, []catalog.Bucket{bucketOf(table, 1)})
		if err != nil || counts[0] != 11 {
			t.Errorf("got %v, %v", counts, err)
		}
		if _, err := c.Stats(t.Context(), table, []catalog.Bucket{bucketOf(table, 1), bucketOf(table, 0)}); !hasCode(err, wire.CodeInvalidTable) {
			t.Errorf("got %v", err)
		}
	})
}

// Many goroutines while leaders move and connections break, in real time, for the race detector.
func TestConcurrentUse(t *testing.T) {
	f := newFake(t, 3)
	c := f.client(func(cfg *Config) { cfg.AttemptTimeout = 200 * time.Millisecond }, "tablet0:1", "boss:1")
	path := f.create("t", 7, 6)
	stop := make(chan struct{})
	var chaos sync.WaitGroup
	chaos.Go(func() {
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			case <-time.After(2 * time.Millisecond):
			}
			switch i % 4 {
			case 0:
				f.lead(path, int32(i/4%3))
			case 1:
				f.cut(f.nodes[i%3])
			case 2:
				c.forget(path)
			}
		}
	})
	var wg sync.WaitGroup
	for g := range 16 {
		wg.Go(func() {
			for i := range 50 {
				ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
				if i%10 == 9 {
					cancel()
				}
				table, err := c.Table(ctx, path)
				if err == nil {
					one := call(table, int32(i%6), fmt.Sprint(g, i))
					if err = c.Lookup(ctx, one); err == nil && string(one.Value) != "v"+string(one.Key) {
						t.Errorf("got %q for %q", one.Value, one.Key)
					}
				}
				if err != nil && ctx.Err() == nil {
					t.Error(err)
				}
				cancel()
			}
		})
	}
	wg.Wait()
	close(stop)
	chaos.Wait()
	c.Close()
	for _, n := range f.nodes {
		f.cut(n)
	}
}
