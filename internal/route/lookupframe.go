package route

import (
	"sync"
	"time"

	"github.com/gofluss/fluss/internal/wire"
)

// lookupFrame is one LOOKUP on its way: the keys of many callers, grouped by bucket.
type lookupFrame struct {
	q       *lookupQueue
	conn    *wire.Conn
	sent    time.Time
	callers int
	items   []*lookupItem
	buckets []wire.KeyBucket
	members [][]*lookupItem // of buckets, in the order of their keys
	seen    []bool          // buckets that were answered
	index   map[frameBucket]int
	results []wire.LookupResult
	enc     func(dst []byte) []byte
}

type frameBucket struct {
	partition int64
	bucket    int32
}

// fewBuckets is how many buckets are looked through one by one instead of in a map.
const fewBuckets = 8

var framePool = sync.Pool{New: func() any {
	f := &lookupFrame{index: map[frameBucket]int{}}
	f.enc = f.encode
	return f
}}

func (f *lookupFrame) add(item *lookupItem) {
	if n := len(f.items); n == 0 || f.items[n-1].group != item.group {
		f.callers++
	}
	f.items = append(f.items, item)
	i := f.find(item.bucket.PartitionID, item.bucket.ID)
	if i < 0 {
		i = f.open(item.bucket.PartitionID, item.bucket.ID)
	}
	f.buckets[i].Keys = append(f.buckets[i].Keys, item.key)
	f.members[i] = append(f.members[i], item)
}

// find returns the position of a bucket, or -1.
func (f *lookupFrame) find(partition int64, bucket int32) int {
	if len(f.buckets) > fewBuckets {
		if i, ok := f.index[frameBucket{partition, bucket}]; ok {
			return i
		}
		return -1
	}
	for i := range f.buckets {
		if f.buckets[i].Bucket == bucket && f.buckets[i].Partition == partition {
			return i
		}
	}
	return -1
}

// open makes a place for a new bucket out of the memory of earlier ones.
func (f *lookupFrame) open(partition int64, bucket int32) int {
	i := len(f.buckets)
	f.buckets, f.members = extend(f.buckets), extend(f.members)
	f.buckets[i].Partition, f.buckets[i].Bucket = partition, bucket
	f.seen = append(f.seen, false)
	f.index[frameBucket{partition, bucket}] = i
	return i
}

// extend lengthens s by one element, an earlier one where there is room.
func extend[T any](s []T) []T {
	if len(s) < cap(s) {
		return s[:len(s)+1]
	}
	var zero T
	return append(s, zero)
}

func (f *lookupFrame) encode(dst []byte) []byte {
	return wire.AppendLookupRequest(dst, f.q.table, f.buckets)
}

func (f *lookupFrame) start(conn *wire.Conn) {
	f.conn = conn
	conn.Start(wire.APILookup, f.q.c.cfg.AttemptTimeout, f.enc, f)
}

// startAlone is start by the only caller in the frame, which is going to wait for nothing else.
func (f *lookupFrame) startAlone(conn *wire.Conn) wire.Turn {
	f.conn = conn
	return conn.StartAlone(wire.APILookup, f.q.c.cfg.AttemptTimeout, f.enc, f)
}

// Answered takes the answer, on the connection's read loop: it sends the next frame, then fills in the items and
// wakes their callers.
func (f *lookupFrame) Answered(body []byte, err error) {
	q, conn := f.q, f.conn
	gathers := false
	if err == nil {
		f.results, err = wire.ParseLookupResponse(f.results[:0], body)
	}
	switch {
	case err == nil:
		gathers = q.answered(conn, f.callers, nil)
		f.deliver()
	case len(f.items) > 1 && is[*wire.ErrResponseTooLarge](err):
		q.answered(conn, f.callers, nil)
		f.fail(errSharedTooLarge)
	case isServerError(err) || !worthRepeating(err):
		q.answered(conn, f.callers, nil)
		f.fail(err)
	default:
		q.c.blame(q.c.tablet(q.server), smallConn, conn, err)
		q.answered(conn, f.callers, err)
		f.fail(err)
	}
	took := time.Since(f.sent)
	f.wake()
	if gathers {
		q.regather(conn, took)
	}
}

// deliver sets the results of all items.
func (f *lookupFrame) deliver() {
	for i := range f.results {
		r := &f.results[i]
		at := f.find(r.Partition, r.Bucket)
		if at < 0 {
			continue
		}
		f.seen[at] = true
		members := f.members[at]
		err := r.Err(wire.APILookup, f.conn.Addr())
		if err == nil && len(r.Values) != len(members) {
			err = malformed("LOOKUP: %d values for %d keys", len(r.Values), len(members))
		}
		for k, item := range members {
			if item.err = err; err == nil {
				item.value = r.Values[k]
			}
		}
	}
	for at, seen := range f.seen {
		if seen {
			continue
		}
		err := malformed("LOOKUP: bucket %d is left out", f.buckets[at].Bucket)
		for _, item := range f.members[at] {
			item.err = err
		}
	}
}

func (f *lookupFrame) fail(err error) {
	for _, item := range f.items {
		item.err = err
	}
}

// wake tells the callers and gives the frame back. Items are not touched once their group was told.
func (f *lookupFrame) wake() {
	var g *lookupGroup
	n := int32(0)
	for _, item := range f.items {
		if item.group != g {
			if n > 0 {
				g.answered(n)
			}
			g, n = item.group, 0
		}
		n++
	}
	if n > 0 {
		g.answered(n)
	}
	f.release()
}

func (f *lookupFrame) release() {
	for i := range f.buckets {
		clear(f.buckets[i].Keys)
		clear(f.members[i])
		f.buckets[i].Keys, f.members[i] = f.buckets[i].Keys[:0], f.members[i][:0]
	}
	clear(f.items)
	for i := range f.results {
		clear(f.results[i].Values)
	}
	clear(f.index)
	f.items, f.buckets, f.members = f.items[:0], f.buckets[:0], f.members[:0]
	f.seen, f.results = f.seen[:0], f.results[:0]
	f.q, f.conn, f.callers = nil, nil, 0
	framePool.Put(f)
}
