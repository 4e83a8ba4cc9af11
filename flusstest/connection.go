package flusstest

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"net"
	"sync"
	"sync/atomic"

	"github.com/gofluss/fluss/internal/wire"
)

// connection is one socket. Its requests are performed one after the other in the order they came; those that wait for
// something (a FETCH_LOG for data, an answer that a hook holds back) are answered out of order.
type connection struct {
	node *node
	nc   net.Conn
	raw  net.Conn // nc without the limits of links
	id   int64

	once   sync.Once
	closed chan struct{}

	user string // after SASL; "" before, and without it
	out  sender

	heldMu sync.Mutex
	held   []func() // answers that wait for another one, see Action.Reorder
}

// connections counts them over all servers.
var connections atomic.Int64

func newConnection(n *node, nc net.Conn) *connection {
	c := &connection{node: n, nc: n.srv.links.wrap(nc), raw: nc, id: connections.Add(1), closed: make(chan struct{})}
	c.out.nc = c.nc
	return c
}

func (c *connection) close() {
	c.once.Do(func() {
		close(c.closed)
		c.nc.Close()
	})
}

// reset closes the connection by a reset where the network knows that.
func (c *connection) reset() {
	if tcp, ok := c.raw.(interface{ SetLinger(sec int) error }); ok {
		tcp.SetLinger(0)
	}
	c.close()
}

// halfClose closes the sending half.
func (c *connection) halfClose() {
	if half, ok := c.raw.(interface{ CloseWrite() error }); ok {
		half.CloseWrite()
	}
}

// serve reads and performs requests until the connection ends.
func (c *connection) serve() {
	defer c.node.remove(c)
	defer c.close()
	if !c.stall() {
		return
	}
	r := bufio.NewReaderSize(c.nc, 64<<10)
	for {
		why, err := badLength(r, c.node.srv.opt.maxRequest)
		if err != nil {
			return
		}
		if why != "" {
			c.fail(why)
			return
		}
		req, err := wire.ReadRequest(r, c.node.srv.opt.maxRequest)
		c.node.awake()
		if err != nil || isClosed(c.closed) { // what is still buffered was never seen by a server that was stopped
			return
		}
		c.out.cork(true)
		c.perform(req)
		if !frameReady(r) && c.out.uncork() != nil {
			return
		}
	}
}

// badLength waits for the length of the next frame and says what is wrong with it, in the words of the Java exception.
func badLength(r *bufio.Reader, limit int) (string, error) {
	head, err := r.Peek(4)
	if err != nil {
		return "", err
	}
	n := int64(binary.BigEndian.Uint32(head)) + 4 // negative lengths are huge ones, as for the real server
	switch {
	case n > int64(limit):
		return fmt.Sprintf("org.apache.fluss.shaded.netty4.io.netty.handler.codec.TooLongFrameException: Adjusted frame length exceeds %d: %d - discarded", limit, n), nil
	case n < requestHeader:
		return fmt.Sprintf("java.lang.IndexOutOfBoundsException: a frame of %d bytes", n), nil
	}
	return "", nil
}

// requestHeader is the size of a frame without a body.
const requestHeader = 12

// fail answers a frame that makes no sense, with a failure that belongs to no request.
func (c *connection) fail(why string) {
	body := wire.AppendErrorResponse(nil, wire.CodeUnknownServerError, why+"\n")
	c.out.cork(false)
	c.out.send(wire.AppendResponse(nil, wire.ResponseFailure, 0, body))
}

// perform takes a request through the hooks to its handler.
func (c *connection) perform(req wire.Request) {
	srv := c.node.srv
	if srv.hooks.none() {
		dispatch(&call{srv: srv, node: c.node, conn: c, req: req, done: func(t wire.ResponseType, body []byte) {
			c.out.send(wire.AppendResponse(nil, t, req.ID, body))
		}})
		return
	}
	srv.hooks.perform(c, req)
}

// frameReady says whether a whole request can be read without waiting.
func frameReady(r *bufio.Reader) bool {
	if r.Buffered() < 4 {
		return false
	}
	head, err := r.Peek(4)
	return err == nil && int64(r.Buffered()) >= 4+int64(binary.BigEndian.Uint32(head))
}
