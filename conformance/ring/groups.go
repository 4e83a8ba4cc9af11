package ring

import (
	"math/rand/v2"
	"sync"
)

// A group of keys is used by everybody for a while, then closed and judged, and its rows are deleted: histories stay
// short, and the table small.
const (
	groupItems  = 4   // keys that are upserted, updated in part and deleted
	counterItem = 100 // a further key: its n is counted up by one caller at a time
	groupEvents = 150 // events of a key after which its group is closed
	groupMaybes = 8   // unknown writes to a key after which it is, too

	// Anchors are groups with negative ids that nobody changes: each whole scan has to have them.
	anchorGroups = 6
)

// anchorRows is how many rows a whole scan has in any case.
const anchorRows = anchorGroups * groupItems

// group is a group of keys.
type group struct {
	id     int64
	bucket int32
	items  map[int]*history // 0 to groupItems-1, and counterItem
	made   int64            // when its first call began

	counter sync.Mutex // held by who counts
	count   uint64     // n of counterItem

	users   int // calls under way
	closing bool
}

// groups are the groups in use. It is safe for concurrent use.
type groups struct {
	mu      sync.Mutex
	live    []*group
	last    int64           // id given out last
	retired map[int64]int64 // when the rows of a group were known to be deleted
	byID    map[int64]*group
}

func newGroups() *groups { return &groups{retired: map[int64]int64{}, byID: map[int64]*group{}} }

// create makes the next group, which is not live yet.
func (gs *groups) create(now int64) *group {
	gs.mu.Lock()
	defer gs.mu.Unlock()
	gs.last++
	g := &group{id: gs.last, items: map[int]*history{}, made: now}
	for i := range groupItems {
		g.items[i] = &history{group: g.id, item: i}
	}
	g.items[counterItem] = &history{group: g.id, item: counterItem}
	gs.byID[g.id] = g
	return g
}

// use puts a group among the live ones.
func (gs *groups) use(g *group) {
	gs.mu.Lock()
	defer gs.mu.Unlock()
	gs.live = append(gs.live, g)
}

// acquire returns a random group that is not being closed, or nil, and holds it until release.
func (gs *groups) acquire(random *rand.Rand) *group {
	gs.mu.Lock()
	defer gs.mu.Unlock()
	if len(gs.live) == 0 {
		return nil
	}
	g := gs.live[random.IntN(len(gs.live))]
	g.users++
	return g
}

// release lets go of a group. It returns true to the one caller that has to close it: the last one of a group that was
// used enough.
func (gs *groups) release(g *group) bool {
	enough := false
	for _, h := range g.items {
		events, maybes := h.size()
		enough = enough || events >= groupEvents || maybes >= groupMaybes
	}
	gs.mu.Lock()
	defer gs.mu.Unlock()
	g.users--
	if enough && !g.closing {
		gs.close(g)
	}
	return g.closing && g.users == 0
}

func (gs *groups) close(g *group) {
	g.closing = true
	for i, l := range gs.live {
		if l == g {
			gs.live[i] = gs.live[len(gs.live)-1]
			gs.live = gs.live[:len(gs.live)-1]
			return
		}
	}
}

// closeAll takes all live groups, when nobody uses one any more.
func (gs *groups) closeAll() []*group {
	gs.mu.Lock()
	defer gs.mu.Unlock()
	all := gs.live
	gs.live = nil
	for _, g := range all {
		g.closing = true
	}
	return all
}

// retire notes that the rows of a group are deleted.
func (gs *groups) retire(g *group, now int64) {
	gs.mu.Lock()
	defer gs.mu.Unlock()
	gs.retired[g.id] = now
	delete(gs.byID, g.id)
}

// find returns a group in use, closing ones included, and holds it; nil with when its rows were known to be deleted, 0 for
// a group that never was.
func (gs *groups) find(id int64) (g *group, deleted int64) {
	gs.mu.Lock()
	defer gs.mu.Unlock()
	return gs.byID[id], gs.retired[id]
}

// open returns the live groups, held until release.
func (gs *groups) holdAll() []*group {
	gs.mu.Lock()
	defer gs.mu.Unlock()
	all := append([]*group(nil), gs.live...)
	for _, g := range all {
		g.users++
	}
	return all
}
