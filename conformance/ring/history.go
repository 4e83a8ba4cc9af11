package ring

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"
	"sync"
	"time"

	"github.com/anishathalye/porcupine"
)

// history is what happened to one key from its first use to its last. It is safe for concurrent use.
type history struct {
	group int64
	item  int

	mu       sync.Mutex
	events   []event
	maybes   int
	rejected map[uint64]bool // writes that were reported as not stored
}

// add takes an event. A pool's first acknowledged write that began after unknown ones of it were reported ends them:
// nothing unknown is applied later than that.
func (h *history) add(e event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if e.maybe {
		e.ret = never
		h.maybes++
	} else if e.kind != readEvent {
		h.settleBefore(e.pool, e.call, e.ret)
	}
	h.events = append(h.events, e)
}

// settle ends, at a time, the unknown writes of a pool that were reported before another one of it began, and says whether
// any is left.
func (h *history) settle(p pool, reported, end int64) (left bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.settleBefore(p, reported, end)
	for _, e := range h.events {
		left = left || e.maybe && e.ret == never && e.pool == p
	}
	return left
}

// settleBefore ends, at a time, the unknown writes of a pool that were reported before another.
func (h *history) settleBefore(p pool, reported, end int64) {
	for i := range h.events {
		if e := &h.events[i]; e.maybe && e.ret == never && e.pool == p && e.told < reported {
			e.ret = end
		}
	}
}

// reject takes a write that was reported as not stored.
func (h *history) reject(op uint64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.rejected == nil {
		h.rejected = map[uint64]bool{}
	}
	h.rejected[op] = true
}

// size is how many events there are, and how many of them are of unknown outcome.
func (h *history) size() (events, maybes int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.events), h.maybes
}

// check judges the whole history.
func (h *history) check(j *judge, faults *FaultLog) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.checkOrigins(j) {
		return // no register has that
	}
	events := h.decisive()
	switch linearizable(events) {
	case porcupine.Illegal:
		end := breaksAt(events)
		j.found(broken, "key %d/%d: no order of these is that of a register: %s| then: %s| faults: %s", h.group, h.item,
			describe(until(events, end), true), describe(after(events, end), false), faults.between(end-int64(time.Second), end+int64(time.Second/5)))
	case porcupine.Unknown:
		j.found(undecided, "key %d/%d: %d events not decided in %v", h.group, h.item, len(events), checkTime)
	}
}

// checkOrigins judges each value read by itself: somebody has to have written it, and not been told that it is not stored.
func (h *history) checkOrigins(j *judge) bool {
	written := map[columns]map[uint64]bool{columnA: {0: true}, columnB: {0: true}, columnN: {0: true}}
	for _, e := range h.events {
		if e.kind == writeEvent {
			e.eachColumn(func(c columns, op uint64) { written[c][op] = true })
		}
	}
	fine := true
	for _, e := range h.events {
		if e.kind != readEvent || !e.value.present {
			continue
		}
		e.eachColumn(func(c columns, op uint64) {
			switch {
			case written[c][op]:
			case h.rejected[op]:
				fine = false
				j.found(unknownUnreported, "key %d/%d: write %d was reported as not stored and was read", h.group, h.item, op)
			default:
				fine = false
				j.found(wrong, "key %d/%d: read a value of write %d, which nobody made there", h.group, h.item, op)
			}
		})
	}
	return fine
}

func (e *event) eachColumn(f func(c columns, op uint64)) {
	for _, c := range []struct {
		columns columns
		op      uint64
	}{{columnA, e.value.a}, {columnB, e.value.b}, {columnN, e.value.n}} {
		if e.columns&c.columns != 0 {
			f(c.columns, c.op)
		}
	}
}

// decisive leaves out unknown writes of whole rows that nobody ever saw: a history has an order with one of them exactly
// when it has one without.
func (h *history) decisive() []event {
	seen := map[uint64]bool{}
	for _, e := range h.events {
		if e.kind == readEvent && e.value.present {
			e.eachColumn(func(_ columns, op uint64) { seen[op] = true })
		}
	}
	return slices.DeleteFunc(slices.Clone(h.events), func(e event) bool {
		return e.maybe && e.kind == writeEvent && e.columns == allColumns && !seen[e.value.a] && !seen[e.value.b] && !seen[e.value.n]
	})
}

// breaksAt is the end of the shortest beginning of a broken history that is broken by itself. It sorts the events.
func breaksAt(events []event) int64 {
	slices.SortFunc(events, func(a, b event) int { return cmp.Compare(a.told, b.told) })
	n := sort.Search(len(events), func(n int) bool { return linearizable(until(events, events[n].told)) == porcupine.Illegal })
	return events[min(n, len(events)-1)].told
}

// after is what was told later than a time.
func after(events []event, end int64) []event {
	return slices.DeleteFunc(slices.Clone(events), func(e event) bool { return e.told <= end })
}

// until is what was known at a time: reads that had ended, and writes that had begun, which may have had their effect.
func until(events []event, end int64) []event {
	var out []event
	for _, e := range events {
		switch {
		case e.told <= end:
			if e.ret > end {
				e.ret = never
			}
			out = append(out, e)
		case e.kind != readEvent && e.call <= end:
			e.maybe, e.ret = true, never
			out = append(out, e)
		}
	}
	return out
}

// describe prints the last, or the first events.
func describe(events []event, last bool) string {
	const most = 14
	var b strings.Builder
	if n := len(events) - most; n > 0 && last {
		fmt.Fprintf(&b, "(%d before) ", n)
		events = events[n:]
	}
	events = events[:min(len(events), most)]
	for _, e := range events {
		fmt.Fprintf(&b, "%s; ", &e)
	}
	return b.String()
}

// String prints times in milliseconds.
func (e *event) String() string {
	kind := [...]string{"read", "write", "delete"}[e.kind]
	if e.maybe {
		kind += "?"
	}
	end := "never"
	if e.ret != never {
		end = fmt.Sprintf("%.3f", float64(e.ret)/1e6)
	}
	value := ""
	switch {
	case e.kind == deleteEvent:
	case e.kind == readEvent && !e.value.present:
		value = " none"
	default:
		e.eachColumn(func(c columns, op uint64) {
			value += fmt.Sprintf(" %s=%d", map[columns]string{columnA: "a", columnB: "b", columnN: "n"}[c], op)
		})
	}
	return fmt.Sprintf("w%d %s%s [%.3f %s]", e.worker, kind, value, float64(e.call)/1e6, end)
}
