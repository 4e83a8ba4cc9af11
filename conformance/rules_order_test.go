package conformance

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gofluss/fluss"
	"github.com/gofluss/fluss/flusstest"
	"github.com/gofluss/fluss/internal/wire"
)

// The rules of writing, by number, as ruleTests has them: rules 1 to 5 are here.

// Rule 1: one writer id and one connection for each bucket, at most five unanswered batches, in order.
func TestRule01OneWriterPerBucket(t *testing.T) {
	inRules(t, nil, func(t *testing.T, r *ruleRig) {
		const held = 10 * time.Millisecond
		r.set(func(q *flusstest.Request, _ []sentBatch) flusstest.Action {
			if writes(q) {
				return flusstest.Action{Delay: held}
			}
			return flusstest.Action{}
		})
		mark := r.mark()
		var callers sync.WaitGroup
		for c := range 32 {
			callers.Go(func() {
				for n := range 20 {
					time.Sleep(time.Millisecond) // so that batches are many and small
					table := []string{"t", "l"}[n%2]
					if _, err := r.db.Exec("INSERT INTO d."+table+" VALUES (?, 'x')", 1000*(c+1)+n); err != nil {
						t.Error(err)
					}
				}
			})
		}
		callers.Wait()
		byBucket := map[flusstest.Bucket][]sentBatch{}
		for _, b := range r.since(mark) {
			byBucket[b.bucket] = append(byBucket[b.bucket], b)
		}
		most := 0
		for _, list := range byBucket {
			for i, b := range list {
				open := 1
				for _, before := range list[:i] {
					if b.at.Sub(before.at) < held {
						open++
					}
				}
				most = max(most, open)
				if b.conn != list[0].conn || b.id != list[0].id {
					t.Errorf("%s: connection %d, writer %d; first %d, %d", b.place(), b.conn, b.id, list[0].conn, list[0].id)
				}
				if i > 0 && b.seq != list[i-1].seq+1 {
					t.Errorf("%s: sequence %d behind %d", b.place(), b.seq, list[i-1].seq)
				}
			}
		}
		if len(byBucket) != 6 || most < 2 || most > 5 {
			t.Errorf("%d buckets, at most %d batches unanswered: want 6, and 2 to 5", len(byBucket), most)
		}
	})
}

// Rule 2: a sequence never carries other bytes once sent, whatever happens. The rig checks every copy.
func TestRule02SequenceKeepsItsBytes(t *testing.T) {
	total := 0
	var unknown atomic.Int64
	for seed := range uint64(6) {
		inRules(t, func(c *fluss.Config) { c.RequestTimeout, c.WriteTimeout = 2*time.Second, 10*time.Second }, func(t *testing.T, r *ruleRig) {
			remove := r.srv.Faults(seed, flusstest.Profile{
				Drop: 0.03, Lose: 0.05, Hangup: 0.03, Cut: 0.05, Delay: 0.2, Refuse: 0.05, MaxDelay: time.Second,
				Codes: []int{12, 25, 28, 44, 57, -1, 29}, APIs: []flusstest.API{flusstest.PutKV, flusstest.ProduceLog},
			})
			r.srv.Hook(r.see) // the newest hook is asked first
			mark := r.mark()
			var callers sync.WaitGroup
			for c := range 8 {
				callers.Go(func() {
					for n := range 30 {
						ctx, cancel := context.WithTimeout(context.Background(), time.Duration(1+n%7)*time.Second)
						_, err := r.db.ExecContext(ctx, "INSERT INTO d."+[]string{"t", "l"}[n%2]+" VALUES (?, 'x')", 1000*(c+1)+n)
						cancel()
						if errors.Is(err, fluss.ErrAmbiguousWrite) {
							unknown.Add(1)
						}
					}
				})
			}
			callers.Wait()
			remove()
			copies := map[string]int{}
			for _, b := range r.since(mark) {
				copies[fmt.Sprint(b.id, " ", b.seq)]++
			}
			again := 0
			for _, n := range copies {
				again += n - 1
			}
			total += again
		})
	}
	t.Logf("%d copies sent again, %d outcomes unknown", total, unknown.Load())
	if total == 0 || unknown.Load() == 0 {
		t.Error("the run shows nothing")
	}
}

// cutConn breaks in the middle of the next write request, after n bytes of its frame.
type cutConn struct {
	net.Conn
	after *atomic.Int64 // -1: does nothing
	cut   *atomic.Int64 // how long the frame was
}

func (c *cutConn) Write(b []byte) (int, error) {
	if len(b) >= 6 {
		api := wire.APIKey(binary.BigEndian.Uint16(b[4:]))
		if n := c.after.Load(); n >= 0 && (api == wire.APIPutKV || api == wire.APIProduceLog) {
			c.after.Store(-1)
			c.cut.Store(int64(len(b)))
			n = min(n, int64(len(b)))
			c.Conn.Write(b[:n])
			c.Conn.Close()
			return int(n), net.ErrClosed
		}
	}
	return c.Conn.Write(b)
}

// Rule 3: a frame that did not leave whole was not stored. It is sent again, and when that cannot be its rows are not
// stored for certain; of a frame that left whole the outcome is unknown.
func TestRule03CutRequest(t *testing.T) {
	for _, table := range []string{"t1", "l1"} {
		inRules(t, func(c *fluss.Config) { c.ConnectTimeout = time.Second }, func(t *testing.T, r *ruleRig) {
			r.oneBucket()
			var after, cut atomic.Int64
			var dead atomic.Bool
			after.Store(-1)
			r.mu.Lock()
			r.dial = func(ctx context.Context, network, addr string) (net.Conn, error) {
				if dead.Load() {
					return nil, errors.New("nobody there")
				}
				nc, err := r.srv.Dial(ctx, network, addr)
				return &cutConn{nc, &after, &cut}, err
			}
			r.mu.Unlock()
			r.srv.DropConnections()
			mustExec(t, r.db, "INSERT INTO d."+table+" VALUES (100, 'x')")
			k, frame := 1000, int64(1000)
			for at := int64(0); at < frame; at += 9 {
				k++
				after.Store(at)
				mustExec(t, r.db, "INSERT INTO d."+table+" VALUES (?, 'x')", k)
				frame = cut.Load()
				if got := r.holds(table, k); got[0] != 1 {
					t.Fatalf("cut after %d of %d bytes: the row is there %d times", at, frame, got[0])
				}
			}
			for _, c := range []struct {
				at        int64
				ambiguous bool
			}{{0, false}, {20, false}, {frame - 1, false}, {frame, true}} {
				mustExec(t, r.db, "INSERT INTO d."+table+" VALUES (100, 'x')")
				k++
				after.Store(c.at)
				ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
				dead.Store(true)
				err := <-r.exec(ctx, "INSERT INTO d."+table+" VALUES (?, 'x')", k)
				cancel()
				dead.Store(false)
				if after.Load() != -1 || !errors.Is(err, context.DeadlineExceeded) || errors.Is(err, fluss.ErrAmbiguousWrite) != c.ambiguous {
					t.Errorf("%d of %d bytes left, then nobody is there: got %v, want unknown %v", c.at, frame, err, c.ambiguous)
				}
			}
		})
	}
}

// Rule 4: a lost answer is settled by the identical bytes, before anything later goes to that bucket, also when its caller
// has left; what waits behind and gives up is not stored.
func TestRule04IdenticalFirst(t *testing.T) {
	for _, table := range []string{"t1", "l1"} {
		for _, performed := range []bool{false, true} {
			inRules(t, nil, func(t *testing.T, r *ruleRig) {
				r.oneBucket()
				mark := r.mark()
				r.set(func(q *flusstest.Request, _ []sentBatch) flusstest.Action {
					if writes(q) {
						return flusstest.Action{Skip: !performed, Silent: true, Close: true}
					}
					return flusstest.Action{}
				})
				ctx, cancel := context.WithTimeout(context.Background(), time.Second)
				defer cancel()
				if err := <-r.exec(ctx, "INSERT INTO d."+table+" VALUES (100, 'left')"); !errors.Is(err, fluss.ErrAmbiguousWrite) || !errors.Is(err, context.DeadlineExceeded) {
					t.Fatalf("got %v, want an unknown outcome", err)
				}
				ctx, cancel = context.WithTimeout(context.Background(), 2*time.Second)
				defer cancel()
				if err := <-r.exec(ctx, "INSERT INTO d."+table+" VALUES (101, 'waits')"); !errors.Is(err, context.DeadlineExceeded) || errors.Is(err, fluss.ErrAmbiguousWrite) {
					t.Errorf("behind it: got %v, want the context's error alone", err)
				}
				r.set(nil)
				mustExec(t, r.db, "INSERT INTO d."+table+" VALUES (102, 'next')")
				sent := r.since(mark)
				first, at := sent[0], slices.IndexFunc(sent, func(b sentBatch) bool { return bytes.Contains(b.bytes, []byte("next")) })
				again := slices.ContainsFunc(sent[1:at], func(b sentBatch) bool { return bytes.Equal(b.bytes, first.bytes) })
				if !again || sent[at].id != first.id {
					t.Errorf("%d copies in front of the next write, identical %v, writers %d and %d", at-1, again, first.id, sent[at].id)
				}
				if got := r.holds(table, 100, 101, 102); !slices.Equal(got, []int{1, 0, 1}) {
					t.Errorf("rows are there %v times", got)
				}
			})
		}
	}
}

// Rule 5: nothing is sent again merely because time passes, nothing later than write_timeout, and nothing to another table
// than at first.
func TestRule05NoResendByItself(t *testing.T) {
	for _, table := range []string{"t1", "l1"} {
		inRules(t, nil, func(t *testing.T, r *ruleRig) {
			r.oneBucket()
			mark := r.mark()
			r.set(func(q *flusstest.Request, _ []sentBatch) flusstest.Action {
				if writes(q) {
					return flusstest.Drop()
				}
				return flusstest.Action{}
			})
			ctx, cancel := context.WithTimeout(context.Background(), time.Second)
			defer cancel()
			if err := <-r.exec(ctx, "INSERT INTO d."+table+" VALUES (100, 'left')"); !errors.Is(err, fluss.ErrAmbiguousWrite) {
				t.Fatalf("got %v, want an unknown outcome", err)
			}
			time.Sleep(90 * time.Second)
			synctest.Wait()
			if n := len(r.since(mark)); n != 1 {
				t.Errorf("%d copies while nobody waits", n)
			}
			mustExec(t, r.db, "DROP TABLE d."+table)
			r.set(nil)
			r.oneBucketAgain(table)
			mustExec(t, r.db, "INSERT INTO d."+table+" VALUES (102, 'next')")
			if got := r.holds(table, 100, 102); !slices.Equal(got, []int{0, 1}) {
				t.Errorf("rows are there %v times", got)
			}
			for _, b := range r.since(mark)[1:] {
				if bytes.Contains(b.bytes, []byte("left")) {
					t.Errorf("the old batch went to %s", b.place())
				}
			}
		})
		inRules(t, nil, func(t *testing.T, r *ruleRig) {
			r.oneBucket()
			mark := r.mark()
			r.set(func(q *flusstest.Request, _ []sentBatch) flusstest.Action {
				if writes(q) {
					return flusstest.Drop()
				}
				return flusstest.Action{}
			})
			begin := time.Now()
			if err := <-r.exec(context.Background(), "INSERT INTO d."+table+" VALUES (100, 'left')"); !errors.Is(err, fluss.ErrAmbiguousWrite) {
				t.Fatalf("got %v, want an unknown outcome", err)
			}
			time.Sleep(time.Hour)
			synctest.Wait()
			sent := r.since(mark)
			if last := sent[len(sent)-1].at.Sub(begin); last > 2*time.Minute || len(sent) < 2 {
				t.Errorf("%d copies, the last after %v", len(sent), last)
			}
		})
	}
}

// oneBucketAgain creates one of the tables of oneBucket anew, without a row.
func (r *ruleRig) oneBucketAgain(table string) {
	r.t.Helper()
	key := ""
	if table == "t1" {
		key = ", PRIMARY KEY (k) NOT ENFORCED"
	}
	mustExec(r.t, r.db, "CREATE TABLE d."+table+" (k INT NOT NULL, v STRING"+key+") WITH ('bucket.num'='1', 'table.log.arrow.compression.type'='none')")
}
