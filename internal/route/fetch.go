package route

import (
	"fmt"
	"math"
	"time"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/wire"
)

// fetch is one FETCH_LOG on its way: lanes of one scan whose leaders are on one server.
type fetch struct {
	s           *Scanner
	at          target
	lanes       []*lane
	leaders     []leader // of lanes
	unprojected bool
	alone       bool
	room        int // bytes of the answer that no lane has claimed
	reserved    int
	began       time.Time
	req         wire.FetchRequest
}

// fits reports whether a lane may share the fetch.
func (f *fetch) fits(l *lane, at target) bool {
	return !f.alone && !l.alone && f.at.conn == at.conn && f.unprojected == l.unprojected && f.room >= int(l.maxBytes)
}

// add puts a lane into the fetch. The caller holds the scanner's lock.
func (f *fetch) add(l *lane, at target) {
	l.fetching = true
	f.lanes, f.leaders = append(f.lanes, l), append(f.leaders, at.leader)
	f.room -= int(l.maxBytes)
	f.reserved += int(l.maxBytes)
	f.s.reserved += int(l.maxBytes)
	f.req.Buckets = append(f.req.Buckets, wire.FetchBucket{
		Partition: l.bucket.PartitionID, Bucket: l.bucket.ID, Offset: l.next, MaxBytes: l.maxBytes,
	})
}

// start sends the fetch. A fetch that may find nothing, because the scan follows the log or found nothing there
// the last time, lets the server wait a moment.
func (f *fetch) start() {
	s := f.s
	f.began = time.Now()
	f.req.Table, f.req.WaitMillis, f.req.MinBytes = s.table.ID, -1, -1
	f.req.MaxBytes = int32(max(s.answerBytes(), f.reserved))
	if !f.unprojected {
		f.req.Projection = s.projection
	}
	idle := true
	for _, l := range f.lanes {
		idle = idle && l.empty > 0
	}
	if s.follow || idle {
		f.req.WaitMillis, f.req.MinBytes = int32(idleWait/time.Millisecond), 1
	}
	enc := func(dst []byte) []byte { return wire.AppendFetchLogRequest(dst, &f.req) }
	f.at.conn.Start(wire.APIFetchLog, s.c.cfg.AttemptTimeout+idleWait, enc, f)
}

func (f *fetch) projected() bool { return len(f.req.Projection) > 0 }

// Answered takes the answer, on the connection's read loop, and sends the next fetch.
func (f *fetch) Answered(body []byte, err error) {
	s := f.s
	var results []wire.FetchResult
	if err == nil {
		results, err = wire.ParseFetchLogResponse(nil, body)
	}
	s.mu.Lock()
	s.underWay[f.at.leader.server]--
	s.reserved -= f.reserved
	if s.over() {
		s.mu.Unlock()
		return
	}
	for _, l := range f.lanes {
		l.fetching = false
	}
	if err != nil {
		f.failed(err)
	} else {
		f.take(results)
	}
	p := s.plan(time.Now())
	s.mu.Unlock()
	p.start()
	s.signal()
}

// failed takes an error about the whole fetch.
func (f *fetch) failed(err error) {
	s := f.s
	refusal, refused := asServerError(err)
	switch {
	case refused:
		for i, l := range f.lanes {
			s.refused(l, f.leaders[i], f.projected(), refusal)
		}
	case is[*wire.ErrResponseTooLarge](err) && len(f.lanes) > 1:
		for _, l := range f.lanes {
			l.alone = true
		}
	case !worthRepeating(err):
		for _, l := range f.lanes {
			s.fail(l, fmt.Errorf("%s at offset %d: %w", place(s.table.Path, l.bucket), l.next, err))
		}
	default:
		s.last = err
		s.c.blame(f.at.node, bulkConn, f.at.conn, err)
		for i, l := range f.lanes {
			s.state.disproved(l.bucket, f.leaders[i], err)
		}
	}
}

// take sorts the entries of a good answer.
func (f *fetch) take(results []wire.FetchResult) {
	s := f.s
	for i, l := range f.lanes {
		r := findResult(results, s.table.ID, l.bucket)
		if r == nil {
			s.fail(l, malformed("FETCH_LOG: %s is left out", place(s.table.Path, l.bucket)))
			continue
		}
		if r.Code != wire.CodeNone {
			refusal, _ := asServerError(r.Err(wire.APIFetchLog, f.at.conn.Addr()))
			s.refused(l, f.leaders[i], f.projected(), refusal)
			continue
		}
		l.outOfRange = 0
		switch {
		case r.Remote != nil && len(r.Remote.RemoteLogSegments) > 0:
			s.goRemote(l, r.Remote)
		case len(r.Records) == 0:
			f.nothing(l, r.HighWatermark)
		default:
			l.empty = 0
			s.takeRecords(l, r.Records, f.projected())
		}
	}
}

func findResult(results []wire.FetchResult, table int64, b catalog.Bucket) *wire.FetchResult {
	for i := range results {
		if r := &results[i]; r.Bucket == b.ID && r.Partition == b.PartitionID && r.Table == table {
			return r
		}
	}
	return nil
}

// nothing notes that a lane got no bytes. Where there is data all the same, others took the room: the lane goes
// alone. Otherwise the next fetch lets the server wait, and when the server does not, the lane does.
func (f *fetch) nothing(l *lane, highWatermark int64) {
	l.empty++
	l.alone = highWatermark > l.next && l.empty > 1
	if took := time.Since(f.began); l.empty > 1 && took < idleWait {
		l.pauseLane(idleWait - took)
	}
}

// takeRecords turns the bytes of a lane into a chunk and moves its next offset.
func (s *Scanner) takeRecords(l *lane, records []byte, projected bool) {
	w := walk(records, l.span, !projected)
	if w.count > 0 {
		l.since = 0 // all that follow are as young
		s.ready = append(s.ready, delivery{chunk: Chunk{
			Bucket: l.bucket, Start: l.next, End: min(w.next, l.end), Records: w.records, Projected: projected,
		}})
		s.buffered += len(w.records)
	}
	moved := w.next > l.next
	l.next = w.next
	switch {
	case w.err != nil:
		s.fail(l, &PoisonError{Table: s.table.Path, Bucket: l.bucket, Offset: w.next, Next: w.behind, Reason: reason(w.err)})
	case l.next >= l.end, w.late:
		l.done = true
	case moved:
		l.cut, l.alone = 0, false
		if l.unprojected && w.oldest >= int16(s.table.Schema.ID) {
			l.unprojected = false // past the old batches
		}
		if len(records) >= int(l.maxBytes)/8*7 && len(s.lanes) <= fetchBytes/maxLaneBytes {
			l.maxBytes = int32(min(2*int(l.maxBytes), maxLaneBytes, s.answerBytes()))
		}
	default:
		s.grow(l, len(records), w.needed)
	}
}

// maxCut is how often a lane may get no whole batch before that counts as damage.
const maxCut = 4

// grow makes room for a batch that did not fit. Alone, and with room for it, a batch comes whole: one that still
// does not is damaged.
func (s *Scanner) grow(l *lane, got int, needed int64) {
	limit := min(int64(s.c.cfg.MaxResponseBytes), math.MaxInt32) - 1024
	l.cut++
	if l.cut > maxCut || needed > limit {
		s.fail(l, &PoisonError{
			Table: s.table.Path, Bucket: l.bucket, Offset: l.next, Next: -1,
			Reason: malformed("no whole batch in %d bytes, it says it has %d", got, needed).Error(),
		})
		return
	}
	l.alone = true
	l.maxBytes = int32(max(int64(l.maxBytes), min(max(2*int64(l.maxBytes), needed), limit)))
}
