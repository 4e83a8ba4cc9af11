package route

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/wire"
)

// target is one bucket's place: the leader that was believed in, its address and a connection to it.
type target struct {
	leader leader
	node   *node
	conn   *wire.Conn
}

// reach returns a connection to the leader of a bucket. The error is worth repeating or final, as for a read.
func (c *Client) reach(ctx context.Context, t *catalog.Table, b catalog.Bucket, class connClass) (target, error) {
	l, err := c.leaderOf(ctx, t, b)
	if err != nil {
		return target{leader: noLeader}, err
	}
	conn, err := c.conn(ctx, l.server, class)
	at := target{leader: l, node: c.tablet(l.server), conn: conn}
	if err != nil && ctx.Err() == nil {
		c.suspect(t, b, l)
	}
	return at, err
}

// failed takes the consequences of a read that a leader did not answer well: it drops what the error proved
// stale and pauses where only time helps. It returns nil when the read is worth repeating, else the final error.
func (c *Client) failed(ctx context.Context, p *pace, t *catalog.Table, b catalog.Bucket, l leader, err error) error {
	s := c.state(t)
	if !worthRepeating(err) && !s.disputed(b, err) {
		return err
	}
	if s.disproved(b, l, err) {
		return nil // the refresh has its own pause
	}
	if p.sleep(ctx) != nil {
		return &WaitError{For: place(t.Path, b), Err: ctx.Err(), Last: err}
	}
	return nil
}

// disproved drops a leader that err proved stale. It reports whether the read is worth repeating without a pause.
func (s *tableState) disproved(b catalog.Bucket, l leader, err error) bool {
	if refusal, ok := asServerError(err); ok {
		if refusal.Code.Retry() != wire.RetryRefresh && refusal.Code != wire.CodeFencedLeaderEpoch && !s.disputed(b, err) {
			return false
		}
		s.refuted(b, l, refusal.Code)
		return true
	}
	if !errors.Is(err, errBypassed) {
		s.lost(b, l)
	}
	return true
}

// onLeader is the loop around a read of one bucket: it sends the request to the leader and repeats it, through
// fresh metadata, until the answer is good, the error final, or ctx ends. take reads the answer; an error of the
// bucket comes out of it as a *wire.ServerError.
func (c *Client) onLeader(ctx context.Context, t *catalog.Table, b catalog.Bucket, r leaderRead) error {
	ctx, cancel := c.bounded(ctx)
	defer cancel()
	if r.silence <= 0 {
		r.silence = c.cfg.AttemptTimeout
	}
	var p pace
	var last error
	for {
		at, err := c.reach(ctx, t, b, r.class)
		if err == nil {
			var body []byte
			if body, err = at.conn.Do(ctx, r.key, r.silence, r.enc); err == nil {
				if err = r.take(body); err == nil {
					return nil
				}
				err = named(err, r.key, at.conn)
			} else if ctx.Err() == nil {
				c.blame(at.node, r.class, at.conn, err)
			}
		}
		if ctx.Err() != nil {
			return waited(r.key.String()+" of "+place(t.Path, b), ctx.Err(), err, last)
		}
		if last, err = err, c.failed(ctx, &p, t, b, at.leader, err); err != nil {
			return err
		}
	}
}

// leaderRead is a read of one bucket.
type leaderRead struct {
	key     wire.APIKey
	class   connClass
	silence time.Duration // 0: AttemptTimeout
	enc     func([]byte) []byte
	take    func(body []byte) error
}

// named fills in who refused: the error of a bucket in an answer does not know.
func named(err error, key wire.APIKey, conn *wire.Conn) error {
	if refusal, ok := asServerError(err); ok && refusal.Server == "" {
		refusal.API, refusal.Server = key, conn.Addr()
	}
	return err
}

// waited is the error of a call whose context ended. now is what the context's end interrupted, last the error of
// the attempt before.
func waited(what string, ended, now, last error) error {
	if w, ok := errors.AsType[*WaitError](now); ok { // of a flight that others wait for too: not to be changed
		if w.Last != nil {
			last = w.Last
		}
		return &WaitError{For: w.For, Err: ended, Last: last}
	}
	if now != nil && !errors.Is(now, ended) {
		last = now
	}
	return &WaitError{For: what, Err: ended, Last: last}
}

// refusal makes a *wire.ServerError of an entry's code, nil for success.
func refusal(s *wire.BucketStatus) error {
	if s.Code == wire.CodeNone {
		return nil
	}
	return &wire.ServerError{Code: s.Code, Message: wire.CleanMessage(s.Code, s.Message)}
}

func malformed(format string, args ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{errMalformed}, args...)...)
}
