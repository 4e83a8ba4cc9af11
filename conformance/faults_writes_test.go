package conformance

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gofluss/fluss"
	"github.com/gofluss/fluss/flusstest"
)

// D05: the answer to one of five batches is lost although it is stored, the later ones are acknowledged, and the retry is
// answered with an error of sequence numbers, once or for ever. Stored is stored, and stored once; with nothing stored the
// batch is written, once; nothing goes on for ever.
func TestD05LostAnswer(t *testing.T) {
	const codeOutOfOrder, codeDuplicate, codeUnknownWriter = 31, 32, 33
	for _, c := range []struct {
		name      string
		performed bool // the first copy is stored
		code      int  // of the answer to the retries of it
		times     int  // for so many retries; then the server answers by itself
		later     int  // batches that are acknowledged meanwhile
		want      []string
	}{
		{"31, later ones acknowledged", true, codeOutOfOrder, 1 << 20, 4, []string{"stored"}},
		{"32", true, codeDuplicate, 1 << 20, 4, []string{"stored"}},
		{"32, alone", true, codeDuplicate, 1 << 20, 0, []string{"stored"}},
		{"31 for ever, alone", true, codeOutOfOrder, 1 << 20, 0, []string{"unknown"}},
		{"31 once, alone", true, codeOutOfOrder, 1, 0, []string{"stored", "unknown"}},
		{"33, stored", true, codeUnknownWriter, 1 << 20, 0, []string{"unknown"}},
		{"33 with nothing stored", false, codeUnknownWriter, 1 << 20, 0, []string{"unknown", "stored"}},
		{"33 at once", false, -codeUnknownWriter, 1, 0, []string{"stored"}},
		{"nothing stored, no code", false, 0, 0, 0, []string{"stored"}},
	} {
		for _, table := range []string{"t1", "l1"} {
			t.Run(c.name+" on "+table, func(t *testing.T) {
				inRules(t, nil, func(t *testing.T, r *ruleRig) {
					r.oneBucket()
					mark, seen := r.mark(), 0
					var lost []byte
					r.set(func(q *flusstest.Request, list []sentBatch) flusstest.Action {
						if !writes(q) || !slices.ContainsFunc(list, func(b sentBatch) bool { return strings.Contains(string(b.bytes), "first") }) {
							return flusstest.Action{}
						}
						seen++
						switch {
						case seen == 1 && c.code < 0:
							return flusstest.Refuse(-c.code)
						case seen == 1:
							lost = list[0].bytes
							return flusstest.Action{Skip: !c.performed, Silent: true}
						case seen-1 <= c.times && c.code > 0 && string(list[0].bytes) == string(lost):
							return flusstest.Refuse(c.code)
						}
						return flusstest.Action{}
					})
					begin := time.Now()
					first := r.exec(context.Background(), "INSERT INTO d."+table+" VALUES (100, 'first')")
					time.Sleep(20 * time.Millisecond)
					var done []chan error
					for k := range c.later {
						done = append(done, r.exec(context.Background(), "INSERT INTO d."+table+" VALUES (?, 'later')", 101+k))
						time.Sleep(20 * time.Millisecond)
					}
					for _, d := range done {
						if err := <-d; err != nil {
							t.Errorf("a later write: %v", err)
						}
					}
					err := <-first
					if took := time.Since(begin); took > 2*time.Minute+time.Second {
						t.Errorf("took %v", took)
					}
					outcome, rows := "stored", r.holds(table, 100)[0]
					switch {
					case errors.Is(err, fluss.ErrAmbiguousWrite):
						outcome = "unknown"
					case err != nil:
						outcome = "not stored"
					}
					if !slices.Contains(c.want, outcome) || rows > 1 || outcome == "stored" && rows != 1 || outcome == "not stored" && rows != 0 {
						t.Errorf("%s, and the row is there %d times (%v); want %v", outcome, rows, err, c.want)
					}
					if n := len(r.since(mark)); n > 200 {
						t.Errorf("%d copies", n)
					}
					r.set(nil)
					mustExec(t, r.db, "INSERT INTO d."+table+" VALUES (200, 'next')")
					if got := r.holds(table, 200)[0]; got != 1 {
						t.Errorf("the next row is there %d times", got)
					}
				})
			})
		}
	}
}

// D07: of a statement for four buckets one bucket is refused until the retries end. The error tells of each bucket how many
// rows are stored, and of how many nobody knows; RowsAffected is never just smaller.
func TestD07OneBucketFails(t *testing.T) {
	for _, c := range []struct {
		code    int
		unknown bool
	}{{25, true}, {57, false}, {44, true}} {
		inRulesOn(t, 4, nil, func(t *testing.T, r *ruleRig) {
			mustExec(t, r.db, "CREATE TABLE d.four (k INT NOT NULL, v STRING, PRIMARY KEY (k) NOT ENFORCED) WITH ('bucket.num'='4')")
			bad := r.srv.Leader("d.four", 2)
			r.set(func(q *flusstest.Request, list []sentBatch) flusstest.Action {
				if writes(q) && q.Server == bad && slices.ContainsFunc(list, func(b sentBatch) bool { return b.bucket.ID == 2 }) {
					return flusstest.Refuse(c.code)
				}
				return flusstest.Action{}
			})
			var values []string
			for k := range 80 {
				values = append(values, fmt.Sprintf("(%d, 'v%d')", k, k))
			}
			result, err := r.db.Exec("UPSERT INTO d.four VALUES " + strings.Join(values, ", "))
			if err == nil {
				n, _ := result.RowsAffected()
				t.Fatalf("no error, %d rows affected", n)
			}
			var table string
			var buckets []fluss.BucketOutcome
			if a, ok := errors.AsType[*fluss.AmbiguousWriteError](err); ok && c.unknown {
				table, buckets = a.Table, a.Buckets
			} else if p, ok := errors.AsType[*fluss.PartialWriteError](err); ok && !c.unknown {
				table, buckets = p.Table, p.Buckets
			} else {
				t.Fatalf("code %d: %T: %v", c.code, err, err)
			}
			r.set(nil)
			rows := 0
			for _, b := range buckets {
				failed := b.Bucket == 2
				if b.Stored > 0 == failed || b.Unknown > 0 != (failed && c.unknown) || b.NotStored > 0 != (failed && !c.unknown) {
					t.Errorf("code %d: %+v", c.code, b)
				}
				rows += b.Stored + b.NotStored + b.Unknown
			}
			if table != "d.four" || rows != 80 || len(buckets) != 4 {
				t.Errorf("code %d: %d rows of %q in %d buckets: %v", c.code, rows, table, len(buckets), err)
			}
		})
	}
}

// D07: the same key three times in one statement: the last one wins, always.
func TestD07SameKeyThrice(t *testing.T) {
	db := own(t)
	play(t, db, []step{{sql: "CREATE TABLE t (k INT, v STRING, PRIMARY KEY (k)) WITH ('bucket.num' = '3')"}})
	for k := range 50 {
		if n := affected(t, db, "UPSERT INTO t VALUES (?, 'a'), (?, 'b'), (?, 'c')", k, k, k); n != 3 {
			t.Errorf("%d rows affected", n)
		}
		if got := texts(queryAll(t, db, "SELECT v FROM t WHERE k = ?", k)); !slices.Equal(got, []string{"c"}) {
			t.Errorf("key %d: %v", k, got)
		}
	}
}
