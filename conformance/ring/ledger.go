package ring

import "sync"

// ledger is the account of all rows of the log table, by their id. Ids are handed out from 1 without a gap. It is safe
// for concurrent use.
type ledger struct {
	mu  sync.Mutex
	out []outcome // by id; pending until the statement has ended
	at  []place   // by id; where the row was read or said to be

	mixed []mixedRows

	reach map[int32]int64 // by bucket: the offset behind the last row known to be there
}

// mixedRows are rows with consecutive ids that fared differently. It is known how many are stored, but not which.
type mixedRows struct {
	first int64
	counts
}

const pending outcome = 255

// place is an offset of the log.
type place struct {
	bucket int32
	offset int64
	state  placeState
}

type placeState uint8

const (
	nowhere  placeState = iota
	told                // the server said that it is there
	read                // it was read there
	conflict            // it was found elsewhere too, and counted
)

func newLedger() *ledger {
	return &ledger{out: []outcome{notStored}, at: make([]place, 1), reach: map[int32]int64{}}
}

// issue returns the first of n new ids.
func (l *ledger) issue(n int) int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	first := int64(len(l.out))
	for range n {
		l.out, l.at = append(l.out, pending), append(l.at, place{})
	}
	return first
}

// settle notes what the writer was told of n rows.
func (l *ledger) settle(first int64, n int, o outcome) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := range int64(n) {
		l.out[first+i] = o
	}
}

// settleCounts notes what the writer was told of n rows: the counts are those of the first of them, and the others are not
// stored.
func (l *ledger) settleCounts(first int64, n int, c counts) {
	rows := min(c.rows(), n)
	l.settle(first, rows, c.each())
	l.settle(first+int64(rows), n-rows, notStored)
	if o := c.each(); o == unknown && c.unknown < rows {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.mixed = append(l.mixed, mixedRows{first, c})
	}
}

// placed notes where the server says that a row went.
func (l *ledger) placed(j *judge, id int64, bucket int32, offset int64) {
	l.find(j, id, place{bucket, offset, told})
}

// see judges a row that was read.
func (l *ledger) see(j *judge, id int64, bucket int32, offset int64) {
	l.find(j, id, place{bucket, offset, read})
}

func (l *ledger) find(j *judge, id int64, here place) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if id <= 0 || id >= int64(len(l.out)) {
		j.found(wrong, "log row %d at bucket %d offset %d was never written", id, here.bucket, here.offset)
		return
	}
	was := &l.at[id]
	switch {
	case was.state == conflict:
	case was.state == nowhere, was.bucket == here.bucket && was.offset == here.offset:
		here.state = max(here.state, was.state)
		*was = here
		l.reach[here.bucket] = max(l.reach[here.bucket], here.offset+1)
	case was.state == read && here.state == read:
		j.found(doubled, "log row %d is at bucket %d offset %d and at bucket %d offset %d", id, was.bucket, was.offset, here.bucket, here.offset)
		was.state = conflict
	default:
		j.found(wrong, "log row %d was said to be at bucket %d offset %d and is at bucket %d offset %d, or the reverse", id, was.bucket, was.offset, here.bucket, here.offset)
		was.state = conflict
	}
}

// end is the offset up to which a bucket is known to have rows.
func (l *ledger) end(bucket int32) int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.reach[bucket]
}

// rows is how many rows are known to be there.
func (l *ledger) rows() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	var sum int64
	for _, end := range l.reach {
		sum += end
	}
	return sum
}

// check judges all rows after the whole log was read.
func (l *ledger) check(j *judge) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for id := 1; id < len(l.out); id++ {
		switch out, there := l.out[id], l.at[id].state >= read; {
		case out == stored && !there:
			j.found(lost, "log row %d was acknowledged and is not in the log", id)
		case out == notStored && there:
			j.found(unknownUnreported, "log row %d was reported as not stored and is at bucket %d offset %d", id, l.at[id].bucket, l.at[id].offset)
		}
	}
	for _, m := range l.mixed {
		l.checkMixed(j, m)
	}
}

// checkMixed judges rows of which only the counts are known. The lock is held.
func (l *ledger) checkMixed(j *judge, m mixedRows) {
	there := 0
	for id := m.first; id < m.first+int64(m.rows()); id++ {
		if l.at[id].state >= read {
			there++
		}
	}
	switch {
	case there < m.stored:
		j.found(lost, "%d of the %d log rows from %d on were acknowledged and %d are in the log", m.stored, m.rows(), m.first, there)
	case there > m.stored+m.unknown:
		j.found(unknownUnreported, "%d of the %d log rows from %d on were reported as not stored and %d are in the log", m.notStored, m.rows(), m.first, there)
	}
}
