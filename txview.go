package fluss

import (
	"context"
	"encoding/binary"
	"slices"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/record"
	"github.com/gofluss/fluss/internal/route"
	"github.com/gofluss/fluss/internal/row"
)

// txIndex is what a transaction did to each key, by partition and key bytes.
type txIndex map[string]txEntry

// txEntry is what becomes of a key. value is a stored value, schema id in front: a whole row, or with target the columns
// of one that are set. nil: the row is deleted.
type txEntry struct {
	value  []byte
	target []int32
}

// entryOverhead is about what an entry takes beside its bytes.
const entryOverhead = 96

func txKey(b catalog.Bucket, key []byte) string {
	return string(append(binary.BigEndian.AppendUint64(make([]byte, 0, 8+len(key)), uint64(b.PartitionID)), key...))
}

// view returns the index of the keys written, made when first asked for.
func (tab *txTable) view() (txIndex, error) {
	if tab.index == nil {
		tab.index = txIndex{}
		for _, op := range tab.tx.ops {
			if op.Table.ID == tab.table.ID {
				if err := tab.note(op); err != nil {
					return nil, err
				}
			}
		}
	}
	return tab.index, nil
}

// note puts the rows of an op into the index.
func (tab *txTable) note(op *route.WriteOp) error {
	b, err := record.ReadKVBatch(record.AppendKVBatch(nil, record.KVHeader{Count: int32(op.Count)}, op.Records))
	if err != nil {
		return err
	}
	it := b.Records()
	for it.Next() {
		e := txEntry{target: op.Target}
		if !it.Delete() {
			e.value = record.AppendValue(nil, int16(op.Table.Schema.ID), it.Value)
		}
		id := txKey(op.Bucket, it.Key)
		old, known := tab.index[id]
		if known && e.target != nil && !it.Delete() {
			if e, err = tab.over(old, e); err != nil {
				return err
			}
		}
		tab.index[id] = e
		tab.tx.held += len(e.value) - len(old.value)
		if !known {
			tab.tx.held += len(id) + entryOverhead
		}
	}
	return it.Err()
}

// over lays the columns that e sets over what was there.
func (tab *txTable) over(old, e txEntry) (txEntry, error) {
	if old.value == nil {
		return txEntry{value: e.value}, nil // a new row: what is not set is NULL
	}
	value, err := tab.merge(old.value, e)
	if err != nil || old.target == nil {
		return txEntry{value: value}, err
	}
	union := append(slices.Clone(old.target), e.target...)
	slices.Sort(union)
	return txEntry{value: value, target: slices.Compact(union)}, nil
}

// merge returns the stored value old with the columns that e sets.
func (tab *txTable) merge(old []byte, e txEntry) ([]byte, error) {
	width := len(tab.table.Schema.Columns)
	v, set := make([]row.Datum, width), make([]row.Datum, width)
	client := tab.tx.c.c.client
	if err := tab.layout.decode(tab.tx.ctx, client, v, old); err != nil {
		return nil, err
	}
	if err := tab.layout.decode(tab.tx.ctx, client, set, e.value); err != nil {
		return nil, err
	}
	for _, c := range e.target {
		v[c] = set[c]
	}
	return record.AppendValue(nil, int16(tab.table.Schema.ID), tab.layout.codec.Append(nil, v)), nil
}

// look answers calls with what the transaction sees: the committed rows, and over them what it wrote. committed[i]
// tells whether the i-th call's row is there without the transaction.
func (c *conn) look(ctx context.Context, l *layout, calls []*route.LookupCall) (committed []bool, err error) {
	if err := c.tx.drain(ctx); err != nil {
		return nil, err
	}
	if err := c.c.client.Lookup(ctx, calls...); err != nil {
		return nil, err
	}
	if err := l.behind(calls); err != nil {
		return nil, err
	}
	tab := c.tx.wrote(l.table)
	if tab == nil {
		return nil, nil
	}
	tab.table, tab.layout = l.table, l
	view, err := tab.view()
	if err != nil {
		return nil, err
	}
	committed = make([]bool, len(calls))
	for i, call := range calls {
		committed[i] = call.Value != nil
		if e, ok := view[txKey(call.Bucket, call.Key)]; ok {
			if call.Value, err = tab.see(call.Value, e); err != nil {
				return nil, err
			}
		}
	}
	return committed, nil
}

// see returns what becomes of a row.
func (tab *txTable) see(committed []byte, e txEntry) ([]byte, error) {
	t := tab.table
	switch {
	case t.MergeEngine != "":
		return nil, &UnsupportedError{Feature: "reading a row that this transaction wrote", Reason: "what " + t.Path.String() + " makes of it is decided by its merge engine (" + t.MergeEngine + ") when it is stored", Hint: "read after Commit"}
	case e.target == nil:
		return e.value, nil
	case committed != nil:
		return tab.merge(committed, e)
	case t.AutoIncrement >= 0 && !slices.Contains(e.target, int32(t.AutoIncrement)):
		return nil, &UnsupportedError{Feature: "reading a row that this transaction inserted", Reason: "the server makes up column " + t.Schema.Columns[t.AutoIncrement].Name + " of " + t.Path.String() + " when the row is stored", Hint: "read after Commit"}
	}
	return e.value, nil
}

// forget takes everything out of the buffer that was written for a key. A DELETE of a row that only the transaction
// knows must not be sent: in a bucket that never had a row it would keep the server from starting again.
func (tab *txTable) forget(bucket catalog.Bucket, key []byte) {
	for _, op := range tab.tx.ops {
		if op.Bucket == bucket {
			before := len(op.Records)
			op.Records, op.Count = withoutKey(op.Records, op.Count, key)
			tab.tx.held -= before - len(op.Records)
			if b := tab.open[bucket]; b != nil && b.op == op {
				b.size -= before - len(op.Records)
			}
		}
	}
	id := txKey(bucket, key)
	tab.tx.held -= len(tab.index[id].value) + len(id) + entryOverhead
	delete(tab.index, id)
}

// withoutKey removes the records of a key, in place.
func withoutKey(records []byte, count int, key []byte) ([]byte, int) {
	out := records[:0]
	for rest := records; len(rest) >= 4; {
		n := 4 + int(binary.LittleEndian.Uint32(rest))
		one := rest[:n]
		rest = rest[n:]
		size, skip := binary.Uvarint(one[4:])
		if string(one[4+skip:4+skip+int(size)]) == string(key) {
			count--
			continue
		}
		out = append(out, one...)
	}
	return out, count
}

// mayScan refuses reads that are not by key of a table with rows in the buffer: they would not see them. With tx=stream
// the rows are sent first.
func (c *conn) mayScan(ctx context.Context, t *catalog.Table) error {
	if err := c.tx.drain(ctx); err != nil {
		return err
	}
	if c.tx.wrote(t) == nil {
		return nil
	}
	return &UnsupportedError{Feature: "a read of " + t.Path.String() + " that is not by key", Reason: "this transaction has written rows to the table that are buffered until Commit, and only reads by the full primary key see them",
		Hint: "read before writing, or after Commit"}
}

var errReturningInTx = &UnsupportedError{Feature: "RETURNING in a transaction", Reason: "where rows went is known when they are stored, at Commit", Hint: "run the INSERT outside of the transaction, or read LastWrite after Commit"}
