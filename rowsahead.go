package fluss

import (
	"database/sql/driver"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gofluss/fluss/internal/record"
	"github.com/gofluss/fluss/internal/row"
)

// rowsAhead makes the values of the rows of a batch on a goroutine of its own while the reader is busy with those before.
// Both take the next rows that nobody has taken: where no processor is idle the reader makes them all, and it never waits
// for a goroutine that has not begun.
type rowsAhead struct {
	maker rowMaker
	next  atomic.Int64 // the first row that nobody has taken
	to    int          // behind the last row

	running bool
	taken   int       // rows below are the reader's, or were in a block that it got
	current *madeRows // that the reader is at
	free    chan *madeRows
	ready   chan *madeRows
	ended   chan struct{} // gets a value when the goroutine ends
	blocks  [aheadBlocks]madeRows

	strip  record.Strip // memory of makers
	arena  row.Arena
	stored storedRows
}

// rowMaker makes the values of rows from m.from on, m.rows of them, into m.values, row after row. Where it cannot go on it
// lowers m.rows, and the reader is alone with the rest. It is called on the goroutine of a, whose memory it may use.
type rowMaker interface {
	makeRows(a *rowsAhead, m *madeRows)
}

// madeRows is the values of some rows.
type madeRows struct {
	from, rows int
	end        int // behind the rows that were taken
	values     []driver.Value
}

const (
	aheadBlocks  = 4
	firstAhead   = 64  // rows of the goroutine's first block; they double,
	mostAhead    = 256 // up to this or to aheadCells values
	aheadCells   = 4096
	readersShare = maxStrip // rows that the reader takes at a time
)

var aheadPool = sync.Pool{New: func() any {
	return &rowsAhead{
		free:  make(chan *madeRows, aheadBlocks+1), // and the nil that stop sends
		ready: make(chan *madeRows, aheadBlocks),
		ended: make(chan struct{}, 1),
	}
}}

// worthAhead reports whether so many rows are worth a goroutine.
func worthAhead(rows int) bool { return rows >= aheadRows && runtime.GOMAXPROCS(0) > 1 }

// begin starts on rows from to to-1, of width values each. The reader takes the first of them.
func (a *rowsAhead) begin(m rowMaker, from, to, width int) {
	a.maker, a.to, a.taken, a.running = m, to, min(from+readersShare, to), true
	a.next.Store(int64(a.taken))
	for i := range a.blocks {
		a.free <- &a.blocks[i]
	}
	go a.run(width) // ended by stop, which waits for it
}

func (a *rowsAhead) run(width int) {
	most := min(mostAhead, max(aheadCells/max(width, 1), 1))
	for size, whole := firstAhead, true; whole; size = min(2*size, most) {
		m := <-a.free
		if m == nil || !a.take(m, min(size, most)) {
			break
		}
		if need := m.rows * width; cap(m.values) < need {
			m.values = make([]driver.Value, need)
		} else {
			m.values = m.values[:need]
		}
		a.maker.makeRows(a, m)
		whole = m.from+m.rows == m.end
		a.ready <- m
	}
	a.ended <- struct{}{}
}

// take takes the next rows for the goroutine.
func (a *rowsAhead) take(m *madeRows, most int) bool {
	for {
		from := a.next.Load()
		if m.from, m.rows = int(from), min(most, a.to-int(from)); m.rows <= 0 {
			return false
		}
		m.end = m.from + m.rows
		if a.next.CompareAndSwap(from, int64(m.end)) {
			return true
		}
	}
}

// at returns the block that holds row k, nil where the reader has to make it. k only grows.
func (a *rowsAhead) at(k int) *madeRows {
	for a != nil && a.running {
		if m := a.current; m != nil {
			if k < m.from+m.rows {
				return m
			}
			a.current = nil
			a.free <- m
		}
		if k < a.taken || a.takeNext(k) {
			break
		}
		a.current = <-a.ready
		a.taken = a.current.end
	}
	return nil
}

// takeNext takes the next rows, k among them, for the reader. It reports false when the goroutine has taken some.
func (a *rowsAhead) takeNext(k int) bool {
	end := max(k+1, a.taken+readersShare)
	if !a.next.CompareAndSwap(int64(a.taken), int64(end)) {
		return false
	}
	a.taken = end
	return true
}

// stop ends the goroutine and waits for it: it takes no longer than a block does.
func (a *rowsAhead) stop() {
	if a == nil || !a.running {
		return
	}
	a.free <- nil
	<-a.ended
	for len(a.free) > 0 {
		<-a.free
	}
	for len(a.ready) > 0 {
		<-a.ready
	}
	a.running, a.current, a.maker, a.stored = false, nil, nil, storedRows{}
}

// release stops a and gives its memory back.
func (a *rowsAhead) release() {
	a.stop()
	for i := range a.blocks {
		clear(a.blocks[i].values[:cap(a.blocks[i].values)])
	}
	aheadPool.Put(a)
}

// storedRows makes rows of a value batch, up to one that has another schema or is damaged.
type storedRows struct {
	in     record.ValueIterator
	at     int // the row that in comes to next
	schema int
	values *row.ValueReader
	loc    *time.Location
}

func (s *storedRows) makeRows(a *rowsAhead, m *madeRows) {
	for ; s.at < m.from; s.at++ {
		s.in.Next()
	}
	width := len(m.values) / m.rows
	for k := range m.rows {
		if !s.in.Next() || int(s.in.SchemaID) != s.schema || s.values.Read(m.values[k*width:(k+1)*width], s.in.Row, &a.arena, s.loc) != nil {
			m.rows = k
			return
		}
		s.at++
	}
}

// storedAhead copies the values of the current row into dest, if they were made ahead.
func (r *rows) storedAhead(dest []driver.Value) bool {
	t := r.table
	if t == nil {
		return false
	}
	if r.begun != t.batches {
		r.begun = t.batches
		r.ahead.stop()
		if to := r.wanted(t.at, int(t.count)); worthAhead(to - t.at) {
			a := r.aheadMemory()
			a.stored = storedRows{t.rows, t.at + 1, r.run.layout.table.Schema.ID, r.run.values, r.loc}
			a.begin(&a.stored, t.at, to, len(dest))
		}
	}
	m := r.ahead.at(t.at)
	if m == nil {
		return false
	}
	copy(dest, m.values[(t.at-m.from)*len(dest):])
	return true
}

// wanted is behind the last row of a batch of so many that the LIMIT lets through, with the current row at at.
func (r *rows) wanted(at, rows int) int {
	if r.left >= 0 {
		return int(min(int64(rows), int64(at)+1+r.left))
	}
	return rows
}

func (r *rows) aheadMemory() *rowsAhead {
	if r.ahead == nil {
		r.ahead = aheadPool.Get().(*rowsAhead)
	}
	return r.ahead
}
