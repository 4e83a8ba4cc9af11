package ring

import (
	"math"
	"time"

	"github.com/anishathalye/porcupine"
)

// columns is a set of columns of a row.
type columns uint8

const (
	columnA columns = 1 << iota
	columnB
	columnN

	allColumns = columnA | columnB | columnN
)

// rowState is a row of the key table: by which write each of its columns was set, 0 for NULL.
type rowState struct {
	present bool
	a, b, n uint64
}

// with returns the row after the columns of a set were written from v.
func (s rowState) with(set columns, v rowState) rowState {
	s.present = true
	if set&columnA != 0 {
		s.a = v.a
	}
	if set&columnB != 0 {
		s.b = v.b
	}
	if set&columnN != 0 {
		s.n = v.n
	}
	return s
}

// shows says whether a read of some columns can have seen v.
func (s rowState) shows(set columns, v rowState) bool {
	if s.present != v.present {
		return false
	}
	return !s.present || s.with(set, v) == s
}

type eventKind uint8

const (
	readEvent   eventKind = iota // saw value in columns
	writeEvent                   // set columns to value; others are as they were, or NULL in a new row
	deleteEvent                  // removed the row
)

// event is something that happened to one key. Times are nanoseconds since the run began.
type event struct {
	kind      eventKind
	columns   columns
	value     rowState
	worker    int
	pool      pool // that wrote
	call, ret int64
	told      int64 // when the caller heard of it; ret, but for what may still happen
	// maybe: the write's outcome is unknown. It took effect once between call and ret, or never. ret is the end of the pool's
	// first acknowledged write to the bucket that began later, which nothing unknown survives, or never.
	maybe bool
}

// never is the ret of what may still happen.
const never = math.MaxInt64

// register is the sequential behaviour of a key: a row whose columns are set and read. States are sets of rows, since
// writes of unknown outcome split them.
var register = (&porcupine.NondeterministicModel{
	Init: func() []any { return []any{rowState{}} },
	Step: func(state, input, _ any) []any {
		s, e := state.(rowState), input.(*event)
		switch next := e.apply(s); {
		case e.kind == readEvent && !s.shows(e.columns, e.value):
			return nil
		case e.maybe && next != s:
			return []any{s, next}
		default:
			return []any{next}
		}
	},
}).ToModel()

func (e *event) apply(s rowState) rowState {
	switch e.kind {
	case writeEvent:
		return s.with(e.columns, e.value)
	case deleteEvent:
		return rowState{}
	}
	return s
}

// checkTime is how long the history of one key may take. A history takes milliseconds; one that takes longer is
// undecided.
const checkTime = 20 * time.Second

// linearizable says whether a register can have had these events, in an order in which none precedes one that ended before
// it began.
func linearizable(events []event) porcupine.CheckResult {
	ops := make([]porcupine.Operation, len(events))
	for i := range events {
		e := &events[i]
		ops[i] = porcupine.Operation{ClientId: e.worker, Input: e, Call: e.call, Return: e.ret}
	}
	return porcupine.CheckOperationsTimeout(register, ops, checkTime)
}
