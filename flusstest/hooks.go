package flusstest

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gofluss/fluss/internal/wire"
)

// Action says what becomes of a request. The zero Action lets it be, and asks the next hook. Fields combine: first the
// request waits, then it is performed or not, then it is answered or not.
type Action struct {
	// Wait holds the request back, and with it all later ones of its connection, until the channel is closed.
	Wait <-chan struct{}

	Skip  bool // do not perform the request; without Code or Answer there is no answer then
	Twice bool // perform it twice, as if the network had doubled it; the second answer is sent

	// Code, if not 0, is the error code answered instead of the truth: in each bucket's entry where the API reports per
	// bucket, else for the whole request. Message is its text, "" the usual one.
	Code    int
	Message string

	// Answer, if not nil, is the body of a success answered instead of the truth.
	Answer []byte

	Silent  bool                      // send no answer
	Edit    func(frame []byte) []byte // change the answer's frame, its header of 9 bytes included
	Delay   time.Duration             // answer so much later; answers of later requests overtake
	Reorder bool                      // answer after the next answer of the connection
	Close   bool                      // close the connection after the answer, or instead of it
}

// Drop loses a request: it is neither performed nor answered.
func Drop() Action { return Action{Skip: true, Silent: true} }

// Lose loses an answer: the request is performed.
func Lose() Action { return Action{Silent: true} }

// Refuse answers an error code and performs nothing. Action{Code: code} would perform the request and refuse it all
// the same, as a server does whose replicas do not follow.
func Refuse(code int) Action { return Action{Skip: true, Code: code} }

// Hangup closes the connection and performs nothing.
func Hangup() Action { return Action{Skip: true, Silent: true, Close: true} }

// Cut performs the request, sends the first n bytes of the answer and closes the connection.
func Cut(n int) Action {
	return Action{Close: true, Edit: func(frame []byte) []byte { return frame[:min(n, len(frame))] }}
}

// Corrupt inverts a byte of the answer's body; a negative position counts from the end.
func Corrupt(at int) Action {
	return Action{Edit: func(frame []byte) []byte {
		const head = 9 // length, type and request id
		body := slices.Clone(frame)[head:]
		if at < 0 {
			at += len(body)
		}
		if at >= 0 && at < len(body) {
			body[at] ^= 0xff
		}
		return append(slices.Clone(frame[:head]), body...)
	}}
}

func (a *Action) isZero() bool {
	return a.Wait == nil && !a.Skip && !a.Twice && a.Code == 0 && a.Answer == nil && !a.Silent && a.Edit == nil &&
		a.Delay == 0 && !a.Reorder && !a.Close
}

// Every makes a hook that does the same with every request of an API.
func Every(api API, a Action) func(*Request) Action {
	return func(r *Request) Action {
		if r.API == api {
			return a
		}
		return Action{}
	}
}

// First makes a hook that does the same with the first n requests of an API and lets later ones be.
func First(n int, api API, a Action) func(*Request) Action {
	var seen atomic.Int64
	return func(r *Request) Action {
		if r.API == api && seen.Add(1) <= int64(n) {
			return a
		}
		return Action{}
	}
}

// hooks are asked the newest first.
type hooks struct {
	mu   sync.Mutex
	list []*hook
	some atomic.Bool
}

type hook struct{ f func(*Request) Action }

// Hook has f asked about every request before it is performed, on the goroutine of its connection; a request that no
// server answers is shown too. The newest hook is asked first, and the first Action that is not zero counts. f may call
// any method of the server but Close. It is not asked any more once remove has returned, but a call under way may go on.
func (s *Server) Hook(f func(*Request) Action) (remove func()) {
	h := &hook{f}
	s.hooks.mu.Lock()
	defer s.hooks.mu.Unlock()
	s.hooks.list = append(slices.Clone(s.hooks.list), h)
	s.hooks.some.Store(true)
	return func() { s.hooks.remove(h) }
}

func (h *hooks) remove(gone *hook) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.list = slices.DeleteFunc(slices.Clone(h.list), func(k *hook) bool { return k == gone })
	h.some.Store(len(h.list) > 0)
}

func (h *hooks) none() bool { return !h.some.Load() }

func (h *hooks) ask(r *Request) Action {
	h.mu.Lock()
	list := h.list
	h.mu.Unlock()
	for _, k := range slices.Backward(list) {
		if a := k.f(r); !a.isZero() {
			return a
		}
	}
	return Action{}
}

// perform takes a request through an Action.
func (h *hooks) perform(c *connection, req wire.Request) {
	r := newRequest(c, req)
	a := h.ask(r)
	if a.Wait != nil && !c.wait(a.Wait) {
		return
	}
	d := &delivery{conn: c, action: a, request: r}
	ghost := func(wire.ResponseType, []byte) {}
	one := func(done func(wire.ResponseType, []byte)) {
		dispatch(&call{srv: c.node.srv, node: c.node, conn: c, req: req, done: done})
	}
	if a.Twice && !a.Skip {
		one(ghost)
	}
	if a.Skip {
		d.skipped()
		return
	}
	one(d.answer)
}

// wait holds up the connection; false: it is over.
func (c *connection) wait(until <-chan struct{}) bool {
	if c.out.uncork() != nil {
		return false
	}
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
	if d.action.Close {
		d.conn.out.hangUp(d.conn.close)
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
