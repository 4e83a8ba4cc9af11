package wire

import "time"

// timerFloor keeps the timer from firing more often than this, whatever the time limits are.
const timerFloor = time.Millisecond

// arm sees to it that the timer fires at deadline or before. One timer serves all calls of the connection: it is
// set to the earliest deadline, and most often finds that call answered long since and moves on. mu is held.
func (c *Conn) arm(deadline, now time.Duration) {
	if c.armed != 0 && c.armed <= deadline {
		return
	}
	c.armed = deadline
	wait := max(deadline-now, timerFloor)
	if c.timer == nil {
		// expire runs on a goroutine of the timer; settle stops the timer, and a late one finds the
		// connection broken and ends.
		c.timer = time.AfterFunc(wait, c.expire)
		return
	}
	c.timer.Reset(wait)
}

// expire ends the overdue calls and tells of a quiet connection. A call that was sent keeps no place any longer: the server
// had its time, and never answers an API it does not have or a body it cannot parse. Its answer, should it come, is dropped.
func (c *Conn) expire() {
	c.mu.Lock()
	if c.err != nil {
		c.mu.Unlock()
		return
	}
	now := c.now()
	deaf := c.deafness(now)
	var overdue []ending
	var next time.Duration
	c.each(func(k *call) {
		switch {
		case k.deadline == 0:
		case k.timeout <= deaf, c.isOverdue(k, now):
			overdue = append(overdue, c.take(k))
		case next == 0 || k.deadline < next:
			next = k.deadline
		}
	})
	quiet, again := c.quietness(now)
	if again != 0 && again < next {
		next = again
	}
	c.armed = 0
	if next != 0 {
		c.arm(next, now)
	}
	c.endAll(overdue, func(e ending) error {
		return &SilenceError{API: e.key, Server: c.addr, After: e.timeout, sent: e.sent}
	})
	if quiet {
		c.cfg.OnQuiet(c)
	}
}

// each calls look with every call, sent or waiting, which may take it. mu is held.
func (c *Conn) each(look func(k *call)) {
	for _, k := range c.inflight {
		look(k)
	}
	for k := c.waiting.first; k != nil; {
		behind := k.next
		look(k)
		k = behind
	}
}

// endAll ends calls that were taken, each with the error that why makes, after those who wait got their places. It is called
// with mu held, and gives it back.
func (c *Conn) endAll(ends []ending, why func(e ending) error) {
	c.promote()
	mine := c.claimFlush()
	c.mu.Unlock()
	if mine {
		c.goFlush()
	}
	if len(ends) > 0 {
		c.interrupt() // the call of who reads may be among them
	}
	for _, e := range ends {
		c.end(e, nil, why(e))
	}
}

// deafness is the longest time limit that has passed without anything at all being heard from the server. A server that
// said nothing for so long is not going to answer those either that were sent, or queued, later with such a limit: they end
// with the first, so that reads of a frozen server look for another one together. 0: something was heard. mu is held.
func (c *Conn) deafness(now time.Duration) (deaf time.Duration) {
	if c.arriving != nil {
		return 0
	}
	for _, k := range c.inflight {
		if k.deadline != 0 && k.heard == c.heard && c.isOverdue(k, now) {
			deaf = max(deaf, k.timeout)
		}
	}
	return deaf
}

// isOverdue says whether k's time is up, a little early so that one run of the timer ends neighbours together.
// While k's own answer is arriving its time starts again with every part. mu is held.
func (c *Conn) isOverdue(k *call, now time.Duration) bool {
	slack := k.timeout / 20
	if k.deadline-now > slack {
		return false
	}
	if c.arriving == k {
		k.deadline = time.Duration(c.lastProgress.Load()) + k.timeout
	}
	return k.deadline-now <= slack
}
