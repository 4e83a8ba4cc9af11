package wire

import (
	"sync"
	"time"
)

const (
	// largeFrame is from which size on a frame is written from its own memory instead of being copied together
	// with others, in bytes.
	largeFrame = 32 << 10

	// keepBuffer is up to which capacity a buffer is used again, in bytes.
	keepBuffer = 256 << 10

	// writeChunk is how much one Write gets, so that the write timeout measures progress, in bytes.
	writeChunk = 256 << 10
)

// frames holds buffers in which requests are encoded before the lock is taken.
var frames = sync.Pool{New: func() any { return new([]byte) }}

func newFrame() *[]byte { return frames.Get().(*[]byte) }

func freeFrame(f *[]byte) {
	if cap(*f) <= keepBuffer {
		frames.Put(f)
	}
}

// outbox is a piece of the outgoing stream: first segs, then tail. Small frames are copied together in tail, which
// keeps its memory when the outbox is emptied.
type outbox struct {
	segs [][]byte
	tail []byte
}

// add appends a frame and takes it over.
func (o *outbox) add(f *[]byte) {
	if len(*f) < largeFrame {
		o.tail = append(o.tail, *f...)
		freeFrame(f)
		return
	}
	if len(o.tail) > 0 {
		o.segs = append(o.segs, o.tail)
		o.tail = nil
	}
	o.segs = append(o.segs, *f)
}

func (o *outbox) empty() bool { return len(o.segs) == 0 && len(o.tail) == 0 }

// reset empties o for reuse; a huge tail is let go.
func (o *outbox) reset() {
	clear(o.segs)
	o.segs = o.segs[:0]
	o.tail = o.tail[:0]
	if cap(o.tail) > keepBuffer {
		o.tail = nil
	}
}

// flusher is what the goroutine that is the flusher owns without the lock.
type flusher struct {
	out         outbox        // taken from Conn.out, being written
	written     int64         // bytes of the stream the socket took
	deadlineSet time.Duration // when the write deadline was last set; 0: never
}

// claimFlush makes the caller the flusher if there is something to write and no other one. mu is held.
func (c *Conn) claimFlush() bool {
	if c.flushing || c.err != nil || c.out.empty() {
		return false
	}
	c.flushing = true
	return true
}

// goFlush hands the role of the flusher to a goroutine, which ends when there is nothing to write, or when the
// socket breaks: a write lasts at most WriteTimeout, and Close closes the socket. Close waits for it by settled.
func (c *Conn) goFlush() {
	go func() {
		for c.flushStep() {
		}
	}()
}

// flushOnce writes what is there and leaves later frames to a goroutine, so that no caller works for others.
func (c *Conn) flushOnce() {
	if c.flushStep() {
		c.goFlush()
	}
}

// flushStep writes what is in the outbox. True: there is more and the caller is still the flusher.
func (c *Conn) flushStep() (more bool) {
	c.mu.Lock()
	broken := c.err != nil
	c.out, c.flush.out = c.flush.out, c.out
	c.mu.Unlock()

	var err error
	if !broken {
		err = c.writeOut()
	}
	c.flush.out.reset()
	if err != nil {
		c.failWrite(err) // which leaves the calls to us
	}

	c.mu.Lock()
	broken = c.err != nil
	more = !broken && !c.out.empty()
	c.flushing = more
	c.mu.Unlock()
	if broken {
		c.settle()
	}
	return more
}

// writeOut writes the flusher's outbox.
func (c *Conn) writeOut() error {
	for _, seg := range c.flush.out.segs {
		if err := c.write(seg); err != nil {
			return err
		}
	}
	return c.write(c.flush.out.tail)
}

// write writes b in chunks. The deadline is moved only when an eighth of the timeout has passed since, which
// saves a timer call for nearly every small frame.
func (c *Conn) write(b []byte) error {
	for len(b) > 0 {
		if now := c.now(); c.flush.deadlineSet == 0 || now-c.flush.deadlineSet > c.cfg.WriteTimeout/8 {
			if err := c.nc.SetWriteDeadline(c.base.Add(now + c.cfg.WriteTimeout)); err != nil {
				return err
			}
			c.flush.deadlineSet = max(now, 1)
		}
		n, err := c.nc.Write(b[:min(len(b), writeChunk)])
		c.flush.written += int64(n)
		if err != nil {
			return err
		}
		b = b[n:]
	}
	return nil
}

// lastWords is how long a failed write waits for the read loop to find out more.
const lastWords = 100 * time.Millisecond

// failWrite breaks the connection because of a failed write. A server that refuses a frame says so and closes its
// end at once, so that the write fails before its words are read, and they are the better reason. The flusher never
// is the read loop, which therefore can be waited for.
func (c *Conn) failWrite(err error) {
	c.mu.Lock()
	c.writeErr = err
	if c.reader == nobodyReads || c.reader == callerComes {
		c.resumeLoop()
	}
	c.mu.Unlock()
	t := time.NewTimer(lastWords)
	defer t.Stop()
	select {
	case <-c.loopDone:
	case <-c.done:
	case <-t.C:
	}
	c.fail(err)
}
