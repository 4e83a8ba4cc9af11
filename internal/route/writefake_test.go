package route

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/wire"
	"github.com/gofluss/fluss/internal/wire/flusspb"
)

// modelCluster is a model of what a writer sees of real servers: leaders, connections that die, and for each
// bucket a log with the memory of five batches a writer. It implements writeCluster. The state of a bucket is
// shared by the servers, as if replication were instant.
type modelCluster struct {
	t      testing.TB
	ctx    context.Context
	cancel context.CancelFunc
	work   sync.WaitGroup

	mu       sync.Mutex
	leaders  map[catalog.Bucket]leader
	buckets  map[catalog.Bucket]*modelBucket
	gone     error // leaderOf fails with it
	noEpoch  bool  // metadata does not tell leader epochs
	conns    map[int32]*modelConn
	all      []*modelConn
	ids      int64
	idErr    error
	refuse   error // dialing fails with it
	doubts   int
	sent     []sentCopy
	frames   int
	raw      bool          // rows are not read
	lateness time.Duration // of what is in the socket of a connection when it dies; 0: it never arrives

	// hook decides about a copy before the server looks at it. nil: all are handled well.
	hook   func(s sentCopy) copyReply
	hookMu sync.Mutex
}

// sentCopy is one copy of a batch as a server got it.
type sentCopy struct {
	frame  int
	conn   int
	server int32
	bucket catalog.Bucket
	id     int64
	seq    int32
	rows   []int64
	bytes  []byte
	target []int32
	mode   int32
	raw    bool
	n      int // how many copies of these bytes came before
}

// copyReply is what is done with a copy.
type copyReply struct {
	code   wire.ErrorCode // answer, instead of looking at the copy
	apply  bool           // with a code, or without an answer: handle the copy all the same
	nobase bool           // success with base offset -1, nothing stored
	silent bool           // the frame is not answered
	cut    bool           // the connection dies, the frame is not answered
	delay  time.Duration  // before the frame is handled
}

type modelBucket struct {
	log     []modelRow
	end     int64
	writers map[int64]*modelWriter
	empties int // empty batches that were appended
	bad     error
}

type modelRow struct {
	id  int64
	seq int32
	row int64
}

type modelWriter struct {
	last   int32
	recent []modelBatch
}

type modelBatch struct {
	seq    int32
	offset int64
}

func newModel(t testing.TB) *modelCluster {
	f := &modelCluster{
		t: t, leaders: map[catalog.Bucket]leader{}, buckets: map[catalog.Bucket]*modelBucket{}, conns: map[int32]*modelConn{},
	}
	f.ctx, f.cancel = context.WithCancel(context.Background())
	return f
}

func (f *modelCluster) stop() {
	f.cancel()
	f.mu.Lock()
	for _, c := range f.all {
		c.breakLocked()
	}
	f.mu.Unlock()
	f.work.Wait()
}

func (f *modelCluster) leaderOf(ctx context.Context, _ *catalog.Table, b catalog.Bucket) (leader, error) {
	for {
		f.mu.Lock()
		l, ok := f.leaders[b]
		if !ok {
			l = leader{server: 1, epoch: 1}
			f.leaders[b] = l
		}
		gone := f.gone
		if f.noEpoch {
			l.epoch = -1
		}
		f.mu.Unlock()
		if gone != nil {
			return noLeader, gone
		}
		if l.server >= 0 {
			return l, nil
		}
		if err := pause(ctx, 50*time.Millisecond); err != nil {
			return noLeader, err
		}
	}
}

func (f *modelCluster) doubt(*catalog.Table, catalog.Bucket, leader, wire.ErrorCode) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.doubts++
}

func (f *modelCluster) writeConn(_ context.Context, server int32) (writeConn, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.refuse != nil {
		return nil, f.refuse
	}
	c := f.conns[server]
	if c == nil || c.dead {
		c = &modelConn{f: f, server: server, number: len(f.all), work: make(chan modelCall, 10000), closed: make(chan struct{})}
		f.conns[server] = c
		f.all = append(f.all, c)
		f.work.Add(1)
		go c.loop() // ends with the connection, waited for by stop
	}
	return c, nil
}

func (f *modelCluster) newWriterID(context.Context, int32, *catalog.Table) (int64, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.idErr != nil {
		return -1, f.idErr
	}
	f.ids++
	return f.ids, nil
}

func (f *modelCluster) silent(server int32, conn writeConn, _ error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.conns[server] == conn {
		delete(f.conns, server)
	}
}

func (f *modelCluster) endOffset(_ context.Context, _ *catalog.Table, b catalog.Bucket) (int64, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.bucket(b).end, nil
}

func (f *modelCluster) spawn(run func(ctx context.Context)) bool {
	if f.ctx.Err() != nil {
		return false
	}
	f.work.Add(1)
	go func() { // ends with f.ctx, waited for by stop
		defer f.work.Done()
		run(f.ctx)
	}()
	return true
}

func (f *modelCluster) bucket(b catalog.Bucket) *modelBucket {
	s := f.buckets[b]
	if s == nil {
		s = &modelBucket{writers: map[int64]*modelWriter{}}
		f.buckets[b] = s
	}
	return s
}

// rows returns what a bucket's log holds.
func (f *modelCluster) rows(b catalog.Bucket) []int64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	var rows []int64
	for _, r := range f.bucket(b).log {
		rows = append(rows, r.row)
	}
	return rows
}

// copies returns the copies that reached a server, in order.
func (f *modelCluster) copies() []sentCopy {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.sent)
}

// move makes another server the leader of a bucket. Like a real one that starts with what it finds in the log,
// it remembers only the newest batch of each writer.
func (f *modelCluster) move(b catalog.Bucket, server int32) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.leaders[b] = leader{server: server, epoch: f.leaders[b].epoch + 1}
	for _, w := range f.bucket(b).writers {
		w.recent = w.recent[max(0, len(w.recent)-1):]
	}
}

// modelConn is a connection: frames are handled one after the other by its loop.
type modelConn struct {
	f      *modelCluster
	server int32
	number int
	work   chan modelCall
	closed chan struct{}
	dead   bool // guarded by f.mu
}

type modelCall struct {
	key     wire.APIKey
	body    []byte
	h       wire.Handler
	once    *sync.Once
	timeout time.Duration
}

// modelLost is a call error whose frame may have left.
type modelLost struct {
	err  error
	sent bool
}

func (e *modelLost) Error() string { return e.err.Error() }
func (e *modelLost) Unwrap() error { return e.err }
func (e *modelLost) Sent() bool    { return e.sent }

var errReset = errors.New("connection reset")

func (c *modelConn) Addr() string { return fmt.Sprintf("server-%d:1", c.server) }

func (c *modelConn) Err() error {
	c.f.mu.Lock()
	defer c.f.mu.Unlock()
	if c.dead {
		return errReset
	}
	return nil
}

func (c *modelConn) Start(key wire.APIKey, timeout time.Duration, enc func([]byte) []byte, h wire.Handler) {
	call := modelCall{key: key, body: enc(nil), h: h, once: &sync.Once{}, timeout: timeout}
	c.f.mu.Lock()
	dead := c.dead
	if !dead {
		c.work <- call
	}
	c.f.mu.Unlock()
	if dead {
		h.Answered(nil, &modelLost{err: errReset})
	}
}

func (call *modelCall) answer(body []byte, err error) {
	call.once.Do(func() { call.h.Answered(body, err) })
}

func (c *modelConn) breakLocked() {
	if !c.dead {
		c.dead = true
		close(c.closed)
	}
}

func (c *modelConn) loop() {
	defer c.f.work.Done()
	for {
		select {
		case call := <-c.work:
			if !c.handle(call) {
				c.drain()
				return
			}
		case <-c.closed:
			c.drain()
			return
		}
	}
}

// drain fails what is in the socket of a dead connection; a frozen server handles it later.
func (c *modelConn) drain() {
	var late []modelCall
	for {
		select {
		case call := <-c.work:
			call.answer(nil, &modelLost{err: errReset, sent: true})
			late = append(late, call)
			continue
		default:
		}
		break
	}
	if c.f.lateness == 0 || len(late) == 0 {
		return
	}
	c.f.work.Add(1)
	go func() { // ends after the delay, waited for by stop
		defer c.f.work.Done()
		time.Sleep(c.f.lateness)
		for _, call := range late {
			c.serve(call, true)
		}
	}()
}

// handle serves one frame. It reports false when the connection died of it.
func (c *modelConn) handle(call modelCall) bool {
	body, act := c.serve(call, false)
	switch {
	case act.cut:
		c.f.mu.Lock()
		c.breakLocked()
		c.f.mu.Unlock()
		call.answer(nil, &modelLost{err: errReset, sent: true})
		return false
	case act.silent:
		c.f.work.Add(1)
		go func() { // ends with the timeout, waited for by stop
			defer c.f.work.Done()
			select {
			case <-time.After(call.timeout):
				call.answer(nil, &modelLost{err: &wire.SilenceError{After: call.timeout}, sent: true})
			case <-c.closed:
				call.answer(nil, &modelLost{err: errReset, sent: true})
			}
		}()
	default:
		call.answer(body, nil)
	}
	return true
}

// serve handles the batches of a frame. The replies of its buckets are joined: one that is silent makes the frame so.
func (c *modelConn) serve(call modelCall, late bool) ([]byte, copyReply) {
	list := c.decode(call)
	var joined copyReply
	replies := make([]copyReply, len(list))
	for i := range list {
		if c.f.hook != nil && !late {
			c.f.hookMu.Lock()
			replies[i] = c.f.hook(list[i])
			c.f.hookMu.Unlock()
		}
		joined.cut = joined.cut || replies[i].cut
		joined.silent = joined.silent || replies[i].silent
		joined.delay = max(joined.delay, replies[i].delay)
	}
	if joined.delay > 0 {
		time.Sleep(joined.delay)
	}
	c.f.mu.Lock()
	defer c.f.mu.Unlock()
	put := &flusspb.PutKvResponse{}
	produce := &flusspb.ProduceLogResponse{}
	for i, s := range list {
		r := replies[i]
		code, offset := r.code, int64(-1)
		if !r.nobase && (code == 0 && !(r.cut || r.silent) || r.apply) {
			if lead := c.f.leaders[s.bucket]; lead.server != c.server {
				code = wire.CodeNotLeaderOrFollower
			} else if done, at := c.f.bucket(s.bucket).take(s, call.key == wire.APIPutKV); code == 0 {
				code, offset = done, at
			}
		}
		part, id, n := partOf(s.bucket), s.bucket.ID, int32(code)
		text := code.Name()
		one := &flusspb.PbPutKvRespForBucket{PartitionId: part, BucketId: &id}
		two := &flusspb.PbProduceLogRespForBucket{PartitionId: part, BucketId: &id}
		if code != 0 {
			one.ErrorCode, one.ErrorMessage, two.ErrorCode, two.ErrorMessage = &n, &text, &n, &text
		} else {
			one.LogEndOffset, two.BaseOffset = &offset, &offset
		}
		put.BucketsResp = append(put.BucketsResp, one)
		produce.BucketsResp = append(produce.BucketsResp, two)
	}
	var body []byte
	if call.key == wire.APIPutKV {
		body, _ = proto.Marshal(put)
	} else {
		body, _ = proto.Marshal(produce)
	}
	return body, joined
}

func partOf(b catalog.Bucket) *int64 {
	if b.PartitionID < 0 {
		return nil
	}
	return &b.PartitionID
}

// instantCluster answers each frame at once with success.
type instantCluster struct{ ids int64 }

func (*instantCluster) leaderOf(context.Context, *catalog.Table, catalog.Bucket) (leader, error) {
	return leader{server: 1, epoch: 1}, nil
}
func (*instantCluster) doubt(*catalog.Table, catalog.Bucket, leader, wire.ErrorCode) {}
func (c *instantCluster) writeConn(context.Context, int32) (writeConn, error)        { return c, nil }
func (c *instantCluster) newWriterID(context.Context, int32, *catalog.Table) (int64, error) {
	c.ids++
	return c.ids, nil
}
func (*instantCluster) silent(int32, writeConn, error) {}

func (*instantCluster) endOffset(context.Context, *catalog.Table, catalog.Bucket) (int64, error) {
	return 1, nil
}
func (*instantCluster) spawn(run func(ctx context.Context)) bool { go run(bg); return true }
func (*instantCluster) Err() error                               { return nil }
func (*instantCluster) Addr() string                             { return "instant:1" }

// instantAnswer is a success for bucket 0.
var instantAnswer = []byte{1<<3 | 2, 4, 2 << 3, 0, 5 << 3, 1}

func (*instantCluster) Start(_ wire.APIKey, _ time.Duration, enc func([]byte) []byte, h wire.Handler) {
	enc(nil)
	h.Answered(instantAnswer, nil)
}
