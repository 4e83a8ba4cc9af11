package wire

import (
	"context"
	"errors"
	"os"
	"time"
)

// A caller that is alone on a connection reads its answer by itself: an answer that comes to another goroutine
// first costs two thread wake-ups, about as much as the server's whole work on a lookup. Only one reads at a time:
//
//	loopReads    the read loop, which is the rule.
//	nobodyReads  the read loop rests, because loneAnswers in a row went to callers that were alone and nothing is
//	             in flight. The next call wakes it, or is made by a caller that will read.
//	callerComes  such a caller has made its call and is about to read.
//	callerReads  it reads until it has its answer. It also delivers what else arrives.
//
// A caller that leaves gives back to the read loop what it cannot leave alone: a call in flight, bytes in the buffer, a
// body larger than the buffer, or the end of its context. The rest ends by itself when nobody came for a
// while, so that an idle connection notices its end.
type readerRole uint8

const (
	loopReads readerRole = iota
	nobodyReads
	callerComes
	callerReads
)

const (
	// loneAnswers is after how many answers to callers that were alone the read loop rests.
	loneAnswers = 4
	// restTick is how often the resting read loop looks whether callers still come.
	restTick = 25 * time.Millisecond
)

// Turn is a caller's right to read.
type Turn struct {
	id int32
	ok bool
}

// StartAlone is Start by a caller that is going to wait for this answer and for nothing else. It has to call
// Await with what it returns before it waits.
func (c *Conn) StartAlone(key APIKey, timeout time.Duration, enc func(dst []byte) []byte, h Handler) Turn {
	version, ok := c.Version(key)
	if !ok {
		c.end(ending{h: h, key: key, started: c.now()}, nil, c.unsupported(key))
		return Turn{}
	}
	_, turn := c.start(key, version, timeout, enc, h, true)
	return turn
}

// readerFor sees to it that somebody is going to read the answer to k, a call just made. mu is held.
func (c *Conn) readerFor(k *call, alone bool) (turn Turn) {
	k.alone = alone && c.roomy
	if c.reader != nobodyReads {
		return Turn{}
	}
	if k.alone && len(c.inflight) == 1 && c.waiting.n == 0 {
		c.reader = callerComes
		return Turn{id: k.id, ok: true}
	}
	c.resumeLoop()
	return Turn{}
}

// resumeLoop ends the rest of the read loop. mu is held.
func (c *Conn) resumeLoop() {
	c.reader, c.lone = loopReads, 0
	select {
	case c.resume <- struct{}{}:
	default: // it is awake already, and going to look
	}
}

// Await reads the connection if it is the caller's turn, until the answer was delivered or ctx ends. It returns at
// once when it is not: then the read loop delivers the answer, as always.
func (c *Conn) Await(ctx context.Context, turn Turn) {
	if !turn.ok {
		return
	}
	c.mu.Lock()
	if c.reader != callerComes { // the write failed and the read loop listens for the reason
		c.mu.Unlock()
		return
	}
	c.reader = callerReads
	over := c.inflight[turn.id] == nil
	c.mu.Unlock()
	if ctx.Done() != nil {
		stop := context.AfterFunc(ctx, c.interrupt) // ends at once; a late one interrupts another caller, who copes
		defer stop()
	}
	for !over {
		id, err := c.readOne()
		if err != nil {
			c.handBack(err)
			return
		}
		over = id == turn.id
	}
	c.leave(false)
}

// readOne reads one answer if it fits in the buffer, and nothing at all otherwise.
func (c *Conn) readOne() (id int32, err error) {
	head, err := c.peekHead()
	if err != nil {
		return 0, err
	}
	n := responseHeader + head.body
	if head.kind == ResponseFailure || n > readBuffer || head.body > c.cfg.MaxResponse {
		return 0, errNotHere
	}
	if _, err := c.r.Peek(n); err != nil {
		return 0, err
	}
	return head.id, c.readFrame()
}

// errNotHere is an answer for the read loop.
var errNotHere = errors.New("wire: not for a caller to read")

// handBack leaves because of an error.
func (c *Conn) handBack(err error) {
	c.mu.Lock()
	interrupted := c.interrupted && errors.Is(err, os.ErrDeadlineExceeded)
	c.mu.Unlock()
	if err != errNotHere && !interrupted {
		c.fail(unexpected(err))
	}
	c.leave(true)
}

// leave ends the reading of a caller.
func (c *Conn) leave(goOn bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.interrupted {
		c.interrupted = false
		c.nc.SetReadDeadline(time.Time{})
	}
	if goOn || len(c.inflight) > 0 || c.r.Buffered() > 0 {
		c.resumeLoop()
		return
	}
	c.reader, c.visited = nobodyReads, true
}

// interrupt has the caller that reads leave. The deadline is set under the lock: it is in the past exactly as long as
// interrupted says.
func (c *Conn) interrupt() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.reader == callerReads && !c.interrupted {
		c.interrupted = true
		c.nc.SetReadDeadline(c.base)
	}
}

// mayRest makes the read loop's way free for callers that read by themselves. Called by the read loop.
func (c *Conn) mayRest() bool {
	if c.lone < loneAnswers {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil || len(c.inflight) > 0 || c.waiting.n > 0 || c.r.Buffered() > 0 {
		return false
	}
	c.reader, c.visited = nobodyReads, true
	return true
}

// rest returns when the read loop has to read again. False: the connection is broken.
func (c *Conn) rest() bool {
	tick := time.NewTicker(restTick)
	defer tick.Stop()
	for {
		select {
		case <-c.done:
			return false
		case <-c.resume:
		case <-tick.C:
			c.mu.Lock()
			if c.reader == nobodyReads && !c.visited {
				c.reader, c.lone = loopReads, 0
			}
			c.visited = false
			c.mu.Unlock()
		}
		c.mu.Lock()
		mine := c.reader == loopReads
		c.mu.Unlock()
		if mine {
			return true
		}
	}
}

// noteAnswer counts answers to callers that were alone. Called by whoever reads, with mu.
func (c *Conn) noteAnswer(alone bool) {
	if alone && len(c.inflight) == 0 && c.waiting.n == 0 {
		c.lone++
	} else {
		c.lone = 0
	}
}
