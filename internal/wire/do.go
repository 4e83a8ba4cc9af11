package wire

import (
	"context"
	"errors"
	"time"

	"google.golang.org/protobuf/proto"
)

// waiter is the handler of a call somebody waits for.
type waiter struct {
	answer chan answer // capacity 1, so that Answered never blocks
}

type answer struct {
	body []byte
	err  error
}

var _ Handler = (*waiter)(nil)

// newWaiter takes one from the connection's own pool: one for all would carry channels from one synctest bubble to
// another.
func (c *Conn) newWaiter() *waiter {
	if w, ok := c.waiters.Get().(*waiter); ok {
		return w
	}
	return &waiter{answer: make(chan answer, 1)}
}

func (w *waiter) Answered(body []byte, err error) { w.answer <- answer{body, err} }

// Do sends a request and waits for its answer, which the caller owns; key, timeout and enc as in Start.
//
// When ctx ends first the error is a *CallError around the context's and the connection lives on; a late answer is
// dropped by its id. A cancelled call that was sent keeps its place among the MaxInFlight until it is answered, so
// that callers who give up quickly cannot pile work onto a slow server, but no longer than timeout, or 30 seconds
// without one: a server that never answers does not block the connection.
func (c *Conn) Do(ctx context.Context, key APIKey, timeout time.Duration, enc func([]byte) []byte) ([]byte, error) {
	version, ok := c.Version(key)
	if !ok {
		err := c.unsupported(key)
		if c.cfg.OnCall != nil {
			c.told(ending{key: key, started: c.now()}, 0, err)
		}
		return nil, err
	}
	return c.do(ctx, key, version, timeout, enc)
}

func (c *Conn) do(
	ctx context.Context, key APIKey, version int16, timeout time.Duration, enc func([]byte) []byte,
) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, &CallError{API: key, Server: c.addr, Err: err}
	}
	w := c.newWaiter()
	k, turn := c.start(key, version, timeout, enc, w, true)
	c.Await(ctx, turn)
	var a answer
	select {
	case a = <-w.answer:
	case <-ctx.Done():
		if err := c.abandon(k, w, ctx.Err()); err != nil {
			c.waiters.Put(w)
			return nil, err
		}
		a = <-w.answer // somebody took the call before us: the answer is on its way
	}
	c.waiters.Put(w)
	return a.body, a.err
}

// abandon gives up the call k of w, and returns the call's error; nil when the call is no longer w's, because it
// is being answered. k may serve another call by then: a call has one handler and w waits for one call at a time, so
// that the handler tells.
func (c *Conn) abandon(k *call, w *waiter, cause error) error {
	if k == nil {
		return nil
	}
	c.mu.Lock()
	if k.h != Handler(w) {
		c.mu.Unlock()
		return nil
	}
	e := ending{key: k.key, size: k.size, started: k.started, sent: k.frame == nil}
	switch {
	case !e.sent:
		c.take(k)
	case k.deadline == 0:
		now := c.now()
		k.deadline = now + abandonAfter
		c.arm(k.deadline, now)
		fallthrough
	default:
		k.h = nil
	}
	c.mu.Unlock()
	err := &CallError{API: e.key, Server: c.addr, Err: cause, sent: e.sent}
	if c.cfg.OnCall != nil {
		c.told(e, 0, err)
	}
	return err
}

// Call is Do with generated messages. resp is filled from the answer. A req that lacks a required field is an error
// before anything is sent, because no server would answer it.
func (c *Conn) Call(ctx context.Context, key APIKey, timeout time.Duration, req, resp proto.Message) error {
	version, ok := c.Version(key)
	if !ok {
		return c.unsupported(key)
	}
	return c.call(ctx, key, version, timeout, req, resp)
}

func (c *Conn) call(
	ctx context.Context, key APIKey, version int16, timeout time.Duration, req, resp proto.Message,
) error {
	b, err := proto.Marshal(req)
	if err != nil {
		return &CallError{API: key, Server: c.addr, Err: err}
	}
	body, err := c.do(ctx, key, version, timeout, func(dst []byte) []byte { return append(dst, b...) })
	if err != nil {
		return err
	}
	if err := proto.Unmarshal(body, resp); err != nil {
		name := string(resp.ProtoReflect().Descriptor().Name())
		return &DecodeError{Message: name, Offset: -1, Reason: err.Error()}
	}
	return nil
}

// cause strips a CallError, whose API and address its reader knows already.
func cause(err error) error {
	if e, ok := errors.AsType[*CallError](err); ok {
		return e.Err
	}
	return err
}
