package route

import "context"

// PendingWrite is a write that was started and not waited for yet. It is for one goroutine, which has to call Wait in the
// end: until then the ops and what they point to belong to the writer.
type PendingWrite struct {
	w    *writer
	ops  []*WriteOp
	wait *writeWait // nil: every op has its outcome
}

// StartWrite is Write without the waiting. Ops of one bucket are stored in the order in which they were started. On an
// error nothing was sent.
func (c *Client) StartWrite(ops ...*WriteOp) (*PendingWrite, error) {
	w, err := c.writes.writer(c)
	if err != nil {
		return nil, refuseAll(ops, err)
	}
	p := &PendingWrite{w: w, ops: ops}
	if len(ops) == 0 {
		return p, nil
	}
	if err := w.prepareOps(ops); err != nil {
		return nil, err
	}
	p.wait = w.newWait(len(ops))
	if !w.submit(ops, p.wait) {
		return nil, refuseAll(ops, ErrClosed)
	}
	return p, nil
}

// Ready waits until every op has its outcome, and leaves them to go on when ctx ends first.
func (p *PendingWrite) Ready(ctx context.Context) error {
	if p.wait == nil {
		return nil
	}
	select {
	case <-p.wait.done:
		p.settled()
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Wait ends as Write does: when ctx ends first, the ops are given up.
func (p *PendingWrite) Wait(ctx context.Context) error {
	if p.wait != nil {
		p.w.await(ctx, p.ops, p.wait)
		p.settled()
	}
	for _, op := range p.ops {
		if op.Err != nil {
			return op.Err
		}
	}
	return nil
}

func (p *PendingWrite) settled() {
	p.w.waits.Put(p.wait)
	p.wait = nil
}
