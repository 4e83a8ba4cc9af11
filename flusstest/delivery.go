package flusstest

import (
	"time"

	"github.com/gofluss/fluss/internal/wire"
)

// wait holds up the connection; false: it is over.
func (c *connection) wait(until <-chan struct{}) bool {
	select {
	case <-until:
		return true
	case <-c.closed:
	case <-c.node.srv.closing:
	}
	return false
}

// delivery brings the answer of one request to its connection as its Action says.
type delivery struct {
	conn    *connection
	action  Action
	request *Request
}

// skipped answers a request that was not performed.
func (d *delivery) skipped() {
	if d.action.Code == 0 && d.action.Answer == nil {
		d.action.Silent = true
	}
	d.answer(wire.ResponseSuccess, nil)
}

// answer sends what the Action makes of the true answer.
func (d *delivery) answer(t wire.ResponseType, body []byte) {
	a := &d.action
	switch {
	case a.Code != 0:
		t, body = d.request.refusal(wire.ErrorCode(a.Code), a.Message)
	case a.Answer != nil:
		t, body = wire.ResponseSuccess, a.Answer
	}
	var frame []byte
	if !a.Silent {
		frame = wire.AppendResponse(nil, t, d.request.ID, body)
		if a.Edit != nil {
			frame = a.Edit(frame)
		}
	}
	switch {
	case a.Delay > 0:
		d.conn.node.srv.spawn(func() { d.later(frame) }) // ends by its timer, with the connection or with the server
	case a.Reorder:
		d.conn.hold(func() { d.send(frame) })
	default:
		d.send(frame)
		d.conn.release()
	}
}

func (d *delivery) later(frame []byte) {
	timer := time.NewTimer(d.action.Delay)
	defer timer.Stop()
	select {
	case <-timer.C:
		d.send(frame)
	case <-d.conn.closed:
	case <-d.conn.node.srv.closing:
	}
}

func (d *delivery) send(frame []byte) {
	if len(frame) > 0 {
		d.conn.out.send(frame)
	}
	switch a := &d.action; {
	case a.Reset:
		d.conn.out.hangUp(d.conn.reset)
	case a.Close:
		d.conn.out.hangUp(d.conn.close)
	case a.HalfClose:
		d.conn.out.hangUp(d.conn.halfClose)
	}
}

// hold keeps an answer until the next one was sent.
func (c *connection) hold(send func()) {
	c.heldMu.Lock()
	defer c.heldMu.Unlock()
	c.held = append(c.held, send)
}

// release sends what was held.
func (c *connection) release() {
	c.heldMu.Lock()
	held := c.held
	c.held = nil
	c.heldMu.Unlock()
	for _, send := range held {
		send()
	}
}
