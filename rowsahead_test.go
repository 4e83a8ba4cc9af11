package fluss

import (
	"database/sql/driver"
	"math/rand/v2"
	"runtime"
	"testing"
)

// numberRows makes rows of their number and its square, up to row limit.
type numberRows struct{ limit int }

func (n numberRows) makeRows(_ *rowsAhead, m *madeRows) {
	m.rows = min(m.rows, max(n.limit-m.from, 0))
	for k := range m.rows {
		at := int64(m.from + k)
		m.values[2*k], m.values[2*k+1] = at, at*at
	}
}

// Every row that is there ahead is the right one, in whatever steps the reader goes, wherever it stops, and also where the
// goroutine ends early. One that was never begun, or was stopped, has none.
func TestRowsAhead(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	a := aheadPool.New().(*rowsAhead)
	made := 0
	for round := range 500 {
		from, n := random.IntN(1000), random.IntN(5000)
		limit := from + n
		if round%3 == 0 {
			limit = from + random.IntN(n+1)
		}
		a.begin(numberRows{limit}, from, from+n, 2)
		for round%5 == 0 && int(a.next.Load()) < from+n && int(a.next.Load()) == a.taken {
			runtime.Gosched() // the goroutine takes some of these
		}
		step := 1 + random.IntN(3)*random.IntN(100)
		last := from + random.IntN(n+1)
		if round%2 == 0 {
			last = from + n
		}
		for k := from; k < last; k += 1 + random.IntN(step) {
			m := a.at(k)
			if m == nil {
				continue
			}
			made++
			if i := 2 * (k - m.from); k >= limit || m.values[i] != driver.Value(int64(k)) || m.values[i+1] != driver.Value(int64(k)*int64(k)) {
				t.Fatalf("row %d of %d to %d: %v of the rows from %d", k, from, limit, m.values[i:i+2], m.from)
			}
		}
		a.stop()
		if a.at(from+n) != nil {
			t.Fatal("rows after the end")
		}
		for i := range a.blocks {
			clear(a.blocks[i].values)
		}
	}
	if made == 0 {
		t.Error("the reader made every row by itself")
	}
	a.release()
	if (*rowsAhead)(nil).at(0) != nil {
		t.Error("rows of none")
	}
}

// The reader makes rows by itself as long as the goroutine has not begun: it does not wait for it.
func TestRowsAheadNotBegun(t *testing.T) {
	a := aheadPool.New().(*rowsAhead)
	a.running, a.to, a.taken = true, 1000, 10
	a.next.Store(10)
	for k := range 1000 {
		if a.at(k) != nil {
			t.Fatalf("row %d was made", k)
		}
	}
}
