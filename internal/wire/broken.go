package wire

// fail breaks the connection; the first reason stays. The calls are answered here, unless a flusher is at work:
// only when its Write has returned is it known which frames left, so that it does it then.
func (c *Conn) fail(err error) {
	c.mu.Lock()
	if c.err == nil {
		if _, said := err.(*ServerFailure); c.writeErr != nil && !said {
			err = c.writeErr
		}
		c.err = err
		close(c.done)
	}
	settle := !c.flushing
	c.mu.Unlock()
	c.nc.Close()
	if settle {
		c.settle()
	}
}

// settle answers all calls of a broken connection, once. Nobody is flushing, nor will be.
func (c *Conn) settle() {
	c.mu.Lock()
	if c.settling {
		c.mu.Unlock()
		return
	}
	c.settling = true
	if c.timer != nil {
		c.timer.Stop()
	}
	cause := c.err
	ends := make([]ending, 0, len(c.inflight)+c.waiting.n)
	for _, k := range c.inflight {
		sent, part := k.at < c.flush.written, k.at+int64(k.size) > c.flush.written
		e := c.take(k)
		e.sent, e.part = sent, part
		ends = append(ends, e)
	}
	for c.waiting.n > 0 {
		ends = append(ends, c.take(c.waiting.first))
	}
	c.mu.Unlock()
	for _, e := range ends {
		c.end(e, nil, &CallError{API: e.key, Server: c.addr, Err: cause, sent: e.sent, part: e.part})
	}
	close(c.settled)
}

// Close breaks the connection, fails all calls and waits until they are answered and the read loop has ended. It
// must not be called from Answered.
func (c *Conn) Close() error {
	c.fail(ErrClosed)
	<-c.settled
	<-c.loopDone
	return nil
}
