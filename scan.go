package fluss

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/record"
	"github.com/gofluss/fluss/internal/row"
	"github.com/gofluss/fluss/internal/wire"
)

// scansAhead is how many buckets of a key table are asked for at a time. A server answers a bucket whole and holds up
// its writers meanwhile, so more would trade others' latency for ours.
const scansAhead = 4

// tableScan reads a key table bucket by bucket. With a LIMIT that can be pushed down each bucket gives so many rows at
// most; without one the table is read whole, if it is small or the statement insists.
func (s *selection) tableScan() (source, error) {
	buckets, names, err := s.buckets()
	if err != nil {
		return nil, err
	}
	limit := s.pushLimit()
	if limit < 0 {
		if err := s.fullScanAllowed(buckets); err != nil {
			return nil, err
		}
		limit = math.MaxInt32
	}
	src := &tableSource{s: s, todo: buckets, names: names, limit: int32(min(limit, math.MaxInt32)), ctx: s.ctx, cancel: func() {}}
	if len(buckets) > 1 { // a lone one is asked by take
		src.ctx, src.cancel = context.WithCancel(s.ctx)
		src.ask()
	}
	return src, nil
}

// fullScanAllowed refuses the whole read of a table that is larger than full_scan_rows.
func (s *selection) fullScanAllowed(buckets []catalog.Bucket) error {
	cfg := s.conn.c.cfg
	if s.FullScan || cfg.FullScan == "allow" || len(buckets) == 0 {
		return nil
	}
	ways := s.WaysOut()
	if cfg.FullScan == "refuse" {
		return &UnsupportedError{Feature: "a whole read of " + s.Table.Path.String(), Reason: "full_scan is refuse", Hint: ways}
	}
	n, err := s.statistics(buckets)
	if err != nil || n <= cfg.FullScanRows {
		return err
	}
	return &UnsupportedError{Feature: "a whole read of " + s.Table.Path.String(),
		Reason: fmt.Sprintf("this would read all %s rows in %d buckets", thousands(n), len(buckets)), Hint: ways}
}

// statistics adds up the row counts of buckets: -1 where the servers keep none.
func (s *selection) statistics(buckets []catalog.Bucket) (int64, error) {
	counts, err := s.conn.c.client.Stats(s.ctx, s.Table, buckets)
	if refusal, ok := errors.AsType[*wire.ServerError](err); ok && refusal.Code == wire.CodeInvalidTable {
		return -1, nil
	}
	var n int64
	for _, c := range counts {
		n += c
	}
	return n, err
}

// count asks for the number of rows. counted is false where the rows have to be read for it.
func (s *selection) count() (n int64, counted bool, err error) {
	buckets, _, err := s.buckets()
	if err != nil || len(buckets) == 0 {
		return 0, err == nil, err
	}
	n, err = s.statistics(buckets)
	return n, n >= 0, err
}

// thousands writes a count as 2,400,000.
func thousands(n int64) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// tableSource hands out the rows of a key table in the order of buckets, a few buckets ahead.
type tableSource struct {
	s      *selection
	ctx    context.Context
	cancel context.CancelFunc // stops the requests under way
	todo   []catalog.Bucket   // not asked for yet
	asked  []bucketAnswer     // under way or waiting to be read, in order
	names  map[int64]string
	limit  int32

	bucket    catalog.Bucket // being read
	partition []byte
	rows      record.ValueIterator
	reading   bool
	given     int64
}

// bucketAnswer is the answer of one bucket, on its way.
type bucketAnswer struct {
	bucket catalog.Bucket
	done   chan struct{} // closed when records and err are set
	*scanAnswer
}

type scanAnswer struct {
	records []byte
	err     error
}

// ask keeps a few buckets under way.
func (t *tableSource) ask() {
	for len(t.asked) < scansAhead && len(t.todo) > 0 {
		b := t.todo[0]
		t.todo = t.todo[1:]
		a := bucketAnswer{bucket: b, done: make(chan struct{}), scanAnswer: &scanAnswer{}}
		t.asked = append(t.asked, a)
		client, table, ctx, limit := t.s.conn.c.client, t.s.Table, t.ctx, t.limit
		go func() { // ended by t.cancel, waited for by next through done
			defer close(a.done)
			a.records, a.err = client.LimitScan(ctx, table, b, limit)
		}()
	}
}

func (t *tableSource) next(v []row.Datum) (bool, error) {
	for {
		if t.reading && t.rows.Next() {
			t.given++
			if v == nil {
				return true, nil
			}
			if err := t.s.layout.decodeRow(t.s.ctx, t.s.conn.c.client, v, t.rows.SchemaID, t.rows.Row); err != nil {
				return false, t.damaged(err)
			}
			t.s.FillPseudo(v, t.bucket.ID, 0, 0, nil, t.partition)
			return true, nil
		}
		if t.reading && t.rows.Err() != nil {
			return false, t.damaged(t.rows.Err())
		}
		t.reading = false
		if len(t.asked) == 0 && len(t.todo) == 0 {
			return false, nil
		}
		if err := t.take(); err != nil {
			return false, err
		}
	}
}

func (t *tableSource) stored() (int16, []byte, error) { return t.rows.SchemaID, t.rows.Row, nil }

func (t *tableSource) damaged(err error) error { return poisonRow(t.s, t.bucket, err) }

// take waits for the next bucket's answer and asks for one more, if rows are still wanted.
func (t *tableSource) take() error {
	a, err := t.answer()
	if err != nil {
		return err
	}
	batch, err := record.ReadValueBatch(a.records)
	if err != nil {
		return poisonRow(t.s, a.bucket, err)
	}
	t.bucket, t.rows, t.reading = a.bucket, batch.Records(), true
	t.partition = nil
	if name, ok := t.names[a.bucket.PartitionID]; ok {
		t.partition = []byte(name)
	}
	if limit := t.s.pushLimit(); limit < 0 || t.given+int64(batch.Count) < limit {
		t.ask()
	}
	return nil
}

// answer returns that of the next bucket. Only a lone bucket is not asked yet.
func (t *tableSource) answer() (bucketAnswer, error) {
	if len(t.asked) == 0 {
		a := bucketAnswer{bucket: t.todo[0], scanAnswer: &scanAnswer{}}
		t.todo = t.todo[1:]
		a.records, a.err = t.s.conn.c.client.LimitScan(t.ctx, t.s.Table, a.bucket, t.limit)
		return a, a.err
	}
	a := t.asked[0]
	select {
	case <-a.done:
	case <-t.s.ctx.Done():
		return a, t.s.ctx.Err()
	}
	t.asked = t.asked[1:]
	return a, a.err
}

func (t *tableSource) close() {
	t.cancel()
	t.asked, t.todo, t.reading = nil, nil, false
}
