package ring

import (
	"cmp"
	"slices"
)

// checkChanges judges what happened to a key by its change log, which is the order in which its writes took effect: states
// are the key's row before its first change and after each. Every acknowledged write has to be there, once, none that was
// reported as not stored; the order has to be one of the times of the calls, and every read has to have seen a state that
// stood while it ran.
func (h *history) checkChanges(j *judge, states []rowState) {
	h.mu.Lock()
	defer h.mu.Unlock()
	c := &changeCheck{history: h, judge: j, states: states, at: make([]int, len(h.events))}
	if c.ascribe() && c.complete() && c.ordered() {
		c.seen()
	}
}

// changeCheck is one run of checkChanges. The history's lock is held.
type changeCheck struct {
	*history
	judge  *judge
	states []rowState
	at     []int // by event: the index of the state that the write made; 0: none
}

// cell is a value that a write sets.
type cell struct {
	column columns
	op     uint64
}

// ascribe finds the write that made each change.
func (c *changeCheck) ascribe() bool {
	writers := map[cell][]int{}
	deletes := 0
	for i, e := range c.events {
		switch e.kind {
		case writeEvent:
			e.eachColumn(func(column columns, op uint64) { writers[cell{column, op}] = append(writers[cell{column, op}], i) })
		case deleteEvent:
			deletes++
		}
	}
	last := len(c.states) - 1
	for p := 1; p <= last; p++ {
		if c.states[p].present {
			if !c.writer(writers, p) {
				return false
			}
		} else if deletes--; deletes < 0 && p != last { // the last one is that of the closed group
			c.judge.found(doubled, "key %d/%d: the change log has more deletions than were made", c.group, c.item)
			return false
		}
	}
	return true
}

// writer finds the write that made one change.
func (c *changeCheck) writer(writers map[cell][]int, p int) bool {
	was, is := c.states[p-1], c.states[p]
	twice, rejected := false, false
	for _, x := range []cell{{columnA, is.a}, {columnB, is.b}, {columnN, is.n}} {
		rejected = rejected || c.rejected[x.op] && is != was
		for _, i := range writers[x] {
			if e := &c.events[i]; was.with(e.columns, e.value) != is {
				continue
			}
			if c.at[i] == 0 {
				c.at[i] = p
				return true
			}
			twice = true
		}
	}
	switch {
	case twice:
		c.judge.found(doubled, "key %d/%d: a write took effect twice, at last in %+v after %+v", c.group, c.item, is, was)
	case rejected:
		c.judge.found(unknownUnreported, "key %d/%d: %+v after %+v is of a write that was reported as not stored", c.group, c.item, is, was)
	default:
		c.judge.found(wrong, "key %d/%d: no write makes %+v of %+v", c.group, c.item, is, was)
	}
	return false
}

// complete judges that no acknowledged write is missing.
func (c *changeCheck) complete() bool {
	for i := range c.events {
		if e := &c.events[i]; e.kind == writeEvent && !e.maybe && c.at[i] == 0 {
			c.judge.found(lost, "key %d/%d: an acknowledged write is not in the change log: %s", c.group, c.item, e)
			return false
		}
	}
	return true
}

// ordered judges that no write took effect before another one that had ended when it began.
func (c *changeCheck) ordered() bool {
	var order []int
	for i := range c.events {
		if c.at[i] > 0 {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(c.at[a], c.at[b]) })
	latest := 0 // of those in front the one that began last
	for n, i := range order {
		if before := &c.events[order[latest]]; c.events[i].ret < before.call {
			c.judge.found(broken, "key %d/%d: the change log has %s behind %s", c.group, c.item, &c.events[i], before)
			return false
		}
		if c.events[i].call > c.events[order[latest]].call {
			latest = n
		}
	}
	return true
}

// seen judges that each read, and each acknowledged deletion as a read of nothing, fits between the writes around it and
// the reads before it.
func (c *changeCheck) seen() {
	type look struct {
		*event
		state int // that it saw, the first of those that it can have seen
	}
	var looks []look
	for i := range c.events {
		if e := &c.events[i]; e.kind == readEvent || e.kind == deleteEvent && !e.maybe {
			looks = append(looks, look{event: e})
		}
	}
	slices.SortFunc(looks, func(a, b look) int { return cmp.Compare(a.call, b.call) })
	for n := range looks {
		e := looks[n].event
		low, high := c.between(e)
		for _, before := range looks[:n] {
			if before.ret < e.call {
				low = max(low, before.state)
			}
		}
		for low <= high && !c.states[low].shows(e.columns, e.value) {
			low++
		}
		if low > high {
			c.judge.found(broken, "key %d/%d: the change log has no state that %s can have seen", c.group, c.item, e)
			return
		}
		looks[n].state = low
	}
}

// between is the first and the last state that a read can have seen, by the writes that ended before it and those that
// began after it.
func (c *changeCheck) between(e *event) (low, high int) {
	high = len(c.states) - 1
	for i, p := range c.at {
		switch w := &c.events[i]; {
		case p == 0:
		case w.ret < e.call:
			low = max(low, p)
		case w.call > e.ret:
			high = min(high, p-1)
		}
	}
	return low, high
}
