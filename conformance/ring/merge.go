package ring

import "errors"

// Merge sums up the reports of a ring that was run in pieces, each with a seed of its own. Times of calls, different
// codes and the heap left are those of the worst piece.
func Merge(pieces ...*Report) (*Report, error) {
	if len(pieces) == 0 {
		return nil, errors.New("no reports to merge")
	}
	sum := *pieces[0]
	sum.Pieces, sum.Calls, sum.Errors, sum.FaultKinds = 0, map[string]Call{}, map[string]int{}, map[string]int{}
	sum.Verdict, sum.Findings = Verdict{}, nil
	seeds := map[uint64]bool{}
	for i, p := range pieces {
		if p.Ring != sum.Ring || p.Go != sum.Go || p.Driver != sum.Driver || seeds[p.Seed] {
			return nil, errors.New("the reports are of different rings, or of the same seed")
		}
		seeds[p.Seed] = true
		sum.Pieces += max(p.Pieces, 1)
		if i > 0 {
			sum.addCounts(p)
		}
		for kind, c := range p.Calls {
			sum.Calls[kind] = sum.Calls[kind].plus(c)
		}
		addTo(sum.Errors, p.Errors)
		addTo(sum.FaultKinds, p.FaultKinds)
		sum.Codes = max(sum.Codes, p.Codes)
		sum.Verdict.add(p.Verdict)
		sum.Findings = append(sum.Findings, p.Findings...)
	}
	return &sum, nil
}

func (r *Report) addCounts(p *Report) {
	if p.Started.Before(r.Started) {
		r.Started = p.Started
	}
	r.Seconds += p.Seconds
	r.Stalled += p.Stalled
	r.Operations += p.Operations
	r.Acknowledged += p.Acknowledged
	r.Unknown += p.Unknown
	r.NotStored += p.NotStored
	r.RowsRead += p.RowsRead
	r.Histories += p.Histories
	r.ChangeLogs += p.ChangeLogs
	r.Partitions += p.Partitions
	r.Cancelled += p.Cancelled
	r.Faults += p.Faults
}

func (c Call) plus(d Call) Call {
	return Call{c.Calls + d.Calls, c.Failed + d.Failed, max(c.P50, d.P50), max(c.P99, d.P99), max(c.Max, d.Max)}
}

func addTo(sum, counts map[string]int) {
	for k, n := range counts {
		sum[k] += n
	}
}

func (v *Verdict) add(w Verdict) {
	v.Lost += w.Lost
	v.Doubled += w.Doubled
	v.Wrong += w.Wrong
	v.Short += w.Short
	v.Undocumented += w.Undocumented
	v.Late += w.Late
	v.UnknownUnreported += w.UnknownUnreported
	v.Broken += w.Broken
	v.Undecided += w.Undecided
	v.Goroutines += w.Goroutines
	v.Files += w.Files
	v.HeapLeft = max(v.HeapLeft, w.HeapLeft)
}
