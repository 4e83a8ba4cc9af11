package route

import (
	"slices"
	"time"
)

// scanPlan is what a look at a scan's lanes gave: fetches to send, and when to look again.
type scanPlan struct {
	fetches []*fetch
	at      time.Time // when a resting lane may go on; zero: none rests
}

// landing is a flight of any kind: a refresh or a dial that a lane waits for.
type landing interface{ onLand(call func()) }

// start sends the fetches, without the scanner's lock.
func (p *scanPlan) start() {
	for _, f := range p.fetches {
		f.start()
	}
}

// plan looks for lanes that can fetch and makes fetches of them, all hungry buckets of a server in one. It does
// not block. The caller holds s.mu.
func (s *Scanner) plan(now time.Time) (p scanPlan) {
	s.lanes = slices.DeleteFunc(s.lanes, func(l *lane) bool { return l.done })
	var open []*fetch
	for range s.lanes {
		s.turn = (s.turn + 1) % len(s.lanes)
		l := s.lanes[s.turn]
		switch {
		case l.fetching || l.done:
			continue
		case l.notBefore.After(now):
			p.lookAgain(l.notBefore)
			continue
		case s.buffered+s.reserved > s.limit/2:
			return p
		}
		at, wait, err := s.tryReach(&p, l, now)
		switch {
		case err != nil:
			s.fail(l, err)
			s.signal()
		case wait != nil:
			if l.awaits != wait {
				l.awaits = wait
				wait.onLand(s.signal)
			}
		default:
			open = s.join(&p, open, l, at)
		}
	}
	return p
}

// lookAgain sees to it that Next looks at the lanes again at t.
func (p *scanPlan) lookAgain(t time.Time) {
	if p.at.IsZero() || t.Before(p.at) {
		p.at = t
	}
}

// join puts a lane into an open fetch to its server, or opens one if there may be another.
func (s *Scanner) join(p *scanPlan, open []*fetch, l *lane, at target) []*fetch {
	for _, f := range open {
		if f.fits(l, at) {
			f.add(l, at)
			return open
		}
	}
	if s.underWay[at.leader.server] >= fetchesPerNode {
		return open
	}
	f := &fetch{s: s, at: at, unprojected: l.unprojected, alone: l.alone, room: s.answerBytes()}
	f.add(l, at)
	s.underWay[at.leader.server]++
	p.fetches = append(p.fetches, f)
	return append(open, f)
}

// tryReach returns a lane's leader and a connection to it, or what has to be waited for, or a final error. It
// does not block.
func (s *Scanner) tryReach(p *scanPlan, l *lane, now time.Time) (at target, wait landing, err error) {
	c := s.c
	for range 2 {
		lead, ok := s.state.leader(l.bucket)
		if !ok {
			wait, err := s.tryRefresh(l)
			return at, wait, err
		}
		l.refresh = nil
		n := c.tablet(lead.server)
		if n == nil || n.left.Load() {
			s.last = &absentError{lead.server}
			s.state.lost(l.bucket, lead) // the refresh brings the list of servers too
			continue
		}
		conn := n.links[bulkConn].live()
		if conn == nil {
			f, until := c.dialing(n, bulkConn, now)
			if !f.landed() && until.After(now) {
				if next := now.Add(c.besideAfter()); next.Before(until) {
					until = next
				}
				p.lookAgain(until)
				return at, f, nil
			} else if !f.landed() {
				s.last = errSlowDial(n.addr)
				s.state.lost(l.bucket, lead)
				continue
			}
			if f.err != nil {
				if refusesForGood(f.err) || !worthRepeating(f.err) {
					return at, nil, f.err
				}
				s.last = f.err
				s.state.lost(l.bucket, lead)
				continue
			}
			conn = f.val
		}
		return target{leader: lead, node: n, conn: conn}, nil, nil
	}
	wait, err = s.tryRefresh(l)
	return at, wait, err
}

// tryRefresh starts or joins a refresh for a lane without a leader. What the last one it waited for failed with
// for good is the lane's error.
func (s *Scanner) tryRefresh(l *lane) (landing, error) {
	if l.refresh != nil {
		if !l.refresh.landed() {
			return l.refresh, nil
		}
		if err := l.refresh.err; err != nil {
			if s.last = err; !worthRepeating(err) {
				return nil, err
			}
		}
	}
	f, err := s.c.refreshLeaders(s.state, l.bucket.PartitionID)
	if err != nil {
		return nil, err
	}
	l.refresh = f
	return f, nil
}
