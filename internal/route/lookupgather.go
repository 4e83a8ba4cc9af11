package route

import (
	"time"

	"github.com/gofluss/fluss/internal/wire"
)

// lookupGatherTime bounds a gathering, beside half of the time that the frame took.
const lookupGatherTime = 200 * time.Microsecond

// regather waits for the callers of an answered frame to come back, and sends what is there by then.
func (q *lookupQueue) regather(conn *wire.Conn, took time.Duration) {
	if q.gather.wait(min(took/2, lookupGatherTime)) {
		return // whoever came last has sent it
	}
	q.mu.Lock()
	q.gather.giveUp()
	q.woken = 0
	q.next(conn)
}
