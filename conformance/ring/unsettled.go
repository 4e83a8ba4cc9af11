package ring

import "sync"

// unsettled are the keys with writes of unknown outcome that may still happen, by bucket. It is safe for concurrent use.
type unsettled struct {
	mu   sync.Mutex
	keys [keyBuckets]map[*history]bool
}

// add takes a key to which a write just became unknown.
func (u *unsettled) add(bucket int32, h *history) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.keys[bucket] == nil {
		u.keys[bucket] = map[*history]bool{}
	}
	u.keys[bucket][h] = true
}

// acknowledged takes the times of an acknowledged write to a bucket: it ends all that was reported unknown in the bucket
// before it began, whatever the key.
func (u *unsettled) acknowledged(bucket int32, s span) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for h := range u.keys[bucket] {
		if !h.settle(s.begin, s.end) {
			delete(u.keys[bucket], h)
		}
	}
}
