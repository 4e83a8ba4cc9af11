package route

import (
	"sync"
	"sync/atomic"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/wire"
)

// lookupGroup is what one Lookup call has under way. It holds copies of the keys, so the caller can leave at any
// time; a group that its caller left (abandoned) is never used again.
type lookupGroup struct {
	pool      *groupPool
	items     []lookupItem
	keys      []byte
	left      atomic.Int32  // items not answered yet
	done      chan struct{} // gets a value when left reaches 0; capacity 1
	abandoned atomic.Bool
}

// lookupItem is one key. Until its frame is answered value and err belong to the frame, then to the caller.
type lookupItem struct {
	group  *lookupGroup
	call   int // index into the calls of the statement
	bucket catalog.Bucket
	key    []byte
	alone  bool // shares no frame: an answer shared with others was too large

	leader leader // who was asked
	conn   *wire.Conn
	queue  *lookupQueue
	queued bool

	value []byte
	err   error
}

// keepItems bounds the groups that are kept for later.
const keepItems = 4096

// groupPool is a Client's: a channel made in the bubble of one synctest must not be used in another.
type groupPool struct{ sync.Pool }

// get returns an empty group. n items fit without moving those that are there: frames hold pointers.
func (p *groupPool) get(n int) *lookupGroup {
	g, _ := p.Get().(*lookupGroup)
	if g == nil {
		g = &lookupGroup{pool: p, done: make(chan struct{}, 1)}
	}
	if cap(g.items) < n {
		g.items = make([]lookupItem, 0, n)
	}
	return g
}

func (g *lookupGroup) add(call int, b catalog.Bucket, key []byte) *lookupItem {
	start := len(g.keys)
	g.keys = append(g.keys, key...)
	g.items = append(g.items, lookupItem{group: g, call: call, bucket: b, key: g.keys[start:len(g.keys):len(g.keys)]})
	return &g.items[len(g.items)-1]
}

func (g *lookupGroup) anyQueued() bool {
	for i := range g.items {
		if g.items[i].queued {
			return true
		}
	}
	return false
}

// release gives the group back. No frame knows it any more.
func (g *lookupGroup) release() {
	if cap(g.items) > keepItems || cap(g.keys) > 64*keepItems {
		return
	}
	clear(g.items)
	g.items, g.keys = g.items[:0], g.keys[:0]
	g.pool.Put(g)
}

// answered notes that n items got their results. The last one wakes the caller; after that the items are not the
// frame's any more.
func (g *lookupGroup) answered(n int32) {
	if g.left.Add(-n) == 0 {
		g.done <- struct{}{}
	}
}
