package ring

import (
	"errors"

	"github.com/gofluss/fluss"
)

// counts are how many rows of a write were reported as stored, not stored and unknown.
type counts struct{ stored, notStored, unknown int }

// bucketsIn are the outcomes that an error of a statement tells of its buckets. told is false where it tells of none.
func bucketsIn(err error) (buckets []fluss.BucketOutcome, told bool) {
	if ambiguous, ok := errors.AsType[*fluss.AmbiguousWriteError](err); ok {
		return ambiguous.Buckets, true
	}
	if part, ok := errors.AsType[*fluss.PartialWriteError](err); ok {
		return part.Buckets, true
	}
	return nil, false
}

// sumOf sums up over one bucket, or all with anyBucket.
func sumOf(buckets []fluss.BucketOutcome, bucket int32) (c counts) {
	for _, b := range buckets {
		if b.Bucket == bucket || bucket == anyBucket {
			c = c.plus(counts{b.Stored, b.NotStored, b.Unknown})
		}
	}
	return c
}

// countsOf are those of a table in a transaction.
func countsOf(tables []fluss.TableOutcome, table string, bucket int32) (c counts) {
	for _, t := range tables {
		if t.Table == table {
			c = c.plus(sumOf(t.Buckets, bucket))
		}
	}
	return c
}

func (c counts) plus(d counts) counts {
	return counts{c.stored + d.stored, c.notStored + d.notStored, c.unknown + d.unknown}
}

func (c counts) rows() int { return c.stored + c.notStored + c.unknown }

// each is what is known of every single row: where they fared differently, nothing.
func (c counts) each() outcome {
	switch n := c.rows(); {
	case n == 0:
		return unknown
	case n == c.stored:
		return stored
	case n == c.notStored:
		return notStored
	}
	return unknown
}

// countAll counts n rows of a write, those without a count as not stored.
func (r *run) countAll(c counts, n int) {
	r.count(stored, c.stored)
	r.count(unknown, c.unknown)
	r.count(notStored, n-c.stored-c.unknown)
}
