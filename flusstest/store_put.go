package flusstest

import (
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
	sent, unknown := b.shape(int(schemaID)) // told of after what is wrong with the target
	if p.sent = sent; unknown != nil {
		sent = p.latest
	}
	if p.engine, err = b.engine(p.latest, sent.width(), target, overwrite); err != nil {
		return err
	}
	if unknown != nil {
		return unknown
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

// log appends the change log of the batch, which may be empty and then takes one offset, so that the sequence goes
// on. again says that the batch was applied before: then logEnd is that of the first time.
func (p *putScratch) log(writerID int64, sequence int32) (logEnd int64, again bool, err error) {
	b := p.b
	millis := max(b.log.newest, b.now().UnixMilli())
	base, count := b.log.end, p.encoder.Count()
	next := base + int64(max(count, 1))
	known, err := b.writers.admit(writerID, sequence, next-1, millis)
	switch {
	case err != nil:
		return 0, false, err
	case known != nil:
		return known.next, true, nil
	}
	p.batch = p.encoder.Finish(p.batch[:0], record.LogHeader{
		WriterID: writerID, Sequence: sequence, BaseOffset: base, CommitMillis: millis,
	})
	b.log.append(p.batch, int16(p.latest.schema.ID), count == 0, next, millis)
	b.writers.wrote(writerID, writtenBatch{sequence, base, next}, millis)
	return next, false, nil
}
