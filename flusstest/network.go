package flusstest

import (
	"context"
	"fmt"
	"net"
	"sync"
)

// network is where the servers listen: TCP on the loopback interface, or memory.
type network interface {
	// listen opens addr, or any free address when addr is "".
	listen(addr string) (net.Listener, error)
	dial(ctx context.Context, network, addr string) (net.Conn, error)
}

// tcpNetwork is the loopback interface.
type tcpNetwork struct{}

func (tcpNetwork) listen(addr string) (net.Listener, error) {
	if addr == "" {
		addr = "127.0.0.1:0"
	}
	return net.Listen("tcp", addr)
}

func (tcpNetwork) dial(ctx context.Context, network, addr string) (net.Conn, error) {
	return new(net.Dialer).DialContext(ctx, network, addr)
}

// memNetwork is a network in memory. Its addresses look like loopback ones, with ports counted from 1.
type memNetwork struct {
	mu        sync.Mutex
	port      int
	listeners map[string]*memListener
}

func newMemNetwork() *memNetwork { return &memNetwork{listeners: map[string]*memListener{}} }

func (n *memNetwork) listen(addr string) (net.Listener, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if addr == "" {
		n.port++
		addr = fmt.Sprintf("127.0.0.1:%d", n.port)
	}
	if n.listeners[addr] != nil {
		return nil, fmt.Errorf("listen %s: address already in use", addr)
	}
	l := &memListener{network: n, addr: memAddr(addr), conns: make(chan net.Conn), closed: make(chan struct{})}
	n.listeners[addr] = l
	return l, nil
}

func (n *memNetwork) dial(ctx context.Context, _, addr string) (net.Conn, error) {
	n.mu.Lock()
	l := n.listeners[addr]
	n.mu.Unlock()
	refused := &net.OpError{Op: "dial", Net: "mem", Addr: memAddr(addr), Err: errRefused}
	if l == nil {
		return nil, refused
	}
	client, server := memPipe(memAddr("client"), l.addr)
	select {
	case l.conns <- server:
		return client, nil
	case <-l.closed:
		return nil, refused
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// memListener accepts what dial makes.
type memListener struct {
	network *memNetwork
	addr    memAddr
	conns   chan net.Conn
	once    sync.Once
	closed  chan struct{}
}

func (l *memListener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *memListener) Close() error {
	l.once.Do(func() {
		l.network.mu.Lock()
		delete(l.network.listeners, string(l.addr))
		l.network.mu.Unlock()
		close(l.closed)
	})
	return nil
}

func (l *memListener) Addr() net.Addr { return l.addr }

// memAddr is an address of a memNetwork.
type memAddr string

func (memAddr) Network() string  { return "mem" }
func (a memAddr) String() string { return string(a) }
