package fluss

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/route"
	"github.com/gofluss/fluss/internal/row"
)

// times are the commit timestamps that the predicates on _commit_timestamp allow, in milliseconds since the epoch:
// from <= timestamp < until. All are allowed from 0 to MaxInt64.
func (s *selection) times() (from, until int64, err error) {
	from, until = 0, math.MaxInt64
	for _, b := range s.Log.Times {
		var d row.Datum
		if err := b.Src.Bind(&d, s.args, &s.conn.c.opts.Bind); err != nil {
			return 0, 0, fmt.Errorf("_commit_timestamp: %w", err)
		}
		if d.Null {
			return 0, 0, nil
		}
		whole, up := d.I, d.I // the last millisecond that is not later, and the first that is not earlier
		if d.N > 0 {
			up++
		}
		switch b.Op {
		case "=":
			from, until = max(from, up), min(until, whole+1)
		case "<":
			until = min(until, up)
		case "<=":
			until = min(until, whole+1)
		case ">":
			from = max(from, whole+1)
		case ">=":
			from = max(from, up)
		}
	}
	return from, until, nil
}

// timed moves the starts of ranges to the first offset that may have been committed at from or later, and lets them end
// where until is reached. A bucket without such offsets is left out, unless the scan follows it.
func (s *selection) timed(ranges []route.ScanRange, from, until int64) ([]route.ScanRange, error) {
	for i := range ranges {
		ranges[i] = endAt(ranges[i], until)
	}
	if from > 0 {
		if err := s.startAt(ranges, from); err != nil {
			return nil, err
		}
	}
	return slices.DeleteFunc(ranges, func(r route.ScanRange) bool { return r.End >= 0 && r.Start >= r.End }), nil
}

// endAt sets the commit time that a range ends at.
func endAt(r route.ScanRange, until int64) route.ScanRange {
	if until != math.MaxInt64 {
		r.Until = until
	}
	return r
}

// startAt looks for the offsets of a time. Where that is in the future of a server's clock, it asks for an earlier one:
// nobody says whether there are records, for a leader whose clock is behind goes on with the timestamps of the one before
// it. A start that is too early costs time and nothing else.
func (s *selection) startAt(ranges []route.ScanRange, from int64) error {
	now := time.Now()
	todo := make([]int, len(ranges))
	for i := range todo {
		todo[i] = i
	}
	for _, at := range []int64{from, now.UnixMilli(), now.Add(-time.Minute).UnixMilli(), now.Add(-time.Hour).UnixMilli()} {
		if len(todo) == 0 {
			break
		}
		buckets := make([]catalog.Bucket, len(todo))
		for k, i := range todo {
			buckets[k] = ranges[i].Bucket
		}
		starts, err := s.conn.c.client.Offsets(s.ctx, s.Table, buckets, route.Since(min(at, from)))
		if err != nil {
			return err
		}
		left := todo[:0]
		for k, i := range todo {
			if starts[k] == route.NotYet {
				left = append(left, i)
			} else {
				ranges[i].Start, ranges[i].Since = max(ranges[i].Start, starts[k]), max(ranges[i].Since, from)
			}
		}
		todo = left
	}
	return nil
}
