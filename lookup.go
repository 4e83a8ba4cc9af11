package fluss

import (
	"slices"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/record"
	"github.com/gofluss/fluss/internal/route"
	"github.com/gofluss/fluss/internal/row"
)

// lookupBuffers are what a conn keeps from one query to the next. Two results may be open on one conn: the kept rows
// serve the first.
type lookupBuffers struct{ spare *rows }

func (b *lookupBuffers) take() *rows {
	r := b.spare
	if r == nil {
		return &rows{}
	}
	b.spare = nil
	return r
}

func (b *lookupBuffers) keep(r *rows) {
	r.reset()
	b.spare = r
}

// lookupSource finds rows by full primary key and hands them out in the order of the list, each key once.
type lookupSource struct {
	s     *selection
	calls []route.LookupCall // of the distinct keys; Table is nil where the key's partition does not exist
	asked []*route.LookupCall
	bytes []byte        // the keys, each with the name of its partition behind
	ends  []keyEnds     // of calls
	rows  [][]row.Datum // the key columns of calls, for KEEP_MISSING
	at    int
}

// keyEnds is where a key lies in lookupSource.bytes: it begins where the one before has its end.
type keyEnds struct{ key, partition int }

// Of lookups of many keys the memory is not kept.
const (
	maxKeptCalls = 64
	maxKeptBytes = 16 << 10
)

// reset lets go of what belongs to one query.
func (l *lookupSource) reset() {
	if cap(l.calls) > maxKeptCalls || cap(l.bytes) > maxKeptBytes {
		*l = lookupSource{}
		return
	}
	clear(l.calls)
	*l = lookupSource{calls: l.calls[:0], asked: l.asked[:0], bytes: l.bytes[:0], ends: l.ends[:0]}
}

func (s *selection) lookup(l *lookupSource) (source, error) {
	l.s = s
	if err := l.collect(); err != nil {
		return nil, err
	}
	for i := range l.calls {
		call := &l.calls[i]
		from, to := l.span(i)
		call.Key = l.bytes[from:to.key:to.key]
		if call.Table != nil {
			l.asked = append(l.asked, call)
		}
	}
	if s.conn.tx != nil {
		_, err := s.conn.look(s.ctx, s.layout, l.asked)
		return l, err
	}
	if err := s.conn.c.client.Lookup(s.ctx, l.asked...); err != nil {
		return nil, err
	}
	return l, s.layout.behind(l.asked)
}

// collect makes a call for each distinct key.
func (l *lookupSource) collect() error {
	s := l.s
	w := keyWalk{conn: s.conn, layout: s.layout, table: s.Table}
	scratch, bind := s.conn.scratchRow(s.Width()), &s.conn.c.opts.Bind
	if s.Keys.One(s.args) {
		ok, err := s.Keys.BindOne(scratch, s.args, bind)
		if err != nil || !ok {
			return err
		}
		return l.add(&w, scratch)
	}
	n := s.Keys.Count()
	l.calls, l.asked, l.ends = slices.Grow(l.calls, n), slices.Grow(l.asked, n), slices.Grow(l.ends, n)
	var seen keySet
	id := func(i int) []byte {
		from, to := l.span(i)
		return l.bytes[from:to.partition]
	}
	return s.Keys.Each(scratch, s.args, bind, func() error {
		if err := l.add(&w, scratch); err != nil {
			return err
		}
		if last := len(l.calls) - 1; !seen.add(last, id) {
			l.drop(last)
		}
		return nil
	})
}

// add appends the call of the key in v.
func (l *lookupSource) add(w *keyWalk, v []row.Datum) error {
	s := l.s
	key, bucket, ok, err := w.locate(s.ctx, v)
	if err != nil {
		return err
	}
	call := route.LookupCall{Bucket: bucket}
	if ok {
		call.Table = s.Table
	}
	l.bytes = append(l.bytes, key...)
	end := keyEnds{key: len(l.bytes)}
	if s.Table.IsPartitioned() {
		name, err := row.PartitionName(s.Table, v)
		if err != nil {
			return err
		}
		l.bytes = append(append(l.bytes, 0), name...) // a name has no zero byte, so what is equal as a whole is equal in parts
	}
	end.partition = len(l.bytes)
	l.calls, l.ends = append(l.calls, call), append(l.ends, end)
	if s.KeepMissing {
		kept, _ := keep(v)
		l.rows = append(l.rows, kept)
	}
	return nil
}

// drop takes the last call back.
func (l *lookupSource) drop(last int) {
	from, _ := l.span(last)
	l.calls, l.ends, l.bytes = l.calls[:last], l.ends[:last], l.bytes[:from]
	if l.rows != nil {
		l.rows = l.rows[:last]
	}
}

// span is where the key of call i begins and ends.
func (l *lookupSource) span(i int) (from int, to keyEnds) {
	if i > 0 {
		from = l.ends[i-1].partition
	}
	return from, l.ends[i]
}

// identity tells keys apart: the key bytes, with the partition in front.
func (s *selection) identity(v []row.Datum, key []byte) string {
	if !s.Table.IsPartitioned() {
		return string(key)
	}
	name, _ := row.PartitionName(s.Table, v)
	return name + "/" + string(key)
}

// scratchRow returns the conn's row buffer with at least n columns.
func (c *conn) scratchRow(n int) []row.Datum {
	if cap(c.scratch) < n {
		c.scratch = make([]row.Datum, n)
	}
	return c.scratch[:n]
}

func (l *lookupSource) next(v []row.Datum) (bool, error) {
	for l.at < len(l.calls) {
		i := l.at
		l.at++
		call := &l.calls[i]
		there := call.Value != nil
		switch {
		case there && v == nil:
			return true, nil
		case there:
			if err := l.s.layout.decode(l.s.ctx, l.s.conn.c.client, v, call.Value); err != nil {
				return false, l.damaged(err)
			}
		case l.s.KeepMissing:
			l.missing(v, l.rows[i])
		default:
			continue
		}
		bucket, partition := int32(-1), []byte(nil)
		if call.Table != nil {
			bucket, partition = call.Bucket.ID, l.s.partitionText(&call.Bucket)
		}
		l.s.FillPseudo(v, bucket, 0, 0, nil, partition)
		l.s.FillFound(v, there)
		return true, nil
	}
	return false, nil
}

func (l *lookupSource) stored() (int16, []byte, error) {
	return record.ReadValue(l.calls[l.at-1].Value)
}

func (l *lookupSource) damaged(err error) error { return poisonRow(l.s, l.calls[l.at-1].Bucket, err) }

// missing fills a row that is not there: the key, and NULLs.
func (l *lookupSource) missing(v, key []row.Datum) {
	for i := range l.s.Table.Schema.Columns {
		v[i] = row.Datum{Null: true}
	}
	for _, i := range l.s.Table.PrimaryKey {
		v[i] = key[i]
	}
}

func (l *lookupSource) close() { l.at = len(l.calls) }

// prefix finds the rows whose bucket key is given.
func (s *selection) prefix() (source, error) {
	scratch := s.conn.scratchRow(s.Width())
	out := &valueSource{s: s}
	seen := map[string]bool{}
	err := s.Keys.Each(scratch, s.args, &s.conn.c.opts.Bind, func() error {
		key, err := s.layout.prefix.Append(nil, scratch)
		if err != nil {
			return err
		}
		id := s.identity(scratch, key)
		if seen[id] {
			return nil
		}
		seen[id] = true
		b := bucketOfTable(s.Table)
		if b.ID, err = s.layout.bucketOf(nil, scratch, nil); err != nil {
			return err
		}
		if s.Table.IsPartitioned() {
			p, ok, err := s.conn.partitionOf(s.ctx, s.Table, scratch, false)
			if err != nil || !ok {
				return err
			}
			b.PartitionID = p
		}
		call := &route.PrefixCall{Table: s.Table, Bucket: b, Key: key}
		if err := s.conn.c.client.PrefixLookup(s.ctx, call); err != nil {
			return err
		}
		for _, v := range call.Values {
			out.add(b, v)
		}
		return nil
	})
	return out, err
}

// valueSource hands out stored values, schema id in front.
type valueSource struct {
	s       *selection
	values  [][]byte
	buckets []catalog.Bucket
	at      int
}

func (l *valueSource) add(bucket catalog.Bucket, value []byte) {
	l.values, l.buckets = append(l.values, value), append(l.buckets, bucket)
}

func (l *valueSource) next(v []row.Datum) (bool, error) {
	if l.at == len(l.values) {
		return false, nil
	}
	i := l.at
	l.at++
	if v == nil {
		return true, nil
	}
	if err := l.s.layout.decode(l.s.ctx, l.s.conn.c.client, v, l.values[i]); err != nil {
		return false, l.damaged(err)
	}
	l.s.FillPseudo(v, l.buckets[i].ID, 0, 0, nil, l.s.partitionText(&l.buckets[i]))
	return true, nil
}

func (l *valueSource) stored() (int16, []byte, error) { return record.ReadValue(l.values[l.at-1]) }

func (l *valueSource) damaged(err error) error { return poisonRow(l.s, l.buckets[l.at-1], err) }

func (l *valueSource) close() { l.at = len(l.values) }
