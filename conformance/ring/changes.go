package ring

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"sync"
)

// changeKind is the _change_type of a record of a change log.
type changeKind uint32

const (
	insertion changeKind = iota
	updateBefore
	updateAfter
	deletion
)

var changeKinds = map[string]changeKind{"insert": insertion, "update_before": updateBefore, "update_after": updateAfter, "delete": deletion}

// change is a record of the change log of the key table.
type change struct {
	offset int64
	kind   changeKind
	key    keyOf
	state  rowState
}

// digest tells records from one another. It is not 0.
func (c *change) digest() uint32 {
	h := fnv.New32a()
	fmt.Fprint(h, c.key, c.state)
	return (h.Sum32()|1)<<2 | uint32(c.kind)
}

func kindOf(digest uint32) changeKind { return changeKind(digest & 3) }

// changeLog is the change log of a bucket of the key table as far as it was read, once from the front. It is safe for
// concurrent use.
type changeLog struct {
	bucket int32

	mu      sync.Mutex
	digests []uint32         // of the records by offset; 0: there is none
	trails  map[keyOf]*trail // of the keys that are there
	half    *change          // an update_before whose update_after is still to come
	closed  []closedGroup
}

// trail is the changes of one key.
type trail struct {
	states []rowState // before its first change, and after each
	judged bool       // its group was closed and judged: what is left is the deletion of its row
}

func (t *trail) now() rowState { return t.states[len(t.states)-1] }

// closedGroup is a group whose keys are judged when the change log was read up to its last writes.
type closedGroup struct {
	group *group
	at    int64 // when they were acknowledged
}

func newChangeLogs() (all [keyBuckets]*changeLog) {
	for b := range all {
		all[b] = &changeLog{bucket: int32(b), trails: map[keyOf]*trail{}}
	}
	return all
}

// next is the offset behind the last record read.
func (l *changeLog) next() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return int64(len(l.digests))
}

// take takes the next record.
func (l *changeLog) take(j *judge, c change) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if c.offset < int64(len(l.digests)) {
		j.found(wrong, "bucket %d: the change log gave offset %d behind %d", l.bucket, c.offset, len(l.digests)-1)
		return
	}
	for int64(len(l.digests)) < c.offset { // batches that changed nothing take an offset too
		l.digests = append(l.digests, 0)
	}
	l.digests = append(l.digests, c.digest())
	l.apply(j, c)
}

// apply follows a key, whose image in the log has to be what the changes before made of it. The lock is held.
func (l *changeLog) apply(j *judge, c change) {
	t := l.trails[c.key]
	if t == nil {
		t = &trail{states: []rowState{{}}}
		l.trails[c.key] = t
	}
	was, half := t.now(), l.half
	l.half = nil
	fits := half == nil
	switch c.kind {
	case insertion:
		fits = fits && !was.present
	case updateBefore:
		fits = fits && was == c.state
		l.half = &c
	case updateAfter:
		fits = half != nil && half.key == c.key && half.offset+1 == c.offset
	case deletion:
		fits = fits && was == c.state
	}
	if !fits || t.judged && c.kind != deletion {
		j.found(wrong, "key %d/%d: %+v at offset %d of bucket %d is no change of %+v, half %+v", c.key.group, c.key.item, c, c.offset, l.bucket, was, half)
	}
	switch {
	case c.kind == deletion && t.judged:
		delete(l.trails, c.key)
	case c.kind == deletion:
		t.states = append(t.states, rowState{})
	case c.kind != updateBefore:
		t.states = append(t.states, c.state)
	}
}

// close takes a group whose last writes were acknowledged at a time.
func (l *changeLog) close(g *group, at int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = append(l.closed, closedGroup{g, at})
}

// read judges the groups whose last writes a scan had to give that began at a time and came to its end. It returns how many
// keys that were.
func (l *changeLog) read(j *judge, begin int64) (keys int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	var rest []closedGroup
	for _, c := range l.closed {
		if c.at >= begin {
			rest = append(rest, c)
			continue
		}
		for i, h := range c.group.items {
			l.judgeKey(j, keyOf{c.group.id, i}, h)
			keys++
		}
	}
	l.closed = rest
	return keys
}

// judgeKey judges a key and forgets what happened to it. The lock is held.
func (l *changeLog) judgeKey(j *judge, k keyOf, h *history) {
	t := l.trails[k]
	if t == nil {
		t = &trail{states: []rowState{{}}}
	}
	h.checkChanges(j, t.states)
	if last := t.now(); last.present {
		t.states, t.judged = []rowState{last}, true
	} else {
		delete(l.trails, k)
	}
}

// end judges what is left when all was read: of the groups nothing, and of the rows that nobody changes their first writing.
func (l *changeLog) end(j *judge) {
	l.mu.Lock()
	defer l.mu.Unlock()
	unread := map[int64]bool{}
	for _, c := range l.closed {
		unread[c.group.id] = true
		j.found(short, "bucket %d: the change log was not read to the last writes of group %d", l.bucket, c.group.id)
	}
	for k, t := range l.trails {
		switch {
		case unread[k.group]:
		case k.group >= 0 && !t.judged:
			j.found(wrong, "key %d/%d: the change log has %d changes of it, and nobody made them", k.group, k.item, len(t.states)-1)
		case k.group >= 0:
			j.found(lost, "key %d/%d: its deletion is not in the change log: %+v", k.group, k.item, t.now())
		case len(t.states) != 2:
			j.found(wrong, "key %d/%d: the change log has %d changes of it", k.group, k.item, len(t.states)-1)
		}
	}
	if l.half != nil {
		j.found(short, "bucket %d: the change log ends between the records of an update: %+v", l.bucket, *l.half)
	}
}

// stretch draws offsets, of what was read; for the binlog none between the records of an update.
func (l *changeLog) stretch(random *rand.Rand, whole bool) (from, to int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	end := int64(len(l.digests))
	from = random.Int64N(end + 1)
	to = min(end, from+random.Int64N(300))
	if whole && from < to && kindOf(l.digests[from]) == updateAfter {
		from++
	}
	if whole && from < to && kindOf(l.digests[to-1]) == updateBefore {
		to--
	}
	return from, to
}

// compare judges a scan of a stretch by what was read there before.
func (l *changeLog) compare(j *judge, kind string, from, to int64, got []change) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for at := from; at < to; at++ {
		want := l.digests[at]
		if want == 0 {
			continue
		}
		switch {
		case len(got) == 0 || got[0].offset > at:
			j.found(short, "%s of bucket %d from %d to %d left out offset %d", kind, l.bucket, from, to, at)
			return
		case got[0].offset < at || got[0].digest() != want:
			j.found(wrong, "%s of bucket %d from %d to %d: %+v is not what was read at offset %d before", kind, l.bucket, from, to, got[0], at)
			return
		}
		got = got[1:]
	}
	if len(got) > 0 {
		j.found(wrong, "%s of bucket %d from %d to %d: %+v is too much", kind, l.bucket, from, to, got[0])
	}
}
