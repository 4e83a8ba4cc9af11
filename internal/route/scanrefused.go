package route

import (
	"context"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/wire"
)

// refused takes an error that a server gave for a lane, or for the fetch it was in.
func (s *Scanner) refused(l *lane, at leader, projected bool, refusal *wire.ServerError) {
	switch code := refusal.Code; {
	case projected && (code == wire.CodeInvalidColumnProjection || code == wire.CodeUnknownServerError):
		// A batch of an older schema does not have the columns, or one was written with a schema in it.
		l.unprojected = true
	case code == wire.CodeLogOffsetOutOfRange:
		l.fetching = true // nobody else asks until the errand is done
		s.ready = append(s.ready, delivery{errand: func(ctx context.Context) error { return s.askRange(ctx, l) }})
	case !worthRepeating(refusal):
		s.fail(l, refusal)
	default:
		s.last = refusal
		if !s.state.disproved(l.bucket, at, refusal) {
			l.pauseLane(idleWait)
		}
	}
}

// maxOutOfRange is how often an offset may be out of range for the leader and in range for LIST_OFFSETS.
const maxOutOfRange = 5

// askRange finds out which offsets the log has, after a fetch was refused. An offset that is in the log all the
// same was asked of a leader that is still behind: the lane tries again.
func (s *Scanner) askRange(ctx context.Context, l *lane) error {
	failed := &OffsetRangeError{Table: s.table.Path, Bucket: l.bucket, Asked: l.next, Earliest: -1, Latest: -1}
	one := []catalog.Bucket{l.bucket}
	first, err := s.c.Offsets(ctx, s.table, one, Earliest())
	if err == nil {
		var last []int64
		if last, err = s.c.Offsets(ctx, s.table, one, Latest()); err == nil {
			failed.Earliest, failed.Latest = first[0], last[0]
		}
	}
	if ctx.Err() != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err == nil && first[0] <= l.next && l.next <= failed.Latest && l.outOfRange < maxOutOfRange {
		l.outOfRange++
		l.fetching = false
		l.pauseLane(idleWait)
		if len(s.ready) > 0 {
			s.drop()
		}
		return nil
	}
	return failed
}
