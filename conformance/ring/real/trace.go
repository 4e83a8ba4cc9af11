package real

import (
	"database/sql"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/gofluss/fluss"
)

// traceLength is how many requests a trace remembers.
const traceLength = 4000

// trace is the newest requests of a pool: what a slow freeze is explained by.
type trace struct {
	mu   sync.Mutex
	list []traced // a ring, once it is full
	next int
}

type traced struct {
	end time.Time
	fluss.RequestInfo
}

// open is sql.Open for a pool whose requests are traced.
func (t *trace) open(dsn string) (*sql.DB, error) {
	cfg, err := fluss.ParseDSN(dsn)
	if err != nil {
		return nil, err
	}
	cfg.OnRequest = t.note
	c, err := fluss.NewConnector(cfg)
	if err != nil {
		return nil, err
	}
	return sql.OpenDB(c), nil
}

func (t *trace) note(i fluss.RequestInfo) {
	t.mu.Lock()
	defer t.mu.Unlock()
	r := traced{time.Now(), i}
	if len(t.list) < traceLength {
		t.list = append(t.list, r)
		return
	}
	t.list[t.next] = r
	t.next = (t.next + 1) % traceLength
}

// print writes the requests that ended between two times, which count from begin.
func (t *trace) print(w io.Writer, begin time.Time, from, to time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for i := range t.list {
		r := &t.list[(t.next+i)%len(t.list)]
		end := r.end.Sub(begin)
		if end < from || end > to {
			continue
		}
		fmt.Fprintf(w, "  %7.3fs %-14s %s took %.3fs", (end - r.Duration).Seconds(), r.API, r.Server, r.Duration.Seconds())
		if r.Err != nil {
			fmt.Fprintf(w, ": %v", r.Err)
		}
		fmt.Fprintln(w)
	}
}

// forget lets go of what it remembers.
func (t *trace) forget() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.list, t.next = nil, 0
}
