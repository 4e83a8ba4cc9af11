package fluss

import (
	"cmp"
	"fmt"
	"math"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/plan"
	"github.com/gofluss/fluss/internal/route"
	"github.com/gofluss/fluss/internal/row"
)

// logScan reads the records of a log, from the start that the plan names to the end seen now, or on.
func (r *rows) logScan() (source, error) {
	s := &r.run
	buckets, names, err := s.buckets()
	if err != nil {
		return nil, err
	}
	ranges, err := s.ranges(buckets)
	if err != nil {
		return nil, err
	}
	floor, _, err := s.bounds()
	if err != nil {
		return nil, err
	}
	spec := route.ScanSpec{Table: s.Table, Ranges: ranges, Follow: s.Log.Follow, Open: s.Log.Discovery > 0}
	if s.Table.LogFormat == catalog.LogArrow && len(s.Columns) < len(s.Table.Schema.Columns) {
		spec.Projection = s.Columns
		if len(spec.Projection) == 0 { // the server wants at least one column
			spec.Projection = []int{s.narrowest()}
		}
	}
	if len(ranges) == 0 && !spec.Open {
		return &sortedSource{}, nil
	}
	scanner, err := s.conn.c.client.Scan(s.ctx, spec)
	if err != nil {
		return nil, err
	}
	src := &logSource{s: s, eager: s.Columns}
	src.in = newLogReader(s, scanner)
	src.in.projection, src.in.names, src.in.floor = spec.Projection, newPartitionNames(names), floor
	if spec.Open {
		src.in.discovery = s.discover(scanner, src.in.names)
	}
	if s.OrderBy == nil { // otherwise the rows are kept whole
		r.lazy = src
	}
	if s.Binlog { // whose images are filled in at once
		return newBinlogSource(src), nil
	}
	if s.OrderBy == nil {
		src.eager = nil
		if s.Filter != nil {
			src.eager = s.Filter.OwnColumns(len(s.Table.Schema.Columns))
		}
	}
	return src, nil
}

// narrowest is a column that takes few bytes, for scans that need none.
func (s *selection) narrowest() int {
	for i := range s.Table.Schema.Columns {
		switch s.Table.Schema.Columns[i].Type.Kind {
		case catalog.Boolean, catalog.TinyInt, catalog.SmallInt, catalog.Int, catalog.BigInt, catalog.Date:
			return i
		}
	}
	return 0
}

// ranges works out which offsets of each bucket are wanted. A bucket without any is left out.
func (s *selection) ranges(buckets []catalog.Bucket) ([]route.ScanRange, error) {
	from, until, err := s.times()
	if err != nil || from >= until {
		return nil, err
	}
	ranges, err := s.offsetRanges(buckets)
	if err != nil {
		return nil, err
	}
	return s.timed(ranges, from, until)
}

// offsetRanges are the ranges that hints and predicates on _log_offset leave.
func (s *selection) offsetRanges(buckets []catalog.Bucket) ([]route.ScanRange, error) {
	if s.Log.Buckets != nil {
		return s.namedRanges(buckets)
	}
	var since int64
	if start := s.Log.Start; start.Kind == plan.FromTimestamp {
		var err error
		if since, err = s.startMillis(&start); err != nil {
			return nil, err
		}
	}
	ends, starts, err := s.startsAndEnds(buckets, since)
	if err != nil {
		return nil, err
	}
	stop, err := s.bindOffset(s.Log.Stop, math.MaxInt64)
	if err != nil {
		return nil, err
	}
	lo, hi, err := s.bounds()
	if err != nil {
		return nil, err
	}
	var out []route.ScanRange
	for i, b := range buckets {
		r := route.ScanRange{Bucket: b, Start: max(starts[i], lo), End: min(ends[i], stop, hi), Since: since}
		if s.Log.Follow { // there may be no offset lo yet
			r.Start, r.End = min(r.Start, max(starts[i], ends[i])), min(stop, hi)
		}
		if r.Start >= r.End {
			continue
		}
		if r.End == math.MaxInt64 {
			r.End = -1
		}
		out = append(out, r)
	}
	return out, nil
}

// startsAndEnds asks for the end of each bucket and for the place where the scan begins; since is the time of a scan that
// begins with one.
func (s *selection) startsAndEnds(buckets []catalog.Bucket, since int64) (ends, starts []int64, err error) {
	start, from := s.Log.Start, route.Earliest()
	switch start.Kind {
	case plan.FromLatest:
		ends, err = s.conn.c.client.Ends(s.ctx, s.Table, buckets)
		return ends, ends, err
	case plan.FromTimestamp:
		from = route.AtTimestamp(since)
	}
	ends, starts, err = s.span(buckets, from)
	if err != nil || start.Kind == plan.FromEarliest || start.Kind == plan.FromTimestamp {
		return ends, starts, err
	}
	n, err := s.bindOffset(&start.Src, 0)
	if err != nil {
		return nil, nil, err
	}
	for i, earliest := range starts {
		if start.Kind == plan.FromLast {
			starts[i] = max(earliest, ends[i]-n)
			continue
		}
		if n < earliest || n > ends[i] {
			return nil, nil, &route.OffsetRangeError{Table: s.Table.Path, Bucket: buckets[i], Asked: n, Earliest: earliest, Latest: ends[i]}
		}
		starts[i] = n
	}
	return ends, starts, nil
}

// span asks for the ends and for one more offset of each bucket at the same time.
func (s *selection) span(buckets []catalog.Bucket, from route.OffsetSpec) (ends, starts []int64, err error) {
	client := s.conn.c.client
	failed := make(chan error, 1)
	go func() {
		var err error
		starts, err = client.Offsets(s.ctx, s.Table, buckets, from)
		failed <- err
	}()
	ends, err = client.Ends(s.ctx, s.Table, buckets)
	return ends, starts, cmp.Or(<-failed, err)
}

func (s *selection) startMillis(start *plan.Start) (int64, error) {
	var d row.Datum
	if start.Src.Type() != nil {
		if err := start.Src.Bind(&d, s.args, &s.conn.c.opts.Bind); err != nil {
			return 0, fmt.Errorf("hint OFFSET: %w", err)
		}
	}
	return start.MillisOf(d), nil
}

func (s *selection) bindOffset(src *plan.Source, def int64) (int64, error) {
	if src == nil {
		return def, nil
	}
	var d row.Datum
	if err := src.Bind(&d, s.args, &s.conn.c.opts.Bind); err != nil {
		return 0, fmt.Errorf("offset: %w", err)
	}
	if d.I < 0 {
		return 0, fmt.Errorf("offsets start at 0, got %d", d.I)
	}
	return d.I, nil
}

// bounds are the offsets that the predicates on _log_offset allow: lo <= offset < hi.
func (s *selection) bounds() (lo, hi int64, err error) {
	lo, hi = 0, math.MaxInt64
	for _, b := range s.Log.Bounds {
		var d row.Datum
		if err := b.Src.Bind(&d, s.args, &s.conn.c.opts.Bind); err != nil {
			return 0, 0, fmt.Errorf("_log_offset: %w", err)
		}
		if d.Null {
			return 0, 0, nil
		}
		after := d.I
		if after < math.MaxInt64 {
			after++
		}
		switch b.Op {
		case "=":
			lo, hi = max(lo, d.I), min(hi, after)
		case "<":
			hi = min(hi, d.I)
		case "<=":
			hi = min(hi, after)
		case ">":
			lo = max(lo, after)
		case ">=":
			lo = max(lo, d.I)
		}
	}
	return lo, hi, nil
}

// namedRanges are those of the hint OFFSETS.
func (s *selection) namedRanges(buckets []catalog.Bucket) ([]route.ScanRange, error) {
	var wanted []catalog.Bucket
	var spans []plan.BucketOffsets
	for _, o := range s.Log.Buckets {
		if int(o.Bucket) >= s.Table.BucketCount {
			return nil, fmt.Errorf("hint OFFSETS: %s has buckets 0 to %d, got %d", s.Table.Path, s.Table.BucketCount-1, o.Bucket)
		}
		for _, b := range buckets {
			if b.ID == o.Bucket {
				wanted, spans = append(wanted, b), append(spans, o)
			}
		}
	}
	ends, starts, err := s.span(wanted, route.Earliest())
	if err != nil {
		return nil, err
	}
	lo, hi, err := s.bounds()
	if err != nil {
		return nil, err
	}
	var out []route.ScanRange
	for i, b := range wanted {
		r := route.ScanRange{Bucket: b, Start: spans[i].From, End: spans[i].To}
		if r.Start < starts[i] || r.Start > ends[i] {
			return nil, &route.OffsetRangeError{Table: s.Table.Path, Bucket: b, Asked: r.Start, Earliest: starts[i], Latest: ends[i]}
		}
		if !s.Log.Follow && (r.End < 0 || r.End > ends[i]) {
			r.End = ends[i]
		}
		r.Start = max(r.Start, min(lo, ends[i]))
		if hi != math.MaxInt64 && (r.End < 0 || r.End > hi) {
			r.End = hi
		}
		if r.End < 0 || r.Start < r.End {
			out = append(out, r)
		}
	}
	return out, nil
}
