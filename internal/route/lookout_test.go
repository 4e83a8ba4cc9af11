package route

import (
	"fmt"
	"io"
	"sync"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/wire"
	"github.com/gofluss/fluss/internal/wire/flusspb"
)

// failover is a table that tablet server 0 leads until it is frozen, and 1 from visible on, as the coordinator
// says. The other tablet servers go on naming 0, in their lists of servers too.
type failover struct {
	f     *fake
	c     *Client
	path  catalog.TablePath
	table *catalog.Table
	begin time.Time
}

func newFailover(t *testing.T, f *fake, change func(*Config), addresses ...string) *failover {
	o := &failover{f: f, c: f.client(change, addresses...), path: f.create("t", 7, 2)}
	o.table = mustTable(t, o.c, o.path)
	f.fill(bucketOf(o.table, 0), 10, 8)
	for _, server := range []int32{1, 0} { // so that there are connections to both
		f.lead(o.path, server)
		for _, read := range o.reads(t) {
			read()
		}
	}
	return o
}

// reads are one of each kind.
func (o *failover) reads(t *testing.T) map[string]func() {
	b := bucketOf(o.table, 0)
	return map[string]func(){
		"lookup": func() { mustFind(t, o.c, call(o.table, 0, "k")) },
		"offsets": func() {
			if _, err := o.c.Offsets(t.Context(), o.table, []catalog.Bucket{b}, Latest()); err != nil {
				t.Errorf("Offsets: %v", err)
			}
		},
		"scan": func() {
			o.f.mu.Lock()
			end := o.f.end(b)
			o.f.mu.Unlock()
			if _, err := scanAll(t, o.c, ScanSpec{Table: o.table, Ranges: []ScanRange{{Bucket: b, End: end}}}); err != io.EOF {
				t.Errorf("scan: %v", err)
			}
		},
	}
}

// freeze freezes the leader; the coordinator names the next one after visible.
func (o *failover) freeze(visible time.Duration) {
	o.begin = time.Now()
	o.f.set(func() {
		o.f.nodes[0].frozen = true
		o.f.hook = func(n *fakeNode, r wire.Request) *fakeReply {
			if n == o.f.boss || r.API != wire.APIGetMetadata {
				return nil
			}
			o.f.mu.Lock()
			defer o.f.mu.Unlock()
			return o.f.stale(read(o.f, &flusspb.MetadataRequest{}, r.Body))
		}
	})
	time.AfterFunc(visible, func() {
		o.f.set(func() { o.f.nodes[0].left = true })
		o.f.lead(o.path, 1)
	})
}

// stale is what tablet servers say of the tables: 0 is there and leads all.
func (f *fake) stale(req *flusspb.MetadataRequest) *fakeReply {
	left := f.nodes[0].left
	f.nodes[0].left = false
	reply := f.metadata(req)
	f.nodes[0].left = left
	var m flusspb.MetadataResponse
	if reply.code == wire.CodeNone && proto.Unmarshal(reply.body, &m) == nil {
		for _, t := range m.TableMetadata {
			for _, b := range t.BucketMetadata {
				b.LeaderId = proto.Int32(0)
			}
		}
		reply.body = message(&m)
	}
	return reply
}

// readFrom has reads begin every so often from one time after the freeze to another, and waits for them.
func (o *failover) readFrom(t *testing.T, from, to, every, limit time.Duration) {
	t.Helper()
	var all sync.WaitGroup
	for at := from; at < to; at += every {
		for kind, one := range o.reads(t) {
			all.Go(func() {
				time.Sleep(at - time.Since(o.begin))
				one()
				if d := time.Since(o.begin); d > limit {
					t.Errorf("%s begun at %v ended at %v, want at most %v", kind, at, d, limit)
				}
			})
		}
	}
	all.Wait()
}

// metadataRate is the worst number of metadata requests in a second, at any server.
func (f *fake) metadataRate() (worst int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var at []time.Time
	for _, s := range f.seen {
		if s.API == wire.APIGetMetadata {
			at = append(at, s.at)
		}
	}
	for i := range at {
		n := 0
		for _, other := range at[i:] {
			if other.Sub(at[i]) < time.Second {
				n++
			}
		}
		worst = max(worst, n)
	}
	return worst
}

// A frozen leader costs a read no more than the time until the coordinator names the next one, and a moment.
func TestFrozenLeader(t *testing.T) {
	const moment = 450 * time.Millisecond
	for _, visible := range []time.Duration{900 * time.Millisecond, 2900 * time.Millisecond, 3444 * time.Millisecond, 8 * time.Second} {
		for name, from := range map[string]time.Duration{"all the time": 0, "just before": visible - 100*time.Millisecond} {
			for _, addresses := range [][]string{{"tablet0:1"}, {"boss:1", "tablet0:1", "tablet1:1", "tablet2:1"}, {"tablet2:1"}} {
				t.Run(fmt.Sprint(visible, " ", name, " ", len(addresses), addresses[0]), func(t *testing.T) {
					run(t, 3, func(t *testing.T, f *fake) {
						o := newFailover(t, f, nil, addresses...)
						defer o.c.Close()
						o.freeze(visible)
						o.readFrom(t, from, visible, 200*time.Millisecond, visible+moment)
						if n := f.metadataRate(); n > 12 {
							t.Errorf("%d metadata requests in a second", n)
						}
					})
				})
			}
		}
	}
}

// The next leader refuses until it knows that it is one, some time after the coordinator named it. Meanwhile nobody waits
// for the look whether the table is still there.
func TestLateLeader(t *testing.T) {
	const visible, moment = 3 * time.Second, 250 * time.Millisecond
	for _, late := range []time.Duration{100 * time.Millisecond, 400 * time.Millisecond, 700 * time.Millisecond, 1200 * time.Millisecond} {
		run(t, 3, func(t *testing.T, f *fake) {
			o := newFailover(t, f, nil)
			defer o.c.Close()
			f.set(func() { f.nodes[1].late = true })
			o.freeze(visible)
			f.set(func() {
				stale := f.hook
				f.hook = func(n *fakeNode, r wire.Request) *fakeReply {
					if r.API == wire.APIGetTableInfo {
						return &fakeReply{silent: true}
					}
					return stale(n, r)
				}
			})
			time.AfterFunc(visible+late, func() { f.set(func() { f.nodes[1].late = false }) })
			o.readFrom(t, 0, visible+late, 200*time.Millisecond, visible+late+moment)
			if n := f.metadataRate(); n > 16 {
				t.Errorf("%d metadata requests in a second", n)
			}
		})
	}
}

// After a server was frozen the next leader may leave single connections unanswered, as a thread of its own waits for that
// server. Reads go on over another connection, even when that one is not answered either.
func TestStuckConnections(t *testing.T) {
	const visible = 3 * time.Second
	for _, stuck := range []int{0, 1, 2} {
		run(t, 3, func(t *testing.T, f *fake) {
			o := newFailover(t, f, nil)
			defer o.c.Close()
			o.freeze(visible)
			f.set(func() {
				f.nodes[1].mute = append(f.nodes[1].mute, f.nodes[1].conns...)
				f.nodes[1].stuck = stuck
			})
			o.readFrom(t, 0, visible, 200*time.Millisecond, visible+650*time.Millisecond)
		})
	}
}

// No connection of the next leader is there yet, and the first to be made are not answered.
func TestStuckDials(t *testing.T) {
	const visible = 3 * time.Second
	for _, stuck := range []int{1, 2, 3} {
		run(t, 3, func(t *testing.T, f *fake) {
			o := newFailover(t, f, nil)
			defer o.c.Close()
			f.cut(f.nodes[1])
			o.freeze(visible)
			f.set(func() { f.nodes[1].stuck = stuck })
			o.readFrom(t, 0, visible, 200*time.Millisecond, visible+450*time.Millisecond)
		})
	}
}

// A server that takes its time is not taken for a frozen one: nothing is sent twice, and the coordinator is asked now
// and then. After another one left, reads move to a new connection once.
func TestSlowServer(t *testing.T) {
	for _, unrest := range []bool{false, true} {
		run(t, 2, func(t *testing.T, f *fake) {
			o := newFailover(t, f, nil)
			defer o.c.Close()
			f.set(func() { f.nodes[1].left = unrest })
			if err := o.c.Ping(t.Context()); err != nil {
				t.Fatal(err)
			}
			f.slowly(time.Second)
			f.set(func() { f.parallel = true })
			conns, lookups, asked := len(f.nodes[0].conns), f.count(wire.APILookup), f.count(wire.APIGetMetadata)
			const calls = 10
			for range calls {
				mustFind(t, o.c, call(o.table, 0, "k"))
			}
			again := 0
			if unrest {
				again = 1
			}
			if n := len(f.nodes[0].conns) - conns; n != again {
				t.Errorf("unrest %v: %d connections were made, want %d", unrest, n, again)
			}
			if n := f.count(wire.APILookup) - lookups; n != calls+again {
				t.Errorf("unrest %v: %d lookups, want %d", unrest, n, calls+again)
			}
			if n := f.count(wire.APIGetMetadata) - asked; n > 5*calls {
				t.Errorf("unrest %v: %d metadata requests in %d seconds", unrest, n, calls)
			}
		})
	}
}

// While a server is frozen and no other can take over, clients ask, and dial, at a bounded rate.
func TestFrozenRate(t *testing.T) {
	const most = 10 * time.Second // of a minute the race detector does not survive the timers (golang/go#78156)
	for unrest, dialed := range map[bool]int{false: 6, true: 30} {
		run(t, 3, func(t *testing.T, f *fake) {
			o := newFailover(t, f, func(c *Config) { c.RequestTimeout = most })
			defer o.c.Close()
			f.set(func() { f.nodes[2].left = unrest })
			if err := o.c.Ping(t.Context()); err != nil {
				t.Fatal(err)
			}
			o.freeze(time.Hour)
			dials := f.dials
			var all sync.WaitGroup
			for range 20 {
				all.Go(func() { _ = o.c.Lookup(t.Context(), call(o.table, 0, "k")) }) // ends with request_timeout
			}
			all.Wait()
			if n := f.metadataRate(); n > 10 {
				t.Errorf("unrest %v: %d metadata requests in a second", unrest, n)
			}
			if n := f.count(wire.APIGetMetadata); n > 75 {
				t.Errorf("unrest %v: %d metadata requests in %v", unrest, n, most)
			}
			if n := f.dials - dials; n > dialed {
				t.Errorf("unrest %v: %d dials in %v", unrest, n, most)
			}
		})
	}
}
