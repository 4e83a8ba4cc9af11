package conformance

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/gofluss/fluss"
	"github.com/gofluss/fluss/flusstest"
)

// Rules 6 to 10: what an answer says, what is done about silence, and what is never sent.

// onWrites is a hook that does something about writes only.
func onWrites(a flusstest.Action) func(*flusstest.Request, []sentBatch) flusstest.Action {
	return func(q *flusstest.Request, _ []sentBatch) flusstest.Action {
		if writes(q) {
			return a
		}
		return flusstest.Action{}
	}
}

// Rule 6: refusals prove that nothing is stored, other codes are tried again until write_timeout and leave the outcome
// open. The whole table, with every code and order of answers, is TestWriteOutcomes of the router.
func TestRule06WhatAnAnswerSays(t *testing.T) {
	for _, code := range []int{3, 9, 10, 12, 13, 14, 18, 25, 26, 28, 29, 35, 44, 48, 57, -1} {
		again := slices.Contains([]int{9, 10, 12, 25, 26, 28, 29, 44}, code)
		for _, table := range []string{"t1", "l1"} {
			t.Run(fmt.Sprintf("%d on %s", code, table), func(t *testing.T) {
				inRules(t, nil, func(t *testing.T, r *ruleRig) {
					r.oneBucket()
					mark := r.mark()
					r.set(onWrites(flusstest.Refuse(code)))
					_, err := r.db.Exec("INSERT INTO d." + table + " VALUES (100, 'x')")
					open := again && code != 29
					if err == nil || errors.Is(err, fluss.ErrAmbiguousWrite) != open {
						t.Errorf("got %v, want an unknown outcome: %v", err, open)
					}
					if n := len(r.since(mark)); n < 2 && (again || code == -1) || n > 1 && !again && code != -1 {
						t.Errorf("%d copies", n)
					}
					r.set(nil)
					mustExec(t, r.db, "INSERT INTO d."+table+" VALUES (101, 'x')")
					if got := r.holds(table, 100, 101); !slices.Equal(got, []int{0, 1}) {
						t.Errorf("rows are there %v times", got)
					}
				})
			})
		}
	}
}

// Rule 6: a success without a base offset is not stored.
func TestRule06NoBaseOffset(t *testing.T) {
	inRules(t, nil, func(t *testing.T, r *ruleRig) {
		r.oneBucket()
		r.set(func(q *flusstest.Request, _ []sentBatch) flusstest.Action {
			if q.API != flusstest.ProduceLog {
				return flusstest.Action{}
			}
			// ProduceLogResponse: 1 buckets_resp: 2 bucket_id 0, 5 base_offset -1
			one := protowire.AppendVarint([]byte{2 << 3, 0, 5 << 3}, ^uint64(0))
			return flusstest.Action{Skip: true, Answer: append([]byte{1<<3 | 2, byte(len(one))}, one...)}
		})
		_, err := r.db.Exec("INSERT INTO d.l1 VALUES (100, 'x')")
		if err == nil || errors.Is(err, fluss.ErrAmbiguousWrite) {
			t.Errorf("got %v, want an error, and not an unknown outcome", err)
		}
		r.set(nil)
		mustExec(t, r.db, "INSERT INTO d.l1 VALUES (101, 'x')")
		if got := r.holds("l1", 100, 101); !slices.Equal(got, []int{0, 1}) {
			t.Errorf("rows are there %v times", got)
		}
	})
}

// Rule 6: five in flight, the first of them refused for the moment: the server then says of the others that they are out
// of order, and all are stored, once and in order, when the first was sent again.
func TestRule06FirstOfFiveRefused(t *testing.T) {
	for _, table := range []string{"t1", "l1"} {
		inRules(t, nil, func(t *testing.T, r *ruleRig) {
			r.oneBucket()
			mark, outOfOrder := r.mark(), 0
			r.set(func(q *flusstest.Request, list []sentBatch) flusstest.Action {
				if !writes(q) {
					return flusstest.Action{}
				}
				if len(r.sent)-mark == 1 {
					return flusstest.Action{Skip: true, Code: 44, Delay: time.Second}
				}
				outOfOrder++
				return flusstest.Action{}
			})
			var done []chan error
			for k := 100; k < 105; k++ {
				done = append(done, r.exec(context.Background(), "INSERT INTO d."+table+" VALUES (?, 'x')", k))
				time.Sleep(20 * time.Millisecond)
			}
			for _, d := range done {
				if err := <-d; err != nil {
					t.Error(err)
				}
			}
			if got := r.holds(table, 100, 101, 102, 103, 104); !slices.Equal(got, []int{1, 1, 1, 1, 1}) {
				t.Errorf("rows are there %v times", got)
			}
			if n := len(r.since(mark)); n < 3 || outOfOrder == 0 {
				t.Errorf("%d copies: nothing was in flight behind the first", n)
			}
		})
	}
}

// Rule 6: leader changes and clean restarts with open batches whose answers are lost. What is acknowledged is there once;
// what the new leader does not know any more is unknown, and there at most once.
func TestRule06LeaderChangeAndRestart(t *testing.T) {
	for _, how := range []string{"move", "restart"} {
		for _, performed := range []bool{true, false} {
			inRules(t, nil, func(t *testing.T, r *ruleRig) {
				r.oneBucket()
				for _, table := range []string{"t1", "l1"} {
					r.set(onWrites(flusstest.Action{Skip: !performed, Silent: true}))
					var done []chan error
					for k := 100; k < 105; k++ {
						done = append(done, r.exec(context.Background(), "INSERT INTO d."+table+" VALUES (?, 'x')", k))
						time.Sleep(20 * time.Millisecond)
					}
					leader := r.srv.Leader("d."+table, 0)
					if how == "move" {
						if err := r.srv.MoveLeader("d."+table, 0, 1-leader); err != nil {
							t.Fatal(err)
						}
						r.srv.DropConnections()
					} else {
						r.srv.StopTablet(leader)
						time.Sleep(3 * time.Second)
						if err := r.srv.StartTablet(leader); err != nil {
							t.Fatal(err)
						}
					}
					r.set(nil)
					stored := 0
					for i, d := range done {
						err := <-d
						got := r.holds(table, 100+i)[0]
						if err == nil {
							stored++
						}
						if err == nil && got != 1 || got > 1 || err != nil && !errors.Is(err, fluss.ErrAmbiguousWrite) {
							t.Errorf("%s of %s, performed %v: row %d is there %d times, %v", how, table, performed, 100+i, got, err)
						}
					}
					if stored == 0 {
						t.Errorf("%s of %s, performed %v: none of five writes was acknowledged", how, table, performed)
					}
				}
			})
		}
	}
}

// Rule 6: the table is dropped under an open batch: not stored where each copy was refused, unknown where one was not
// answered.
func TestRule06TableDropped(t *testing.T) {
	for _, lost := range []bool{false, true} {
		for _, table := range []string{"t1", "l1"} {
			inRules(t, nil, func(t *testing.T, r *ruleRig) {
				r.oneBucket()
				first := true
				hold := make(chan struct{})
				r.set(func(q *flusstest.Request, _ []sentBatch) flusstest.Action {
					if !writes(q) || !first {
						return flusstest.Action{}
					}
					first = false
					if lost {
						return flusstest.Action{Wait: hold, Silent: true, Close: true, Skip: true}
					}
					return flusstest.Action{Wait: hold}
				})
				done := r.exec(context.Background(), "INSERT INTO d."+table+" VALUES (100, 'x')")
				time.Sleep(time.Second)
				mustExec(t, r.db, "DROP TABLE d."+table)
				close(hold)
				if err := <-done; !errors.Is(err, fluss.ErrTableNotExist) && !lost || errors.Is(err, fluss.ErrAmbiguousWrite) != lost {
					t.Errorf("got %v, want an unknown outcome: %v", err, lost)
				}
			})
		}
	}
}

// Rule 7: what is not settled by write_timeout is unknown for good. On a key table its sequence then goes out first as an
// empty batch, so that a late original does no harm; on a log table the bucket goes on at once under a new id.
func TestRule07EmptyBatchInFront(t *testing.T) {
	for _, table := range []string{"t1", "l1"} {
		inRules(t, nil, func(t *testing.T, r *ruleRig) {
			r.oneBucket()
			mark := r.mark()
			r.set(onWrites(flusstest.Drop()))
			begin := time.Now()
			_, err := r.db.Exec("INSERT INTO d." + table + " VALUES (100, 'old')")
			if took := time.Since(begin); took != 2*time.Minute || !errors.Is(err, fluss.ErrAmbiguousWrite) {
				t.Fatalf("got %v after %v, want an unknown outcome after write_timeout", err, took)
			}
			r.set(nil)
			mustExec(t, r.db, "INSERT INTO d."+table+" VALUES (100, 'new')")
			sent := r.since(mark)
			old, last, fence := sent[0], sent[len(sent)-1], sent[len(sent)-2]
			if last.id == old.id || last.seq != 0 || !bytes.Contains(last.bytes, []byte("new")) {
				t.Errorf("the next write has writer %d, sequence %d; the old one had %d, %d", last.id, last.seq, old.id, old.seq)
			}
			if isFence := fence.count == 0 && fence.id == old.id && fence.seq == old.seq; isFence != (table == "t1") {
				t.Errorf("in front of it went writer %d, sequence %d, %d rows", fence.id, fence.seq, fence.count)
			}
		})
	}
}

// Rule 8: the error names the table, counts rows by bucket, and is matched by ErrAmbiguousWrite and by the context's error.
func TestRule08UnknownOutcome(t *testing.T) {
	inRules(t, nil, func(t *testing.T, r *ruleRig) {
		r.set(func(q *flusstest.Request, list []sentBatch) flusstest.Action {
			if q.Server == 0 && writes(q) {
				return flusstest.Drop()
			}
			return flusstest.Action{}
		})
		ctx, cancel := context.WithTimeout(context.Background(), 3*time.Second)
		defer cancel()
		var values []string
		for k := 100; k < 140; k++ {
			values = append(values, fmt.Sprintf("(%d, 'x')", k))
		}
		_, err := r.db.ExecContext(ctx, "INSERT INTO d.t VALUES "+strings.Join(values, ", "))
		a, ok := errors.AsType[*fluss.AmbiguousWriteError](err)
		if !ok || !errors.Is(err, fluss.ErrAmbiguousWrite) || !errors.Is(err, context.DeadlineExceeded) || a.Table != "d.t" || len(a.Buckets) != 4 || a.Cause == nil {
			t.Fatalf("got %#v", err)
		}
		r.set(nil)
		mustExec(t, r.db, "INSERT INTO d.t VALUES (1, 'v1'), (2, 'v2'), (3, 'v3'), (4, 'v4'), (5, 'v5')")
		for _, b := range a.Buckets {
			here := r.srv.Leader("d.t", int(b.Bucket)) == 0
			if b.Partition != "" || here && (b.Unknown == 0 || b.Stored != 0) || !here && (b.Stored == 0 || b.Unknown != 0) || b.NotStored != 0 {
				t.Errorf("%+v, its leader was silent: %v", b, here)
			}
		}
	})
}

// Rule 9: nothing that would keep a server from starting again is sent: no DELETE of a row that is not there, and none
// that does not look into a bucket without an offset. (That no log table gets an empty batch is checked of every write.)
func TestRule09NothingForAnEmptyBucket(t *testing.T) {
	inRules(t, nil, func(t *testing.T, r *ruleRig) {
		mustExec(t, r.db, "CREATE TABLE d.e (k INT NOT NULL, v STRING, PRIMARY KEY (k) NOT ENFORCED) WITH ('bucket.num'='1', 'table.log.arrow.compression.type'='none')")
		mark := r.mark()
		if n := affected(t, r.db, "DELETE FROM d.e WHERE k = 1"); n != 0 {
			t.Errorf("%d rows deleted", n)
		}
		mustExec(t, r.db, "DELETE FROM d.t WHERE k IN (77, 78)")
		if _, err := r.db.Exec("DELETE /*+ BLIND */ FROM d.e WHERE k = 1"); err == nil {
			t.Error("a blind DELETE in an empty bucket was taken")
		}
		tx, err := r.db.Begin()
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range []string{"INSERT INTO d.e VALUES (1, 'x')", "DELETE FROM d.e WHERE k = 1", "DELETE FROM d.e WHERE k = 2"} {
			if _, err := tx.Exec(s); err != nil {
				t.Error(err)
			}
		}
		if err := tx.Commit(); err != nil {
			t.Error(err)
		}
		if sent := r.since(mark); len(sent) != 0 {
			t.Errorf("%d batches were sent, the first for %s", len(sent), sent[0].place())
		}
		mustExec(t, r.db, "INSERT INTO d.e VALUES (1, 'x')")
		mustExec(t, r.db, "DELETE FROM d.e WHERE k = 1")
		if sent := r.since(mark); len(sent) != 2 {
			t.Errorf("%d batches", len(sent))
		}
	})
}

// Rule 10: what could not be read back, or what the server would wrongly take, is refused before anything of its statement
// is sent. (That a request names a bucket once, with one batch, is checked of every write.)
func TestRule10NotSent(t *testing.T) {
	inRules(t, func(c *fluss.Config) { c.MaxResponseBytes = 1 << 16 }, func(t *testing.T, r *ruleRig) {
		mustExec(t, r.db, "CREATE TABLE d.n (k INT NOT NULL, c CHAR(2), n DECIMAL(4,1), s STRING NOT NULL, PRIMARY KEY (k) NOT ENFORCED) WITH ('bucket.num'='4')")
		mark := r.mark()
		for _, c := range []struct {
			query string
			args  []any
		}{
			{"INSERT INTO d.t VALUES (100, 'x'), (101, ?)", []any{strings.Repeat("x", 1<<16)}},
			{"INSERT INTO d.l VALUES (100, 'x'), (101, ?)", []any{strings.Repeat("x", 1<<16)}},
			{"INSERT INTO d.t VALUES (100, 'x'), (?, 'y')", []any{nil}},
			{"INSERT INTO d.t VALUES (100, 'x'), (101, ?)", []any{"\xff"}},
			{"INSERT INTO d.n VALUES (100, 'ab', 1.5, 's'), (101, 'abc', 1.5, 's')", nil},
			{"INSERT INTO d.n VALUES (100, 'ab', 1.5, 's'), (101, 'ab', 1000.5, 's')", nil},
			{"INSERT INTO d.n VALUES (100, 'ab', 1.5, 's'), (101, 'ab', 1.5, NULL)", nil},
			{"INSERT INTO d.n VALUES (100, 'ab', 1.5, 's'), (4000000000, 'ab', 1.5, 's')", nil},
		} {
			if _, err := r.db.Exec(c.query, c.args...); err == nil || errors.Is(err, fluss.ErrAmbiguousWrite) {
				t.Errorf("%s: got %v, want a refusal", c.query, err)
			}
		}
		if sent := r.since(mark); len(sent) != 0 {
			t.Errorf("%d batches were sent", len(sent))
		}
		// Rows for one bucket in several statements, target columns and tables at once: one batch for a bucket in a frame.
		var callers sync.WaitGroup
		for c := range 16 {
			callers.Go(func() {
				for n := range 10 {
					query := []string{"INSERT INTO d.t VALUES (?, 'x')", "INSERT INTO d.t (k) VALUES (?)", "INSERT INTO d.l VALUES (?, 'y')"}[(c+n)%3]
					if _, err := r.db.Exec(query, 100+n); err != nil {
						t.Error(err)
					}
				}
			})
		}
		callers.Wait()
	})
}
