package flusstest

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/gofluss/fluss/internal/wire"
)

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
	if c.out.uncork() != nil { // a hook may take its time
		return
	}
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
