package fluss

import (
	"slices"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/route"
	"github.com/gofluss/fluss/internal/row"
)

// lookupBuffers are what a conn keeps from one point lookup to the next.
type lookupBuffers struct {
	call route.LookupCall
	list [1]*route.LookupCall
}

// lookup finds rows by full primary key, in the order of the list, each key once.
func (s *selection) lookup() (source, error) {
	calls, keys, err := s.lookupCalls()
	if err != nil {
		return nil, err
	}
	if _, err := s.conn.look(s.ctx, s.layout, found(calls)); err != nil {
		return nil, err
	}
	return &lookupSource{s: s, calls: calls, keys: keys}, nil
}

// found leaves out the calls of keys that cannot be there because their partition is not.
func found(calls []*route.LookupCall) []*route.LookupCall {
	if !slices.Contains(calls, nil) {
		return calls
	}
	return slices.DeleteFunc(slices.Clone(calls), func(c *route.LookupCall) bool { return c == nil })
}

// lookupCalls makes a call for each distinct key; nil where the key's partition does not exist. keys holds the key
// columns of each call for KEEP_MISSING, and is nil otherwise.
func (s *selection) lookupCalls() (calls []*route.LookupCall, keys [][]row.Datum, err error) {
	w := keyWalk{conn: s.conn, layout: s.layout, table: s.Table}
	scratch := s.conn.scratchRow(s.Width())
	one := s.Keys.One(s.args)
	var seen map[string]bool
	err = s.Keys.Each(scratch, s.args, &s.conn.c.opts.Bind, func() error {
		key, bucket, ok, err := w.locate(s.ctx, scratch)
		if err != nil {
			return err
		}
		if !one {
			if seen == nil {
				seen = map[string]bool{}
			}
			if id := s.identity(scratch, key); seen[id] {
				return nil
			} else {
				seen[id] = true
			}
		}
		var call *route.LookupCall
		if ok {
			call = &route.LookupCall{Table: s.Table, Bucket: bucket, Key: slices.Clone(key)}
		}
		calls = append(calls, call)
		if s.KeepMissing {
			kept, _ := keep(scratch)
			keys = append(keys, kept)
		}
		return nil
	})
	return calls, keys, err
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

// lookupSource hands out the rows of calls that were answered.
type lookupSource struct {
	s     *selection
	calls []*route.LookupCall
	keys  [][]row.Datum
	at    int
}

func (l *lookupSource) next(v []row.Datum) (bool, error) {
	for l.at < len(l.calls) {
		i := l.at
		l.at++
		call := l.calls[i]
		there := call != nil && call.Value != nil
		switch {
		case there:
			if err := l.s.layout.decode(l.s.ctx, l.s.conn.c.client, v, call.Value); err != nil {
				return false, err
			}
		case l.s.KeepMissing:
			l.missing(v, l.keys[i])
		default:
			continue
		}
		bucket := int32(-1)
		if call != nil {
			bucket = call.Bucket.ID
		}
		l.s.FillPseudo(v, bucket, 0, 0, nil, nil)
		l.s.FillFound(v, there)
		return true, nil
	}
	return false, nil
}

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
		b := catalog.Bucket{TableID: s.Table.ID, PartitionID: catalog.NoPartition}
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
			out.add(b.ID, v)
		}
		return nil
	})
	return out, err
}

// valueSource hands out stored values, schema id in front.
type valueSource struct {
	s       *selection
	values  [][]byte
	buckets []int32
	at      int
}

func (l *valueSource) add(bucket int32, value []byte) {
	l.values, l.buckets = append(l.values, value), append(l.buckets, bucket)
}

func (l *valueSource) next(v []row.Datum) (bool, error) {
	if l.at == len(l.values) {
		return false, nil
	}
	if err := l.s.layout.decode(l.s.ctx, l.s.conn.c.client, v, l.values[l.at]); err != nil {
		return false, err
	}
	l.s.FillPseudo(v, l.buckets[l.at], 0, 0, nil, nil)
	l.at++
	return true, nil
}

func (l *valueSource) close() { l.at = len(l.values) }
