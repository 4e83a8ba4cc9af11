package wire

import "time"

// QuietPart is the part of a call's time limit after which the connection counts as quiet if nothing was heard meanwhile.
const QuietPart = 15

// writes says whether a call with that key stores rows: such a call may not be repeated like a read.
func (k APIKey) writes() bool { return k == APIPutKV || k == APIProduceLog }

// watched says whether OnQuiet is told of the silence after k.
func (c *Conn) watched(k *call) bool { return c.cfg.OnQuiet != nil && k.timeout > 0 && k.h != nil }

// firstLook is when the timer has to fire for a new call. mu is held.
func (c *Conn) firstLook(k *call) time.Duration {
	if c.watched(k) {
		return k.started + k.timeout/QuietPart
	}
	return k.deadline
}

// quietness says whether the connection is quiet, and when to look again, 0: not at all. mu is held.
func (c *Conn) quietness(now time.Duration) (quiet bool, again time.Duration) {
	for _, k := range c.inflight {
		if !c.watched(k) {
			continue
		}
		after := k.timeout / QuietPart
		due := max(k.started, c.heardAt) + after
		switch {
		case c.arriving != nil:
			due = now + c.cfg.Quiet
		case due-now <= after/20:
			quiet, due = true, now+c.cfg.Quiet
		}
		if again == 0 || due < again {
			again = due
		}
	}
	return quiet, again
}

// Heard counts the answers so far.
func (c *Conn) Heard() uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.heard
}

// GiveUp ends the reads under way whose time limit is limit at most, all of those with a limit when that is 0, with a
// *CallError around cause. The connection lives on, and answers that come are dropped. Like Start it must not be called with
// a lock held that Answered takes.
func (c *Conn) GiveUp(limit time.Duration, cause error) {
	c.mu.Lock()
	c.giveUp(cause, func(k *call) bool {
		return k.timeout > 0 && (limit == 0 || k.timeout <= limit) && !k.key.writes()
	})
}

// GiveUpWrites is GiveUp for writes, and for those that are started later: these are not sent.
func (c *Conn) GiveUpWrites(cause error) {
	c.mu.Lock()
	if c.noWrites == nil {
		c.noWrites = cause
	}
	c.giveUp(cause, func(k *call) bool { return k.key.writes() })
}

// giveUp is called with mu held, and gives it back.
func (c *Conn) giveUp(cause error, which func(k *call) bool) {
	if c.err != nil {
		c.mu.Unlock()
		return
	}
	var ends []ending
	c.each(func(k *call) {
		if k.h != nil && which(k) {
			ends = append(ends, c.take(k))
		}
	})
	c.endAll(ends, func(e ending) error {
		return &CallError{API: e.key, Server: c.addr, Err: cause, sent: e.sent}
	})
}

// refuses is why no call with that key can be started any more; nil: it can. mu is held.
func (c *Conn) refuses(key APIKey) error {
	if c.err == nil && key.writes() {
		return c.noWrites
	}
	return c.err
}
