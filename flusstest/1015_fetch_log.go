package flusstest

// FETCH_LOG, version 0, for clients: follower_server_id is ignored. Buckets are served in the order of the request; the
// real server's order is that of a hash. No segment is ever remote.

import (
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/wire"
	"github.com/gofluss/fluss/internal/wire/flusspb"
)

// defaultFetchWait is how long a fetch with min_bytes and without max_wait_ms waits.
const defaultFetchWait = 100 * time.Millisecond

func (c *call) fetchLog() {
	q := new(flusspb.FetchLogRequest)
	if proto.Unmarshal(c.req.Body, q) != nil {
		c.malformed()
		return
	}
	f := &fetch{call: c, request: q}
	answer := f.read()
	if f.enough() {
		c.answer(answer)
		return
	}
	c.srv.spawn(f.wait) // ends by its timer, with the connection or with the server
}

// fetch is a FETCH_LOG under way.
type fetch struct {
	*call
	request *flusspb.FetchLogRequest

	size  int               // bytes of records in the last answer
	spent bool              // some reading found records: those that come whole. A later one keeps to the limits
	ended bool              // a bucket has an error that ends the wait
	woken []*bucket         // buckets whose growth ends it
	from  map[*bucket]int64 // the offset asked of each
}

// enough says whether the last answer may go out: without min_bytes always.
func (f *fetch) enough() bool {
	return f.request.MinBytes == nil || f.ended || f.size >= int(f.request.GetMinBytes())
}

// wait answers when there is enough or the time is up. Only data in a bucket with several replicas wakes it, when a
// follower moves the high watermark; with one replica it always takes the whole time, as in the real server.
func (f *fetch) wait() {
	limit := defaultFetchWait
	if f.request.MaxWaitMs != nil {
		limit = time.Duration(f.request.GetMaxWaitMs()) * time.Millisecond
	}
	timer := time.NewTimer(limit)
	defer timer.Stop()
	stop := make(chan struct{})
	defer close(stop)
	for {
		grown := f.anyGrown(stop)
		select {
		case <-grown:
			f.node.awake()
			if answer := f.read(); f.enough() {
				f.answer(answer)
				return
			}
		case <-timer.C:
			f.node.awake()
			f.answer(f.read())
			return
		case <-f.conn.closed:
			return
		case <-f.srv.closing:
			return
		}
	}
}

// anyGrown returns a channel that gets a value when one of the woken buckets has grown; nil when there are none.
func (f *fetch) anyGrown(stop <-chan struct{}) <-chan struct{} {
	if len(f.woken) == 0 {
		return nil
	}
	any := make(chan struct{}, 1)
	for _, b := range f.woken {
		grown := b.store.grown(f.from[b])
		f.srv.spawn(func() { // ends with the fetch
			select {
			case <-grown:
				signal(any)
			case <-stop:
			}
		})
	}
	return any
}

// read performs the fetch once. The first records of the answer come whole, whatever their size; all others keep to the
// limits of their bucket and of what is left of the whole, and so do those of a reading after a wait, even the first.
// Source: FetchParams.markReadOneMessage (Java, v0.9.1-incubating).
func (f *fetch) read() *flusspb.FetchLogResponse {
	f.size, f.ended, f.woken, f.from = 0, false, nil, map[*bucket]int64{}
	answer := new(flusspb.FetchLogResponse)
	for _, t := range f.request.TablesReq {
		table := &flusspb.PbFetchLogRespForTable{TableId: t.TableId}
		for _, r := range t.BucketsReq {
			table.BucketsResp = append(table.BucketsResp, f.bucket(t, r))
		}
		answer.TablesResp = append(answer.TablesResp, table)
	}
	f.spent = f.spent || f.size > 0
	return answer
}

func (f *fetch) bucket(t *flusspb.PbFetchLogReqForTable, r *flusspb.PbFetchLogReqForBucket) *flusspb.PbFetchLogRespForBucket {
	e := &flusspb.PbFetchLogRespForBucket{PartitionId: r.PartitionId, BucketId: r.BucketId}
	records, high, err := f.records(t, r)
	if err != nil {
		e.ErrorCode, e.ErrorMessage = bucketError(err)
		code, _ := codeOf(err)
		f.ended = f.ended || code != wire.CodeNotLeaderOrFollower && code != wire.CodeUnknownTableOrBucket
		return e
	}
	f.size += len(records)
	e.HighWatermark, e.LogStartOffset, e.Records = &high, proto.Int64(0), records
	if records == nil {
		e.Records = []byte{}
	}
	return e
}

func (f *fetch) records(t *flusspb.PbFetchLogReqForTable, r *flusspb.PbFetchLogReqForBucket) ([]byte, int64, error) {
	b, err := f.leadRead(bucketKey(t.GetTableId(), r.PartitionId, r.GetBucketId()))
	if err != nil {
		return nil, 0, err
	}
	if t.GetProjectionPushdownEnabled() && b.table.made.LogFormat != catalog.LogArrow {
		return nil, 0, refuse(wire.CodeInvalidColumnProjection, "Column projection is only supported for ARROW format, but the table %s is %s format.",
			b.table.path, [...]string{catalog.LogIndexed: "INDEXED", catalog.LogCompacted: "COMPACTED"}[b.table.made.LogFormat])
	}
	var projection []int32 // nil for all columns
	if t.GetProjectionPushdownEnabled() {
		projection = append([]int32{}, t.ProjectedFields...)
	}
	var wrong error // what only matters to a fetch that finds records
	left := min(int(f.request.GetMaxBytes())-f.size, int(r.GetMaxFetchBytes()))
	if left < 0 && f.size == 0 {
		wrong = refuseJava(illegalArgument, "Invalid max size %d for log read from segment", left)
	}
	records, high, err := b.store.fetch(r.GetFetchOffset(), max(0, left), f.size == 0 && !f.spent, projection)
	if err != nil {
		return nil, 0, b.spell(err)
	}
	if wrong != nil && len(records) > 0 {
		return nil, 0, wrong
	}
	if b.wakes {
		f.woken = append(f.woken, b)
		f.from[b] = high
	}
	return records, high, err
}
