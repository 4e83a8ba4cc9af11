package flusstest

import (
	"encoding/binary"

	"github.com/gofluss/fluss/internal/record"
	"github.com/gofluss/fluss/internal/row"
	"github.com/gofluss/fluss/internal/wire"
)

// putKV applies the first kv batch in batch and returns the offset behind its change log. Bytes behind it are
// ignored. A batch is applied as a whole or, with an error, not at all; numbers taken from nextAutoIncrement are gone
// either way.
//
// Not checked, as on the real server: the CRC, the magic, the length field, and whether keys and rows agree.
//
// target holds positions in the latest schema, empty for whole rows. overwrite passes by the merge engine.
// nextAutoIncrement may be nil when the table has no such column.
func (b *bucketStore) putKV(batch []byte, target []int32, overwrite bool, nextAutoIncrement func() int64) (logEnd int64, err error) {
	in, err := readPutBatch(batch)
	if err != nil {
		return 0, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	p := &b.put
	if err := p.begin(b, in.schemaID, target, overwrite, nextAutoIncrement); err != nil {
		return 0, err
	}
	defer p.end()
	for range in.count {
		var key, sent []byte
		if key, sent, err = in.next(); err != nil {
			break
		}
		if sent == nil {
			err = p.remove(key)
		} else {
			err = p.upsert(key, sent)
		}
		if err != nil {
			break
		}
	}
	var again bool
	if err == nil {
		logEnd, again, err = p.log(in.writerID, in.sequence)
	}
	if err != nil || again {
		b.rows.rollback()
		return logEnd, err
	}
	b.rows.commit()
	b.rowsLive = int64(b.rows.live)
	return logEnd, nil
}

// putBatch is a kv batch that is read as the server does, which takes its lengths on trust.
// The layout is that of record.AppendKVBatch.
type putBatch struct {
	schemaID int16
	writerID int64
	sequence int32
	count    int32
	rest     []byte
}

const putHeaderSize = 28

func readPutBatch(b []byte) (p putBatch, err error) {
	if len(b) < putHeaderSize {
		return p, brokenf("java.lang.IndexOutOfBoundsException", "a kv batch of %d bytes", len(b))
	}
	le := binary.LittleEndian
	p = putBatch{
		schemaID: int16(le.Uint16(b[9:])),
		writerID: int64(le.Uint64(b[12:])),
		sequence: int32(le.Uint32(b[20:])),
		count:    int32(le.Uint32(b[24:])),
		rest:     b[putHeaderSize:],
	}
	if p.count < 0 {
		return p, brokenf("java.lang.IllegalArgumentException", "Found invalid record count %d in magic v0 batch", p.count)
	}
	return p, nil
}

// next returns the next record; sent is nil for a delete.
func (p *putBatch) next() (key, sent []byte, err error) {
	if len(p.rest) < 4 {
		return nil, nil, recordBeyond()
	}
	n := int32(binary.LittleEndian.Uint32(p.rest))
	if n < 0 || int64(n) > int64(len(p.rest)-4) {
		return nil, nil, recordBeyond()
	}
	r := p.rest[4 : 4+n]
	p.rest = p.rest[4+n:]
	k, size := binary.Uvarint(r)
	if size <= 0 || k > uint64(len(r)-size) {
		return nil, nil, recordBeyond()
	}
	end := size + int(k)
	if key = r[size:end:end]; end < len(r) {
		sent = r[end:]
	}
	return key, sent, nil
}

func recordBeyond() error {
	return brokenf("java.lang.IndexOutOfBoundsException", "a record runs over the end of its batch")
}

// putScratch is what putKV needs for one batch. It lives with the bucket and is reused under its lock.
type putScratch struct {
	b       *bucketStore
	latest  *shape
	sent    *shape // of the batch's rows
	engine  engine
	encoder *record.LogEncoder
	number  func() int64 // nil: no column of the table is numbered

	overwrite bool // neither the merge engine nor the table's delete behavior counts
	blind     bool // the old row makes no difference: it is not looked at
	wal       bool // the change log has no old images

	old, new, out []row.Datum
	row, batch    []byte
}

func (p *putScratch) begin(b *bucketStore, schemaID int16, target []int32, overwrite bool, number func() int64) (err error) {
	latest := b.schemas.latest()
	if int(schemaID) > latest.ID || schemaID < 0 {
		return refusef(wire.CodeSchemaNotExist, "Invalid schema id: %d, latest schema id: %d", schemaID, latest.ID)
	}
	if p.latest, err = b.shape(latest.ID); err != nil {
		return err
	}
	if len(target) == 0 {
		target = nil
	}
	p.b, p.number, p.overwrite = b, nil, overwrite
	if b.table.AutoIncrement >= 0 {
		p.number = number
		if err := checkNumbered(b.table.AutoIncrement, latest, target); err != nil {
			return err
		}
	}
	if p.sent, err = b.shape(int(schemaID)); err != nil {
		return err
	}
	if p.engine, err = b.engine(p.latest, p.sent.width(), target, overwrite); err != nil {
		return err
	}
	_, last := p.engine.(lastRow)
	p.wal = b.table.ChangelogImage == imageWAL
	p.blind = p.wal && last && p.number == nil
	if p.encoder, err = p.latest.encoder(); err != nil {
		return err
	}
	width := p.latest.width()
	p.old, p.new, p.out = sized(p.old, width), sized(p.new, width), sized(p.out, width)
	return nil
}

func sized(d []row.Datum, n int) []row.Datum {
	if cap(d) < n {
		return make([]row.Datum, n)
	}
	return d[:n]
}

// end gives back what begin took, and what the rows of the batch hold.
func (p *putScratch) end() {
	p.latest.release(p.encoder)
	p.encoder, p.engine, p.number = nil, nil, nil
	clear(p.old)
	clear(p.new)
	clear(p.out)
	if cap(p.batch) > maxKeptBatch {
		p.batch = nil
	}
}

// maxKeptBatch is the largest buffer that waits for the next batch.
const maxKeptBatch = 256 << 10

// decodeOld reads a stored value into p.old.
func (p *putScratch) decodeOld(value []byte) error {
	id, stored, err := record.ReadValue(value)
	if err != nil {
		return brokenf("java.lang.IndexOutOfBoundsException", "%v", err)
	}
	h := p.latest
	if int(id) != h.schema.ID {
		if h, err = p.b.shape(int(id)); err != nil {
			return err
		}
	}
	return h.decode(p.old, stored)
}

func (p *putScratch) remove(key []byte) error {
	switch {
	case p.overwrite:
	case p.b.table.DeleteBehavior == "ignore":
		return nil
	case p.b.table.DeleteBehavior == "disable":
		return refusef(wire.CodeDeletionDisabled,
			"Delete operations are disabled for this table. The table.delete.behavior is set to 'disable'.")
	}
	value := p.b.rows.get(key)
	if value == nil {
		return nil
	}
	if err := p.decodeOld(value); err != nil {
		return err
	}
	what, err := p.engine.remove(p.old, p.out)
	switch {
	case err != nil:
		return err
	case what == storeMerged:
		stored, err := p.encode(p.out)
		if err != nil {
			return err
		}
		return p.update(key, p.old, p.out, stored)
	}
	if err := p.change(record.Delete, p.old); err != nil {
		return err
	}
	p.b.rows.remove(key)
	return nil
}

func (p *putScratch) upsert(key, sent []byte) error {
	var old []row.Datum
	if !p.blind {
		if value := p.b.rows.get(key); value != nil {
			if err := p.decodeOld(value); err != nil {
				return err
			}
			old = p.old
		}
	}
	if err := p.sent.decode(p.new, sent); err != nil {
		return err
	}
	what, err := p.engine.upsert(old, p.new, p.out)
	if err != nil || what == keepOld {
		return err
	}
	values, stored := p.new, value{p.sent.schema.ID, sent}
	if what == storeMerged {
		values = p.out
		if stored, err = p.encode(values); err != nil {
			return err
		}
	}
	if old != nil || p.blind {
		return p.update(key, old, values, stored)
	}
	if p.number != nil {
		if stored, err = p.numbered(values); err != nil {
			return err
		}
	}
	if err := p.change(record.Insert, values); err != nil {
		return err
	}
	p.b.rows.put(key, int16(stored.schemaID), stored.row)
	return nil
}

// value is a row as it is stored.
type value struct {
	schemaID int
	row      []byte
}

// encode makes a row of the latest schema. A NULL that came to be in a NOT NULL column, as that of a product which
// has too many digits, is more than the real server's encoder can take.
func (p *putScratch) encode(values []row.Datum) (value, error) {
	for _, i := range p.latest.notNull {
		if values[i].Null {
			return value{}, brokenf("java.lang.NullPointerException", "NULL in column %s, which is NOT NULL",
				p.latest.schema.Columns[i].Name)
		}
	}
	p.row = p.latest.codec.Append(p.row[:0], values)
	return value{p.latest.schema.ID, p.row}, nil
}

func (p *putScratch) update(key []byte, old, values []row.Datum, stored value) error {
	if !p.wal {
		if err := p.change(record.UpdateBefore, old); err != nil {
			return err
		}
	}
	if err := p.change(record.UpdateAfter, values); err != nil {
		return err
	}
	p.b.rows.put(key, int16(stored.schemaID), stored.row)
	return nil
}

func (p *putScratch) change(c record.ChangeType, values []row.Datum) error {
	if err := p.latest.checkLogged(values); err != nil {
		return err
	}
	if err := p.encoder.AppendChange(c, values); err != nil {
		return brokenf("java.lang.IllegalArgumentException", "%v", err)
	}
	return nil
}

// log appends the change log of the batch, which may be empty and then takes one offset, so that the sequence goes
// on. again says that the batch was applied before: then logEnd is that of the first time.
func (p *putScratch) log(writerID int64, sequence int32) (logEnd int64, again bool, err error) {
	b := p.b
	millis := max(b.log.newest, b.now().UnixMilli())
	known, err := b.writers.admit(writerID, sequence, millis)
	switch {
	case err != nil:
		return 0, false, err
	case known != nil:
		return known.next, true, nil
	}
	base, count := b.log.end, p.encoder.Count()
	next := base + int64(max(count, 1))
	p.batch = p.encoder.Finish(p.batch[:0], record.LogHeader{
		WriterID: writerID, Sequence: sequence, BaseOffset: base, CommitMillis: millis,
	})
	b.log.append(p.batch, int16(p.latest.schema.ID), count == 0, next, millis)
	b.writers.wrote(writerID, writtenBatch{sequence, base, next}, millis)
	return next, false, nil
}
