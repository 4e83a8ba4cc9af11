package route

import "time"

// writeExpiry ends batches WriteTimeout after their first copy. All have the same time, so the list is in order
// and one timer, set for its head, is enough.
type writeExpiry struct {
	head, tail *writeBatch
	timer      *time.Timer
	armed      bool
}

// add puts a batch in when its first copy is about to leave.
func (e *writeExpiry) add(w *writer, t *writeBatch) {
	e.remove(t)
	t.expires = time.Now().Add(w.cfg.writeTimeout)
	if t.prev = e.tail; t.prev != nil {
		t.prev.succ = t
	} else {
		e.head = t
	}
	e.tail = t
	e.arm(w)
}

// remove takes a batch out, if it is in.
func (e *writeExpiry) remove(t *writeBatch) {
	if t.expires.IsZero() {
		return
	}
	t.expires = time.Time{}
	if t.prev != nil {
		t.prev.succ = t.succ
	} else {
		e.head = t.succ
	}
	if t.succ != nil {
		t.succ.prev = t.prev
	} else {
		e.tail = t.prev
	}
	t.prev, t.succ = nil, nil
}

// arm sets the timer for the head, unless it runs already: then it looks at the head when it goes off.
func (e *writeExpiry) arm(w *writer) {
	if e.armed || e.head == nil {
		return
	}
	e.armed = true
	wait := time.Until(e.head.expires)
	if e.timer != nil {
		e.timer.Reset(wait)
		return
	}
	e.timer = time.AfterFunc(wait, w.expireDue) // stopped by close; its goroutine ends by itself
}

func (e *writeExpiry) stop() {
	if e.timer != nil {
		e.timer.Stop()
	}
}

// expireDue ends the batches whose time is over.
func (w *writer) expireDue() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.expiry.armed = false
	if w.closed {
		return
	}
	now := time.Now()
	for t := w.expiry.head; t != nil && !t.expires.After(now); t = w.expiry.head {
		w.expiry.remove(t)
		w.expire(t)
	}
	w.expiry.arm(w)
	w.run()
}
