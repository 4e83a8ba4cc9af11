package wire

import (
	"bufio"
	"crypto/tls"
	"encoding/binary"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// Conn is a connection to one server, shared by any number of goroutines. It ends with the first error of its
// socket and is never mended: whoever needs a new one dials it.
type Conn struct {
	nc         net.Conn
	addr       string
	cfg        Config
	base       time.Time // times below are durations since base, which is cheaper to keep than time.Time
	serverType int
	versions   [len(apis)]int16 // version to use by key-firstAPI, -1: not offered; fixed once Dial returns

	done     chan struct{} // closed when the connection breaks
	settled  chan struct{} // closed when, after that, every call was answered
	loopDone chan struct{} // closed when the read loop has ended

	delivering   atomic.Bool   // the read loop is inside Answered
	lastProgress atomic.Int64  // when the read loop last got a part of a large body
	progress     func()        // sets lastProgress
	roomy        bool          // a small write to nc does not wait for the peer
	waiters      sync.Pool     // of *waiter
	resume       chan struct{} // capacity 1: wakes the resting read loop

	r    *bufio.Reader // of nc; belongs to whoever reads
	lone int           // answers in a row to callers that were alone; belongs to whoever reads

	mu         sync.Mutex // guards what follows; never held across I/O or a callback
	err        error      // why the connection broke, nil while it is fine
	noWrites   error      // why it takes no writes any more
	writeErr   error      // what a write failed with, which is what broke it unless the server says more
	settling   bool       // somebody answers the remaining calls, or has
	issued     uint64     // request ids given out; the next is int32(issued)
	inflight   map[int32]*call
	waiting    callList // beyond MaxInFlight, not sent, in order
	free       *call    // calls to use again, linked by next
	frees      int
	unanswered int           // bytes of the frames in inflight
	heard      uint64        // answers so far
	heardAt    time.Duration // when the last of them began to be read
	arriving   *call         // whose body the read loop is reading, nil: none, or a small one
	queued     int64         // bytes ever put into out, which is the stream's position of its end
	out        outbox        // frames not yet taken by a flusher
	flushing   bool          // a goroutine is the flusher; it owns flush
	flush      flusher       // state of whoever is the flusher
	timer      *time.Timer
	armed      time.Duration // when timer fires, 0: not set

	reader      readerRole
	visited     bool // a caller has read since the read loop last looked
	interrupted bool // the read deadline is in the past, for the caller that reads
}

// call is a request awaiting its answer. It belongs to its Conn and all of it is guarded by Conn.mu.
type call struct {
	id       int32
	key      APIKey
	h        Handler // nil: given up, only keeps its place until the answer or the deadline
	started  time.Duration
	timeout  time.Duration // 0: none
	deadline time.Duration // 0: none
	at       int64         // position of the frame's first byte in the stream
	heard    uint64        // Conn.heard when it started
	size     int           // bytes of the frame
	frame    *[]byte       // while in Conn.waiting, else nil
	alone    bool          // its caller would have read by itself
	next     *call
	prev     *call
}

// ending is a copy of what is needed of a call after it left the Conn.
type ending struct {
	h       Handler
	key     APIKey
	size    int
	started time.Duration
	timeout time.Duration
	sent    bool
	part    bool // the frame did not leave whole
}

const (
	// inlineLimit is up to how many unanswered bytes a caller writes by itself: as much as the socket buffers
	// of both ends take without blocking, whatever the server does.
	inlineLimit = 32 << 10

	// abandonAfter is how long a cancelled call without a time limit keeps its place, see Do.
	abandonAfter = 30 * time.Second
)

func newConn(nc net.Conn, addr string, cfg Config) *Conn {
	c := &Conn{
		nc: nc, addr: addr, cfg: cfg, base: time.Now(),
		done: make(chan struct{}), settled: make(chan struct{}), loopDone: make(chan struct{}),
		resume: make(chan struct{}, 1), r: bufio.NewReaderSize(nc, readBuffer),
		inflight: make(map[int32]*call, cfg.MaxInFlight),
	}
	c.progress = func() { c.lastProgress.Store(int64(c.now())) }
	c.roomy = hasBuffers(nc)
	for i := range c.versions {
		c.versions[i] = -1
	}
	// The read loop ends when the socket closes, which fail does; Close waits for it.
	go c.readLoop()
	return c
}

// hasBuffers says whether nc is a socket, encrypted or not. A pipe in memory, or who knows what, may block a small
// write until the peer reads.
func hasBuffers(nc net.Conn) bool {
	if t, ok := nc.(*tls.Conn); ok {
		nc = t.NetConn()
	}
	_, ok := nc.(*net.TCPConn)
	return ok
}

func (c *Conn) unsupported(key APIKey) error { return &UnsupportedError{API: key, Server: c.addr} }

func (c *Conn) now() time.Duration { return time.Since(c.base) }

// Addr is the address dialled.
func (c *Conn) Addr() string { return c.addr }

// ServerType is CoordinatorServer or TabletServer, 0 when the server did not tell.
func (c *Conn) ServerType() int { return c.serverType }

// Version is the version of k in use: the highest both sides know. False: the server does not offer k.
func (c *Conn) Version(k APIKey) (int16, bool) {
	if k.info() == nil || c.versions[k-firstAPI] < 0 {
		return 0, false
	}
	return c.versions[k-firstAPI], true
}

// Done is closed when the connection breaks or is closed.
func (c *Conn) Done() <-chan struct{} { return c.done }

// Err tells why the connection broke, nil while it is fine. A server's close of an idle connection is an error
// here like any other.
func (c *Conn) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// InFlight is how many frames await an answer, given up ones included, and how many calls wait behind them.
func (c *Conn) InFlight() (awaiting, waiting int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.inflight), c.waiting.n
}

// Start queues a request and never waits for its answer, which goes to h. enc appends the body and must not use the
// Conn; nil means an empty body. timeout limits how long the answer may take, counted from now, 0: for ever; then
// h gets a *SilenceError. The limit is kept to within a tenth, and is not over while the answer itself is arriving; it is
// over early when nothing at all was heard from the server for the whole limit of an earlier call.
//
// The frame is written by the caller when that cannot block, and otherwise by a goroutine. Frames beyond
// MaxInFlight wait in the Conn, in order; how many is up to the callers. The caller must not hold a lock that
// Answered takes: see Handler.
func (c *Conn) Start(key APIKey, timeout time.Duration, enc func(dst []byte) []byte, h Handler) {
	version, ok := c.Version(key)
	if !ok {
		c.end(ending{h: h, key: key, started: c.now()}, nil, c.unsupported(key))
		return
	}
	c.start(key, version, timeout, enc, h, false)
}

// start returns the call, which may be over already: k.h tells, under the lock. nil: it could not be made.
func (c *Conn) start(
	key APIKey, version int16, timeout time.Duration, enc func([]byte) []byte, h Handler, alone bool,
) (*call, Turn) {
	frame := newFrame()
	b := AppendRequestHeader((*frame)[:0], key, version, 0, 0)
	if enc != nil {
		b = enc(b)
	}
	*frame = b
	now := c.now()
	e := ending{h: h, key: key, size: len(b), started: now}
	if len(b) > c.cfg.MaxRequest {
		freeFrame(frame)
		c.end(e, nil, &ErrRequestTooLarge{Size: len(b), Limit: c.cfg.MaxRequest, API: key})
		return nil, Turn{}
	}
	binary.BigEndian.PutUint32(b, uint32(len(b)-4))

	c.mu.Lock()
	if err := c.refuses(key); err != nil {
		c.mu.Unlock()
		freeFrame(frame)
		c.end(e, nil, &CallError{API: key, Server: c.addr, Err: err})
		return nil, Turn{}
	}
	k := c.newCall()
	k.key, k.h, k.started, k.timeout, k.heard, k.size, k.frame = key, h, now, timeout, c.heard, len(b), frame
	if timeout > 0 {
		k.deadline = now + timeout
		c.arm(c.firstLook(k), now)
	}
	c.waiting.push(k)
	c.promote()
	turn := c.readerFor(k, alone)
	mine := c.claimFlush()
	inline := mine && c.roomy && c.unanswered <= inlineLimit && !c.delivering.Load()
	c.mu.Unlock()
	switch {
	case inline:
		c.flushOnce()
	case mine:
		c.goFlush()
	}
	return k, turn
}

// promote puts waiting frames into the outbox while there is room. mu is held.
func (c *Conn) promote() {
	for c.err == nil && c.waiting.n > 0 && len(c.inflight) < c.cfg.MaxInFlight {
		k := c.waiting.pop()
		for {
			k.id = int32(uint32(c.issued))
			c.issued++
			if c.inflight[k.id] == nil { // taken only when the ids have gone round since
				break
			}
		}
		binary.BigEndian.PutUint32((*k.frame)[8:], uint32(k.id))
		c.inflight[k.id] = k
		k.at = c.queued
		c.queued += int64(k.size)
		c.unanswered += k.size
		c.out.add(k.frame)
		k.frame = nil
	}
}

// wasIssued says whether id was given to a call at some time. mu is held.
func (c *Conn) wasIssued(id int32) bool {
	back := uint32(c.issued) - uint32(id) // 1 for the newest
	return back != 0 && back <= 1<<31 && uint64(back) <= c.issued
}

// take removes k for whoever is going to answer it, and recycles it. mu is held.
func (c *Conn) take(k *call) ending {
	e := ending{h: k.h, key: k.key, size: k.size, started: k.started, timeout: k.timeout, sent: k.frame == nil}
	if k.frame != nil {
		c.waiting.remove(k)
		freeFrame(k.frame)
	} else {
		delete(c.inflight, k.id)
		c.unanswered -= k.size
	}
	if c.arriving == k {
		c.arriving = nil
	}
	*k = call{}
	if c.frees < c.cfg.MaxInFlight {
		k.next, c.free = c.free, k
		c.frees++
	}
	return e
}

func (c *Conn) newCall() *call {
	k := c.free
	if k == nil {
		return new(call)
	}
	c.free, k.next = k.next, nil
	c.frees--
	return k
}

// end tells the hook and the handler of a call, if it was not given up, how it ended. No lock is held.
func (c *Conn) end(e ending, body []byte, err error) {
	if e.h == nil {
		return
	}
	if c.cfg.OnCall != nil {
		c.told(e, len(body), err)
	}
	e.h.Answered(body, err)
}

// told calls the hook.
func (c *Conn) told(e ending, size int, err error) {
	if big, ok := err.(*ErrResponseTooLarge); ok {
		size = big.Size
	}
	c.cfg.OnCall(CallInfo{
		API: e.key, Addr: c.addr, RequestBytes: e.size, ResponseBytes: size, Duration: c.now() - e.started, Err: err,
	})
}
