package jvm

import (
	"context"
	"encoding/binary"
	"errors"
	"net"
	"slices"
	"sync"

	"github.com/gofluss/fluss/internal/wire"
)

// frameHeader is how many bytes stand in front of a request's body: its length, API key, version and id.
const frameHeader = 12

var errCut = errors.New("the test cut the connection")

// links are the connections that a driver under test has open, for a test that cuts them, keeps answers back or changes
// what is sent.
type links struct {
	mu    sync.Mutex
	open  map[*link]bool
	muted chan struct{} // nil: answers pass; closed when they do again
	// onFrame sees each request before it is sent and may change its body; false: it is thrown away instead.
	onFrame func(api wire.APIKey, body []byte) bool
}

// dial is a Config.Dial.
func (l *links) dial(ctx context.Context, network, address string) (net.Conn, error) {
	conn, err := (&net.Dialer{}).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	k := &link{Conn: conn, of: l, closed: make(chan struct{})}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.open == nil {
		l.open = map[*link]bool{}
	}
	l.open[k] = true
	return k, nil
}

// cut closes all connections. What was written to them stays in the server's sockets.
func (l *links) cut() {
	l.mu.Lock()
	open := l.open
	l.open = nil
	l.mu.Unlock()
	for k := range open {
		k.Close()
	}
}

// mute keeps all answers back until unmute, or until their connection ends.
func (l *links) mute() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.muted == nil {
		l.muted = make(chan struct{})
	}
}

func (l *links) unmute() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.muted != nil {
		close(l.muted)
		l.muted = nil
	}
}

// watch sets onFrame, nil to end it.
func (l *links) watch(see func(api wire.APIKey, body []byte) bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.onFrame = see
}

// link is one connection.
type link struct {
	net.Conn
	of      *links
	once    sync.Once
	closed  chan struct{}
	pending []byte // of a frame that is not complete; only the one writer of a connection touches it
}

// Read gives nothing while answers are kept back, not even what it had waited for before.
func (k *link) Read(b []byte) (int, error) {
	n, err := k.Conn.Read(b)
	k.of.mu.Lock()
	muted := k.of.muted
	k.of.mu.Unlock()
	if muted == nil || err != nil {
		return n, err
	}
	select {
	case <-muted:
		return n, nil
	case <-k.closed:
		return 0, errCut
	}
}

// Write sends whole frames only, after onFrame has seen them.
func (k *link) Write(b []byte) (int, error) {
	k.of.mu.Lock()
	see := k.of.onFrame
	k.of.mu.Unlock()
	if see == nil && len(k.pending) == 0 {
		return k.Conn.Write(b)
	}
	k.pending = append(k.pending, b...)
	for len(k.pending) >= frameHeader {
		end := 4 + int(binary.BigEndian.Uint32(k.pending))
		if len(k.pending) < end {
			break
		}
		frame := k.pending[:end]
		if see == nil || see(wire.APIKey(binary.BigEndian.Uint16(frame[4:])), frame[frameHeader:]) {
			if _, err := k.Conn.Write(frame); err != nil {
				return 0, err
			}
		}
		k.pending = slices.Delete(k.pending, 0, end)
	}
	return len(b), nil
}

func (k *link) Close() error {
	k.once.Do(func() { close(k.closed) })
	k.of.mu.Lock()
	delete(k.of.open, k)
	k.of.mu.Unlock()
	return k.Conn.Close()
}
