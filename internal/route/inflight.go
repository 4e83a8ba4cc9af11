package route

// writeBudget bounds the bytes of sealed batches without an outcome: max over the client, a quarter of it for
// one server, an eighth for one bucket, so that a server or a bucket in trouble leaves room for the others. A
// batch over its server's share goes when it is alone there. Ops wait for room in the queue of their bucket.
type writeBudget struct {
	max     int
	used    int
	servers map[int32]*serverBudget
	waiting []*writeLane // found no room; they look again when some is released
}

type serverBudget struct {
	used int
}

func (g *writeBudget) server(id int32) *serverBudget {
	if g.servers == nil {
		g.servers = map[int32]*serverBudget{}
	}
	s := g.servers[id]
	if s == nil {
		s = &serverBudget{}
		g.servers[id] = s
	}
	return s
}

// oversize reports whether a batch of n bytes has to be alone on its server.
func (g *writeBudget) oversize(n int) bool { return n > g.max/4 }

// room reports whether a batch of n bytes may be sealed.
func (g *writeBudget) room(s *serverBudget, b *writeBucket, n int) bool {
	switch {
	case g.oversize(n):
		return s.used == 0
	case s.used+n > g.max/4, g.used > 0 && g.used+n > g.max:
		return false
	}
	return b.used == 0 || b.used+n <= g.max/8
}

// charge takes room for a batch.
func (w *writer) charge(t *writeBatch, s *serverBudget) {
	t.charged = s
	s.used += t.size
	w.budget.used += t.size
	t.bucket.used += t.size
}

// release gives a batch's room back, once, and lets the lanes that wait for some look again.
func (w *writer) release(t *writeBatch) {
	s := t.charged
	if s == nil {
		return
	}
	t.charged = nil
	s.used -= t.size
	w.budget.used -= t.size
	t.bucket.used -= t.size
	for _, ln := range w.budget.waiting {
		ln.starved = false
		w.kick(ln)
	}
	w.budget.waiting = w.budget.waiting[:0]
}

// starve notes that a lane found no room.
func (w *writer) starve(ln *writeLane) {
	if !ln.starved {
		ln.starved = true
		w.budget.waiting = append(w.budget.waiting, ln)
	}
}
