package flusstest

import (
	"errors"
	"io"
	"net"
	"os"
	"sync"
	"time"
)

var errRefused = errors.New("connection refused")

// pipeBuffer is how much one direction of a connection in memory holds before a writer waits, in bytes: about what
// the kernel's socket buffers take.
const pipeBuffer = 256 << 10

// memPipe returns the two ends of a buffered connection. Unlike net.Pipe it lets a writer go on while nobody reads,
// as TCP does.
func memPipe(client, server net.Addr) (net.Conn, net.Conn) {
	up, down := newStream(), newStream()
	return &memConn{in: down, out: up, local: client, remote: server},
		&memConn{in: up, out: down, local: server, remote: client}
}

// memConn is one end.
type memConn struct {
	in, out       *stream
	local, remote net.Addr
}

func (c *memConn) Read(b []byte) (int, error)  { return c.in.read(b) }
func (c *memConn) Write(b []byte) (int, error) { return c.out.write(b) }

// Close ends both directions: the peer reads what is buffered and then io.EOF, its writes fail.
func (c *memConn) Close() error {
	c.in.abandon()
	c.out.finish()
	return nil
}

// CloseWrite ends the direction to the peer.
func (c *memConn) CloseWrite() error {
	c.out.finish()
	return nil
}

func (c *memConn) LocalAddr() net.Addr  { return c.local }
func (c *memConn) RemoteAddr() net.Addr { return c.remote }

func (c *memConn) SetDeadline(t time.Time) error {
	c.in.readBy.set(t)
	c.out.writeBy.set(t)
	return nil
}

func (c *memConn) SetReadDeadline(t time.Time) error {
	c.in.readBy.set(t)
	return nil
}

func (c *memConn) SetWriteDeadline(t time.Time) error {
	c.out.writeBy.set(t)
	return nil
}

// stream is one direction. All waiting is on channels, so that time in a synctest bubble can pass.
type stream struct {
	mu       sync.Mutex
	buf      []byte
	finished bool // the writer has closed
	gone     bool // the reader has closed
	readable chan struct{}
	writable chan struct{}

	readBy, writeBy deadline
}

func newStream() *stream {
	s := &stream{readable: make(chan struct{}, 1), writable: make(chan struct{}, 1)}
	s.readBy.passed, s.writeBy.passed = make(chan struct{}), make(chan struct{})
	return s
}

// signal leaves a mark for whoever waits.
func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

func (s *stream) read(b []byte) (int, error) {
	for {
		passed := s.readBy.done()
		if isClosed(passed) {
			return 0, os.ErrDeadlineExceeded
		}
		if n, err, ok := s.tryRead(b); ok {
			return n, err
		}
		select {
		case <-s.readable:
		case <-passed:
		}
	}
}

func (s *stream) tryRead(b []byte) (n int, err error, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.gone:
		signal(s.readable) // for other readers
		return 0, net.ErrClosed, true
	case len(s.buf) > 0:
		n = copy(b, s.buf)
		if s.buf = s.buf[n:]; len(s.buf) == 0 {
			s.buf = nil
		} else {
			signal(s.readable)
		}
		signal(s.writable)
		return n, nil, true
	case s.finished:
		signal(s.readable)
		return 0, io.EOF, true
	}
	return 0, nil, false
}

func (s *stream) write(b []byte) (written int, err error) {
	for {
		passed := s.writeBy.done()
		if isClosed(passed) {
			return written, os.ErrDeadlineExceeded
		}
		n, err := s.tryWrite(b[written:])
		if written += n; err != nil || written == len(b) {
			return written, err
		}
		select {
		case <-s.writable:
		case <-passed:
		}
	}
}

func (s *stream) tryWrite(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.finished || s.gone {
		signal(s.writable)
		if s.finished {
			return 0, net.ErrClosed
		}
		return 0, io.ErrClosedPipe
	}
	n := min(len(b), pipeBuffer-len(s.buf))
	s.buf = append(s.buf, b[:n]...)
	signal(s.readable)
	if len(s.buf) < pipeBuffer {
		signal(s.writable)
	}
	return n, nil
}

func (s *stream) finish() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.finished = true
	signal(s.readable)
	signal(s.writable)
}

func (s *stream) abandon() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.gone = true
	s.buf = nil
	signal(s.readable)
	signal(s.writable)
}

// deadline is a time after which a channel is closed.
type deadline struct {
	mu     sync.Mutex
	timer  *time.Timer
	passed chan struct{}
}

func (d *deadline) done() <-chan struct{} {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.passed
}

// set moves the deadline; a zero time means none.
func (d *deadline) set(t time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.timer != nil && !d.timer.Stop() || isClosed(d.passed) {
		d.passed = make(chan struct{}) // the old one is closed, or about to be
	}
	d.timer = nil
	if t.IsZero() {
		return
	}
	passed := d.passed
	var once sync.Once
	end := func() { once.Do(func() { close(passed) }) }
	if left := time.Until(t); left > 0 {
		d.timer = time.AfterFunc(left, end)
	} else {
		end()
	}
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
