package ring

import "sync"

// unsettled are the keys with writes of unknown outcome that may still happen, by pool and bucket. It is safe for concurrent
// use.
type unsettled struct {
	mu   sync.Mutex
	keys [writePools][keyBuckets]map[*history]bool
}

// add takes a key to which a write of a pool just became unknown.
func (u *unsettled) add(p pool, bucket int32, h *history) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.keys[p][bucket] == nil {
		u.keys[p][bucket] = map[*history]bool{}
	}
	u.keys[p][bucket][h] = true
}

// acknowledged takes the times of an acknowledged write of a pool to a bucket: it ends all that the pool was told to be
// unknown in the bucket before it began, whatever the key.
func (u *unsettled) acknowledged(p pool, bucket int32, s span) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for h := range u.keys[p][bucket] {
		if !h.settle(p, s.begin, s.end) {
			delete(u.keys[p][bucket], h)
		}
	}
}
