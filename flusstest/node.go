package flusstest

import (
	"net"
	"strconv"
	"sync"

	"github.com/gofluss/fluss/internal/wire"
)

const (
	wireCoordinator = wire.CoordinatorServer
	wireTablet      = wire.TabletServer
)

// node is one server: the coordinator or a tablet server.
type node struct {
	srv  *Server
	kind int   // wireCoordinator, wireTablet
	id   int32 // 0 for the coordinator too, as in a real cluster

	mu       sync.Mutex
	addr     string
	listener net.Listener // nil while stopped
	conns    map[*connection]bool
	frozen   chan struct{} // closed by thaw; nil while not frozen
	expired  bool          // frozen, and the cluster takes it for dead
}

func newNode(s *Server, kind int, id int32) *node {
	return &node{srv: s, kind: kind, id: id, conns: map[*connection]bool{}}
}

// start listens, on the address it had before if there is one.
func (n *node) start() error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.listener != nil {
		return nil
	}
	l, err := n.srv.network.listen(n.addr)
	if err != nil {
		return err
	}
	n.listener, n.addr = l, l.Addr().String()
	n.srv.spawn(func() { n.accept(l) }) // ends with the listener
	return nil
}

// stop closes the listener and drops all connections. Requests being performed go on to their end, unanswered.
func (n *node) stop() {
	n.mu.Lock()
	l := n.listener
	n.listener = nil
	var conns []*connection
	for c := range n.conns {
		conns = append(conns, c)
	}
	n.mu.Unlock()
	if l != nil {
		l.Close()
	}
	for _, c := range conns {
		c.close()
	}
}

// accept serves what connects until the listener is closed.
func (n *node) accept(l net.Listener) {
	for {
		nc, err := l.Accept()
		if err != nil {
			return
		}
		if n.srv.links.refuses() {
			nc.Close()
			continue
		}
		c := newConnection(n, nc)
		if !n.add(l, c) {
			c.close()
			continue
		}
		n.srv.spawn(c.serve) // ends with the connection
	}
}

// add registers a connection, unless l is not the listener any more.
func (n *node) add(l net.Listener, c *connection) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.listener != l {
		return false
	}
	n.conns[c] = true
	return true
}

func (n *node) remove(c *connection) {
	n.mu.Lock()
	defer n.mu.Unlock()
	delete(n.conns, c)
}

// running reports whether it runs, as far as the cluster knows.
func (n *node) running() bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.listener != nil && !n.expired
}

func (n *node) address() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.addr
}

// hostPort is the address as metadata gives it.
func (n *node) hostPort() (string, int32) {
	host, port, _ := net.SplitHostPort(n.address())
	p, _ := strconv.Atoi(port)
	return host, int32(p)
}

func (n *node) freeze() {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.frozen == nil {
		n.frozen = make(chan struct{})
	}
}

// expire has the cluster take it for dead, if it is frozen.
func (n *node) expire() (frozen bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.expired = n.frozen != nil
	return n.expired
}

// thaw reports whether the cluster took it for dead.
func (n *node) thaw() (expired bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	expired, n.expired = n.expired, false
	if n.frozen != nil {
		close(n.frozen)
		n.frozen = nil
	}
	return expired
}

// awake waits until the node is not frozen.
func (n *node) awake() {
	for {
		n.mu.Lock()
		frozen := n.frozen
		n.mu.Unlock()
		if frozen == nil {
			return
		}
		select {
		case <-frozen:
		case <-n.srv.closing:
			return
		}
	}
}
