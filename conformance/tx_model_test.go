package conformance

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/gofluss/fluss"
)

// modelRow is a row of the table t of txTable but for its key. nil stands for NULL.
type modelRow struct{ name, n any }

// Random statements in transactions, in both modes, against a map: each read by key sees the transaction's own writes, and
// what is there after Commit or Rollback is what the map says.
func TestTxModel(t *testing.T) {
	for _, mode := range []string{"batch", "stream"} {
		t.Run(mode, func(t *testing.T) {
			db := ownWith(t, func(c *fluss.Config) { c.Tx = mode })
			play(t, db, []step{{sql: "DROP TABLE IF EXISTS t"}, {sql: txTable}})
			random := rand.New(rand.NewPCG(uint64(len(mode)), 7))
			stored := map[int]modelRow{}
			for round := range 25 {
				tx := begin(t, db, nil)
				rows := maps.Clone(stored)
				var steps []step
				for range 1 + random.IntN(25) {
					steps = append(steps, randomStep(random, rows))
				}
				playTx(t, tx, append(steps, modelStep("SELECT * FROM t WHERE id IN (0, 1, 2, 3, 4, 5)", rows)))
				if mode == "batch" && random.IntN(3) == 0 { // with tx=stream nothing could be taken back
					if err := tx.Rollback(); err != nil {
						t.Fatal(err)
					}
				} else {
					if err := tx.Commit(); err != nil {
						t.Fatal(err)
					}
					stored = rows
				}
				play(t, db, []step{modelStep("SELECT * FROM t ORDER BY id LIMIT 100", stored)})
				if t.Failed() {
					for _, s := range steps {
						t.Log(s.sql)
					}
					t.Fatalf("round %d", round)
				}
			}
		})
	}
}

func modelStep(query string, rows map[int]modelRow) step {
	s := step{sql: query}
	for _, id := range slices.Sorted(maps.Keys(rows)) {
		s.want = append(s.want, texts([][]any{{id, rows[id].name, rows[id].n}})...)
	}
	return s
}

// randomStep makes a statement and does the same to rows.
func randomStep(random *rand.Rand, rows map[int]modelRow) step {
	id, x := random.IntN(6), random.IntN(100)
	old, there := rows[id]
	found := map[bool]int64{true: 1}[there]
	switch random.IntN(8) {
	case 0:
		rows[id] = modelRow{fmt.Sprint("w", x), x}
		return step{sql: fmt.Sprintf("INSERT INTO t VALUES (%d, 'w%d', %d)", id, x, x), rows: 1}
	case 1:
		rows[id] = modelRow{old.name, x}
		return step{sql: fmt.Sprintf("INSERT INTO t (id, n) VALUES (%d, %d)", id, x), rows: 1}
	case 2:
		if there {
			rows[id] = modelRow{fmt.Sprint("u", x), old.n}
		}
		return step{sql: fmt.Sprintf("UPDATE t SET name = 'u%d' WHERE id = %d", x, id), rows: found}
	case 3:
		if n, ok := old.n.(int); ok && there {
			rows[id] = modelRow{old.name, n*3 + x}
		}
		return step{sql: fmt.Sprintf("UPDATE t SET n = n * 3 + %d WHERE id = %d", x, id), rows: found}
	case 4, 5:
		delete(rows, id)
		return step{sql: fmt.Sprintf("DELETE FROM t WHERE id = %d", id), rows: found}
	case 6:
		s := step{sql: fmt.Sprintf("DELETE FROM t WHERE id = %d AND n < 50", id)}
		if n, ok := old.n.(int); ok && there && n < 50 {
			delete(rows, id)
			s.rows = 1
		}
		return s
	}
	s := step{sql: fmt.Sprintf("SELECT name, n FROM t WHERE id = %d", id)}
	if there {
		s.want = texts([][]any{{old.name, old.n}})
	}
	return s
}

// Transactions of many goroutines share one writer and do not see each other.
func TestTxConcurrent(t *testing.T) {
	for _, mode := range []string{"batch", "stream"} {
		db := ownWith(t, func(c *fluss.Config) { c.Tx = mode })
		play(t, db, []step{{sql: "DROP TABLE IF EXISTS t"}, {sql: txTable}})
		var wg sync.WaitGroup
		for g := range 8 {
			wg.Go(func() {
				for range 5 {
					tx, err := db.BeginTx(timeout(t), nil)
					if err != nil {
						t.Error(err)
						return
					}
					for i := range 10 {
						if _, err := tx.Exec("INSERT INTO t (id, name) VALUES (?, 'x')", g*10+i); err != nil {
							t.Error(err)
						}
						if _, err := tx.Exec("UPDATE t SET n = ? WHERE id = ? AND n IS NULL", 0, g*10+i); err != nil {
							t.Error(err)
						}
						if _, err := tx.Exec("UPDATE t SET n = n + 1 WHERE id = ?", g*10+i); err != nil {
							t.Error(err)
						}
					}
					if err := tx.Commit(); err != nil {
						t.Error(err)
					}
				}
			})
		}
		wg.Wait()
		var want []string
		for id := range 80 {
			want = append(want, fmt.Sprint(id, " x 5"))
		}
		play(t, db, []step{{sql: "SELECT * FROM t ORDER BY id LIMIT 100", want: want}})
	}
}
