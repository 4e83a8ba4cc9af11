package route

import (
	"encoding/binary"
	"hash/crc32"
	"slices"
	"sync"
	"time"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/record"
)

// batchState is where a batch is in its life.
type batchState uint8

const (
	batchOpen    batchState = iota
	batchRefused            // for good, each copy answered; its ops wait to be tried alone
	batchGivenUp            // unknown; on a key table it stays in open as a fence
	batchGone               // nobody knows it any more
)

// writeBatch is one sealed batch. Guarded by writer.mu but for bytes, which belong to the sender while pinned
// and never change afterwards until the batch is given up.
type writeBatch struct {
	bucket    *writeBucket
	table     *catalog.Table
	target    []int32
	overwrite bool
	alone     bool
	parts     []writePart
	size      int // bytes charged to the budget
	charged   *serverBudget

	id     int64
	seq    int32
	bytes  []byte
	pinned bool // being encoded from what its ops point to

	state   batchState
	split   bool   // refused: its ops are to be tried alone
	empty   bool   // given up: bytes is an empty batch, made by fence
	due     bool   // to be sent again
	flying  bool   // a copy is on its way
	attempt int    // number of that copy, or of the last
	copies  int    // that may have left the machine
	lost    int    // of these, without an answer to come
	dirty   bool   // a copy was answered in a way that leaves open whether it was stored
	minus   bool   // the last answer was -1
	unready leader // leader that answered 12, for as long as copies go to it only
	checked bool   // unready is set

	code  int32     // last answer; 0: none
	last  error     // the same as an error, or why there is none
	term0 writeTerm // of the first copy
	term  writeTerm // of the last

	expires    time.Time // WriteTimeout after the first copy; zero: none left
	prev, succ *writeBatch
}

// writePart is the rows of one op in a batch. op is nil once its caller left.
type writePart struct {
	op    *WriteOp
	count int
}

// forget takes an op that nobody waits for out of the batch. Its rows stay in it.
func (t *writeBatch) forget(op *WriteOp) {
	for i := range t.parts {
		if t.parts[i].op == op {
			t.parts[i].op = nil
		}
	}
}

// watched counts the ops that somebody waits for.
func (t *writeBatch) watched() int {
	n := 0
	for i := range t.parts {
		if t.parts[i].op != nil {
			n++
		}
	}
	return n
}

// clean reports whether each copy was answered with something that rules out that this copy was stored.
func (t *writeBatch) clean() bool { return t.lost == 0 && !t.flying && !t.dirty && !t.minus }

// provenAbsent is clean for good: neither is any answer 12, which may also come after the append.
func (t *writeBatch) provenAbsent() bool {
	return t.state == batchOpen && t.copies > 0 && t.clean() && !t.checked
}

// joins reports whether op may share a batch with first.
func joins(first, op *WriteOp) bool {
	return !op.at.alone && op.at.ready == nil && op.Overwrite == first.Overwrite &&
		(op.Table == first.Table || op.Table.Schema.ID == first.Table.Schema.ID) && slices.Equal(op.Target, first.Target)
}

// encode makes the batch's bytes. It returns the ops whose rows the format cannot hold; without them the batch
// is to be encoded again. Called without the lock, while pinned.
func (t *writeBatch) encode(w *writer) (bad []*WriteOp) {
	if t.bucket.kv {
		t.bytes = t.encodeKV()
		return nil
	}
	if op := t.parts[0].op; len(t.parts) == 1 && op.at.ready != nil {
		t.bytes = slices.Clone(op.at.ready) // the op may need it once more, behind a hole
		stampLog(t.bytes, t.id, t.seq)
		return nil
	}
	enc, err := w.encoder(t.table)
	if err != nil {
		return t.fail(err)
	}
	defer w.encoderDone(t.table, enc)
	enc.Reset()
	for i := range t.parts {
		if op := t.parts[i].op; !appendRows(enc, op) {
			bad = append(bad, op)
		}
	}
	if bad == nil {
		t.bytes = enc.Finish(nil, record.LogHeader{WriterID: t.id, Sequence: t.seq, LeaderEpoch: -1})
	}
	return bad
}

// fail marks all ops with err and returns them.
func (t *writeBatch) fail(err error) []*WriteOp {
	var all []*WriteOp
	for i := range t.parts {
		t.parts[i].op.Err = err
		all = append(all, t.parts[i].op)
	}
	return all
}

func (t *writeBatch) encodeKV() []byte {
	h := record.KVHeader{SchemaID: int16(t.table.Schema.ID), WriterID: t.id, Sequence: t.seq}
	records := t.parts[0].op.Records
	h.Count = int32(t.parts[0].count)
	if len(t.parts) > 1 {
		all := make([]byte, 0, t.size)
		h.Count = 0
		for i := range t.parts {
			all = append(all, t.parts[i].op.Records...)
			h.Count += int32(t.parts[i].count)
		}
		records = all
	}
	return record.AppendKVBatch(make([]byte, 0, len(records)+kvHeader), h, records)
}

const kvHeader = 32 // room for the header of a kv batch, rounded up

// fence makes the batch empty: the same writer id and sequence, no rows. Key tables only.
func (t *writeBatch) fence() {
	t.empty = true
	t.bytes = record.AppendKVBatch(nil, record.KVHeader{SchemaID: int16(t.table.Schema.ID), WriterID: t.id, Sequence: t.seq}, nil)
}

// appendRows encodes the rows of an op. On a value that the format cannot hold it sets op.Err.
func appendRows(enc *record.LogEncoder, op *WriteOp) bool {
	width := len(op.Rows) / op.Count
	for i := range op.Count {
		if err := enc.Append(op.Rows[i*width : (i+1)*width]); err != nil {
			op.Err = err
			return false
		}
	}
	return true
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// stampLog sets writer id and sequence in the header of a log batch of magic 0, and the CRC over both
// (record.LogBatch has the layout: CRC at 21 of everything from 25 on, writer id at 32, sequence at 40).
func stampLog(b []byte, id int64, seq int32) {
	le := binary.LittleEndian
	le.PutUint64(b[32:], uint64(id))
	le.PutUint32(b[40:], uint32(seq))
	le.PutUint32(b[21:], crc32.Checksum(b[25:], castagnoli))
}

// encoderPool keeps the log encoders of one table. They are expensive to make and not for sharing.
type encoderPool struct {
	table *catalog.Table

	mu   sync.Mutex
	free []*record.LogEncoder
}

const maxFreeEncoders = 4

func (w *writer) encoders(t *catalog.Table) *encoderPool {
	w.mu.Lock()
	defer w.mu.Unlock()
	p := w.tables[t.Path]
	if p == nil || p.table != t { // a table has one current pointer
		p = &encoderPool{table: t}
		w.tables[t.Path] = p
	}
	return p
}

// encoder takes an encoder out of the table's pool. Called without the lock.
func (w *writer) encoder(t *catalog.Table) (*record.LogEncoder, error) {
	p := w.encoders(t)
	p.mu.Lock()
	if n := len(p.free); n > 0 {
		enc := p.free[n-1]
		p.free = p.free[:n-1]
		p.mu.Unlock()
		return enc, nil
	}
	p.mu.Unlock()
	return record.NewLogEncoder(t)
}

func (w *writer) encoderDone(t *catalog.Table, enc *record.LogEncoder) {
	p := w.encoders(t)
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.free) < maxFreeEncoders {
		p.free = append(p.free, enc)
	}
}
