package route

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/wire"
	"github.com/gofluss/fluss/internal/wire/flusspb"
)

func call(t *catalog.Table, bucket int32, key string) *LookupCall {
	return &LookupCall{Table: t, Bucket: bucketOf(t, bucket), Key: []byte(key)}
}

func mustFind(t *testing.T, c *Client, calls ...*LookupCall) {
	t.Helper()
	if err := c.Lookup(t.Context(), calls...); err != nil {
		t.Fatalf("Lookup: %v", err)
	}
	for _, call := range calls {
		want := "v" + string(call.Key)
		if call.Key[0] == 'x' {
			want = ""
		}
		if string(call.Value) != want || (call.Value == nil) != (want == "") {
			t.Fatalf("key %q: got %q, want %q", call.Key, call.Value, want)
		}
	}
}

func TestLookup(t *testing.T) {
	run(t, 2, func(t *testing.T, f *fake) {
		c := f.client(nil)
		defer c.Close()
		path := f.create("t", 7, 16)
		f.set(func() { f.tables[path].leaders[3] = 1 })
		table := mustTable(t, c, path)
		mustFind(t, c, call(table, 0, "a"))
		mustFind(t, c, call(table, 0, "x"))
		var calls []*LookupCall
		for i := range 5000 {
			calls = append(calls, call(table, int32(i%16), fmt.Sprint(i)))
		}
		before := f.count(wire.APILookup)
		mustFind(t, c, calls...)
		if n := f.count(wire.APILookup) - before; n > 4 {
			t.Errorf("5000 keys on 2 servers took %d requests", n)
		}
		if n := f.count(wire.APIGetMetadata); n != 1 {
			t.Errorf("%d metadata requests, want 1", n)
		}
	})
}

func TestLookupCoalesces(t *testing.T) {
	run(t, 1, func(t *testing.T, f *fake) {
		c := f.client(nil)
		defer c.Close()
		table := mustTable(t, c, f.create("t", 7, 4))
		mustFind(t, c, call(table, 0, "warm"))
		gate := make(chan struct{})
		f.set(func() {
			f.seen = nil
			f.hook = func(_ *fakeNode, r wire.Request) *fakeReply {
				if r.API == wire.APILookup {
					<-gate
				}
				return nil
			}
		})
		var wg sync.WaitGroup
		for i := range 64 {
			wg.Go(func() { mustFind(t, c, call(table, int32(i%4), fmt.Sprint(i))) })
			synctest.Wait()
		}
		if q := (*c.state(table).lookups.Load())[0]; len(q.waiting) != 62 || q.underWay != 2 {
			t.Errorf("%d under way and %d waiting, want 2 and 62", q.underWay, len(q.waiting))
		}
		close(gate)
		wg.Wait()
		if n := f.count(wire.APILookup); n != 3 {
			t.Errorf("64 callers made %d requests, want 3", n)
		}
	})
}

func TestLookupCancelled(t *testing.T) {
	run(t, 1, func(t *testing.T, f *fake) {
		c := f.client(nil)
		defer c.Close()
		table := mustTable(t, c, f.create("t", 7, 4))
		mustFind(t, c, call(table, 0, "warm"))
		gate := make(chan struct{})
		f.set(func() {
			f.hook = func(_ *fakeNode, r wire.Request) *fakeReply {
				if r.API == wire.APILookup {
					<-gate
				}
				return nil
			}
		})
		for i := range 5 { // two on the way, three waiting
			ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
			began := time.Now()
			lost := call(table, 0, fmt.Sprint(i))
			err := c.Lookup(ctx, lost)
			cancel()
			if !errors.Is(err, context.DeadlineExceeded) || time.Since(began) > 2*time.Millisecond {
				t.Fatalf("got %v after %v", err, time.Since(began))
			}
			lost.Key[0] = '!' // the caller's again
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := c.Lookup(ctx, call(table, 0, "x")); !errors.Is(err, context.Canceled) {
			t.Fatalf("got %v", err)
		}
		close(gate)
		mustFind(t, c, call(table, 1, "after"))
		synctest.Wait()
		for _, s := range f.seen {
			if s.API == wire.APILookup {
				for _, b := range read(f, &flusspb.LookupRequest{}, s.Body).BucketsReq {
					for _, k := range b.Keys {
						if k[0] == '!' {
							t.Errorf("a caller's memory was sent after it left: %q", k)
						}
					}
				}
			}
		}
	})
}

func TestLookupSilenceGoesElsewhere(t *testing.T) {
	run(t, 2, func(t *testing.T, f *fake) {
		c := f.client(nil, f.nodes[0].addr, f.nodes[1].addr)
		defer c.Close()
		path := f.create("t", 7, 2)
		table := mustTable(t, c, path)
		mustFind(t, c, call(table, 0, "warm"))
		f.set(func() { f.nodes[0].frozen = true })
		f.lead(path, 1)
		began := time.Now()
		mustFind(t, c, call(table, 0, "a"), call(table, 1, "b"))
		if d := time.Since(began); d < 2*time.Second || d > 8*time.Second {
			t.Errorf("took %v, want about AttemptTimeout", d)
		}
	})
}

// While a server is frozen the other tablet servers go on naming it; only the coordinator knows better.
func TestLookupFrozenLeader(t *testing.T) {
	run(t, 3, func(t *testing.T, f *fake) {
		c := f.client(nil, f.nodes[2].addr)
		defer c.Close()
		path := f.create("t", 7, 2)
		table := mustTable(t, c, path)
		mustFind(t, c, call(table, 0, "warm"))
		f.set(func() {
			f.nodes[0].frozen = true
			f.hook = func(n *fakeNode, r wire.Request) *fakeReply {
				if r.API != wire.APIGetMetadata || n == f.boss {
					return nil
				}
				f.mu.Lock()
				defer f.mu.Unlock()
				now := f.tables[path].leaders
				defer func() { f.tables[path].leaders = now }()
				f.tables[path].leaders = []int32{0, 0}
				return f.metadata(read(f, &flusspb.MetadataRequest{}, r.Body))
			}
		})
		time.AfterFunc(4*time.Second, func() {
			f.set(func() { f.nodes[0].left = true })
			f.lead(path, 1)
		})
		began := time.Now()
		var calls []*LookupCall
		for i := range 300 {
			calls = append(calls, call(table, int32(i%2), fmt.Sprint(i)))
		}
		mustFind(t, c, calls...)
		if d := time.Since(began); d < 4*time.Second || d > 6*time.Second {
			t.Errorf("took %v, the leader was there after 4 s", d)
		}
	})
}

func TestLookupStaleLeader(t *testing.T) {
	run(t, 2, func(t *testing.T, f *fake) {
		c := f.client(nil)
		defer c.Close()
		path := f.create("t", 7, 4)
		table := mustTable(t, c, path)
		mustFind(t, c, call(table, 0, "warm"))
		f.lead(path, 1)
		before := f.count(wire.APIGetMetadata)
		began := time.Now()
		var wg sync.WaitGroup
		for i := range 64 {
			wg.Go(func() { mustFind(t, c, call(table, int32(i%4), fmt.Sprint(i))) })
		}
		wg.Wait()
		if n := f.count(wire.APIGetMetadata) - before; n > 3 {
			t.Errorf("%d metadata requests for 64 callers", n)
		}
		if d := time.Since(began); d > 200*time.Millisecond {
			t.Errorf("took %v", d)
		}
	})
}

func TestLookupNotReady(t *testing.T) {
	run(t, 1, func(t *testing.T, f *fake) {
		c := f.client(nil)
		defer c.Close()
		path := f.create("t", 7, 1)
		table := mustTable(t, c, path)
		ready := time.Now().Add(time.Second)
		f.set(func() {
			f.tables[path].leaders[0] = -1
			f.hook = func(_ *fakeNode, r wire.Request) *fakeReply {
				f.set(func() {
					if time.Now().After(ready) {
						f.tables[path].leaders[0] = 0
					}
				})
				return nil
			}
		})
		mustFind(t, c, call(table, 0, "a"))
		if n := f.count(wire.APIGetMetadata); n > 12 {
			t.Errorf("%d metadata requests in a second", n)
		}
		f.lead(path, -1)
		f.set(func() { f.hook = nil })
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		err := c.Lookup(ctx, call(table, 0, "a"))
		want := "waiting for a leader of demo.t bucket 0: context deadline exceeded"
		if err == nil || !strings.HasPrefix(err.Error(), want) || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v, want %s", err, want)
		}
	})
}

func TestLookupTableChanged(t *testing.T) {
	run(t, 1, func(t *testing.T, f *fake) {
		c := f.client(nil)
		defer c.Close()
		path := f.create("t", 7, 4)
		old := mustTable(t, c, path)
		mustFind(t, c, call(old, 0, "a"))
		f.create("t", 8, 2)
		began := time.Now()
		var wg sync.WaitGroup
		for range 16 {
			wg.Go(func() {
				err := c.Lookup(t.Context(), call(old, 0, "a"))
				if changed, ok := errors.AsType[*TableChangedError](err); !ok || changed.Old != 7 || changed.New != 8 {
					t.Errorf("got %v", err)
				}
			})
		}
		wg.Wait()
		table := mustTable(t, c, path)
		if table.ID != 8 {
			t.Fatalf("table id %d", table.ID)
		}
		mustFind(t, c, call(table, 1, "a"))
		f.set(func() { delete(f.tables, path) })
		if err := c.Lookup(t.Context(), call(table, 1, "a")); !hasCode(err, wire.CodeTableNotExist) {
			t.Errorf("got %v", err)
		}
		if _, err := c.Table(t.Context(), path); !hasCode(err, wire.CodeTableNotExist) {
			t.Errorf("got %v", err)
		}
		if d := time.Since(began); d > time.Second {
			t.Errorf("took %v", d)
		}
	})
}

func TestLookupTooLargeTogether(t *testing.T) {
	run(t, 1, func(t *testing.T, f *fake) {
		c := f.client(func(cfg *Config) { cfg.MaxResponseBytes = 100 })
		defer c.Close()
		c.cfg.Wire.MaxResponse = 4096 // metadata has to come through
		table := mustTable(t, c, f.create("t", 7, 1))
		f.set(func() {
			f.hook = func(_ *fakeNode, r wire.Request) *fakeReply {
				if r.API != wire.APILookup {
					return nil
				}
				req := read(f, &flusspb.LookupRequest{}, r.Body)
				out := &flusspb.PbLookupRespForBucket{BucketId: proto.Int32(0)}
				for _, k := range req.BucketsReq[0].Keys {
					size := 1500
					if k[0] == 'H' {
						size = 5000
					}
					out.Values = append(out.Values, &flusspb.PbValue{Values: append(make([]byte, size), k...)})
				}
				return success(&flusspb.LookupResponse{BucketsResp: []*flusspb.PbLookupRespForBucket{out}})
			}
		})
		calls := []*LookupCall{call(table, 0, "a"), call(table, 0, "b"), call(table, 0, "c")}
		if err := c.Lookup(t.Context(), calls...); err != nil {
			t.Fatal(err)
		}
		for _, call := range calls {
			if len(call.Value) != 1501 {
				t.Errorf("value of %d bytes", len(call.Value))
			}
		}
		if err := c.Lookup(t.Context(), call(table, 0, "H")); !is[*wire.ErrResponseTooLarge](err) {
			t.Errorf("got %v", err)
		}
	})
}

func TestLookupErrors(t *testing.T) {
	for _, test := range []struct {
		name  string
		reply *flusspb.LookupResponse
		code  wire.ErrorCode
	}{
		{"not permitted", bucketCode(wire.CodeAuthorization), wire.CodeAuthorization},
		{"no partition of a table that has none", bucketCode(wire.CodePartitionNotExists), wire.CodePartitionNotExists},
		{"not a key table", bucketCode(wire.CodeNonPrimaryKeyTable), wire.CodeNonPrimaryKeyTable},
		{"left out", &flusspb.LookupResponse{}, wire.CodeNone},
		{"too few values", &flusspb.LookupResponse{BucketsResp: []*flusspb.PbLookupRespForBucket{{BucketId: proto.Int32(0)}}}, wire.CodeNone},
	} {
		t.Run(test.name, func(t *testing.T) {
			run(t, 1, func(t *testing.T, f *fake) {
				c := f.client(nil)
				defer c.Close()
				table := mustTable(t, c, f.create("t", 7, 1))
				f.set(func() {
					f.hook = func(_ *fakeNode, r wire.Request) *fakeReply {
						if r.API == wire.APILookup {
							return success(test.reply)
						}
						return nil
					}
				})
				one := call(table, 0, "a")
				err := c.Lookup(t.Context(), one)
				switch {
				case test.code != wire.CodeNone:
					if !hasCode(err, test.code) {
						t.Errorf("got %v", err)
					}
				case !errors.Is(err, errMalformed):
					t.Errorf("got %v", err)
				}
			})
		})
	}
}

func bucketCode(code wire.ErrorCode) *flusspb.LookupResponse {
	return &flusspb.LookupResponse{BucketsResp: []*flusspb.PbLookupRespForBucket{{
		BucketId: proto.Int32(0), ErrorCode: proto.Int32(int32(code)),
	}}}
}

func TestCloseEndsCalls(t *testing.T) {
	run(t, 1, func(t *testing.T, f *fake) {
		c := f.client(nil)
		table := mustTable(t, c, f.create("t", 7, 1))
		f.set(func() {
			f.hook = func(_ *fakeNode, r wire.Request) *fakeReply {
				if r.API == wire.APILookup {
					return &fakeReply{silent: true}
				}
				return nil
			}
		})
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				if err := c.Lookup(t.Context(), call(table, 0, "a")); !errors.Is(err, ErrClosed) {
					t.Errorf("got %v", err)
				}
			})
		}
		synctest.Wait()
		c.Close()
		wg.Wait()
		if err := c.Ping(t.Context()); !errors.Is(err, ErrClosed) {
			t.Errorf("Ping after Close: %v", err)
		}
		if _, err := c.Table(t.Context(), catalog.TablePath{Database: "a", Table: "b"}); !errors.Is(err, ErrClosed) {
			t.Errorf("Table after Close: %v", err)
		}
	})
}
