package route

import (
	"errors"
	"slices"
	"time"

	"github.com/gofluss/fluss/internal/wire"
)

// writeConn is what the writer needs of a *wire.Conn.
type writeConn interface {
	Start(key wire.APIKey, timeout time.Duration, enc func(dst []byte) []byte, h wire.Handler)
	Err() error
	Addr() string
}

// writeFrame is one request: a batch for each of some buckets of a table, all with the same target columns and
// merge mode. It is the wire.Handler of its answer.
type writeFrame struct {
	w       *writer
	ln      *writeLane
	resend  bool
	batches []flyingBatch
	records []wire.RecordsBucket
	size    int
	callers int       // whose rows are in it
	number  uint64    // to count each caller once
	sent    time.Time // unless it is a resend
}

// flyingBatch is one copy of a batch.
type flyingBatch struct {
	t       *writeBatch
	attempt int
}

// takes reports whether the next batch of a bucket, size bytes that start with op, fits in.
func (f *writeFrame) takes(op *WriteOp, size int) bool {
	if len(f.batches) == 0 {
		return true
	}
	t := f.batches[0].t
	return f.size+size <= frameBytes && op.Overwrite == t.overwrite && slices.Equal(op.Target, t.target)
}

// add puts a copy of a batch in; from here on it counts as flying.
func (f *writeFrame) add(t *writeBatch) {
	b := t.bucket
	t.term = writeTerm{leader: b.leader, conn: f.ln.conn}
	if t.copies == 0 {
		t.term0 = t.term
		f.w.expiry.add(f.w, t)
	}
	if t.checked && t.unready != b.leader {
		t.dirty = true // who answered 12 may have stored it before it lost the lead
	}
	t.copies++
	t.attempt++
	t.flying, t.due = true, false
	b.flying++
	f.batches = append(f.batches, flyingBatch{t, t.attempt})
	if f.resend {
		f.record(t)
	}
	f.size += t.size
	for i := range t.parts {
		if op := t.parts[i].op; op != nil && op.at.wait.frame != f.number {
			op.at.wait.frame = f.number
			f.callers++
		}
	}
}

// send encodes what is new in the frame and hands it to the connection. Called by the lane's sender, without
// the lock.
func (f *writeFrame) send() {
	if !f.resend {
		f.encode()
	}
	if len(f.batches) == 0 {
		f.w.mu.Lock()
		f.ln.flying--
		f.w.mu.Unlock()
		return
	}
	f.ln.conn.Start(f.api(), f.w.cfg.requestTimeout, f.append, f)
}

// record puts a batch's bytes in the request.
func (f *writeFrame) record(t *writeBatch) {
	key := t.bucket.key
	f.records = append(f.records, wire.RecordsBucket{Partition: key.PartitionID, Bucket: key.ID, Records: t.bytes})
}

func (f *writeFrame) kv() bool { return f.batches[0].t.bucket.kv }

func (f *writeFrame) api() wire.APIKey {
	if f.kv() {
		return wire.APIPutKV
	}
	return wire.APIProduceLog
}

// append appends the request.
func (f *writeFrame) append(dst []byte) []byte {
	t := f.batches[0].t
	acks, timeout := f.w.cfg.acks, int32(f.w.cfg.requestTimeout/time.Millisecond)
	if !f.kv() {
		return wire.AppendProduceLogRequest(dst, acks, f.ln.key.table, timeout, f.records)
	}
	mode := int32(-1)
	if t.overwrite {
		mode = 1
	}
	return wire.AppendPutKVRequest(dst, acks, f.ln.key.table, timeout, t.target, mode, f.records)
}

// encode makes the bytes of the frame's batches. Rows that their format cannot hold drop out, and so does a
// batch that is left without any: its sequence was not used.
func (f *writeFrame) encode() {
	kept := f.batches[:0]
	for _, p := range f.batches {
		bad := p.t.encode(f.w)
		for bad != nil && f.w.dropBad(p.t, bad) {
			bad = p.t.encode(f.w)
		}
		if len(p.t.parts) > 0 {
			kept = append(kept, p)
		}
	}
	f.w.mu.Lock()
	f.batches = kept
	for _, p := range kept {
		p.t.pinned = false
		f.record(p.t)
	}
	f.w.unpinned.Broadcast()
	f.w.mu.Unlock()
}

// dropBad refuses ops whose rows could not be encoded. It reports whether the batch has others. A batch without
// is undone: nobody seals for the bucket meanwhile, so that it still is the last.
func (w *writer) dropBad(t *writeBatch, bad []*WriteOp) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	b := t.bucket
	t.parts = slices.DeleteFunc(t.parts, func(p writePart) bool { return slices.Contains(bad, p.op) })
	for _, op := range bad {
		b.live--
		w.finish(op, NotStored, -1, op.Err)
	}
	if len(t.parts) > 0 {
		return true
	}
	t.flying, t.pinned = false, false
	b.flying--
	b.remove(t)
	b.next = t.seq
	w.drop(t)
	if b.halt && b.flying == 0 {
		w.settle(b)
	} else {
		w.stir(b)
	}
	return false
}

// Answered takes the answer to the frame, or the reason why there is none.
func (f *writeFrame) Answered(body []byte, err error) {
	verdicts := make([]verdict, len(f.batches))
	if err == nil {
		err = f.read(verdicts, body)
	}
	w := f.w
	if is[*wire.SilenceError](err) {
		w.cluster.silent(f.ln.server, f.ln.conn, err)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for i := range f.batches {
		v := verdicts[i]
		if err != nil {
			v = verdictOf(err)
		}
		w.answer(f.batches[i], v)
	}
	if !f.resend {
		f.ln.flying--
		f.ln.took = time.Since(f.sent)
		f.gather()
	}
	w.kick(f.ln)
	w.run()
}

// gather waits for the callers of an answered frame to come back, if that seems worth it. The lock is held on
// entry and on return.
func (f *writeFrame) gather() {
	ln := f.ln
	if ln.flying > 0 || f.w.closing || !ln.gather.begin(f.callers) {
		return
	}
	f.w.mu.Unlock()
	all := ln.gather.wait(min(ln.took/4, writeGatherTime))
	f.w.mu.Lock()
	if !all {
		ln.gather.giveUp()
	}
}

// errUnnamed is a bucket that the answer does not mention.
var errUnnamed = errors.New("the answer leaves the bucket out")

// read matches the entries of an answer, which come in any order, with the frame's batches.
func (f *writeFrame) read(verdicts []verdict, body []byte) error {
	for i := range verdicts {
		verdicts[i] = verdict{kind: answerLost, err: errUnnamed}
	}
	api, addr := f.api(), f.ln.conn.Addr()
	at := 0
	entry := func(s *wire.BucketStatus, offset int64, stored bool) {
		i := f.find(s.Partition, s.Bucket, at)
		if i < 0 {
			return
		}
		at = i + 1
		switch {
		case s.Code != wire.CodeNone:
			verdicts[i] = verdict{kind: answerCode, code: s.Code, err: s.Err(api, addr)}
		case stored:
			verdicts[i] = verdict{kind: answerStored, offset: offset}
		default:
			verdicts[i] = verdict{kind: answerFinal, err: errNothingStored}
		}
	}
	if f.kv() {
		results, err := wire.ParsePutKVResponse(nil, body)
		for i := range results {
			entry(&results[i].BucketStatus, results[i].LogEndOffset, true)
		}
		return err
	}
	results, err := wire.ParseProduceLogResponse(nil, body)
	for i := range results {
		entry(&results[i].BucketStatus, results[i].BaseOffset, results[i].BaseOffset >= 0)
	}
	return err
}

// find returns the index of a bucket's batch, looking from index hint on first: mostly the order is the same.
func (f *writeFrame) find(partition int64, bucket int32, hint int) int {
	for n := range f.batches {
		i := (hint + n) % len(f.batches)
		if key := f.batches[i].t.bucket.key; key.ID == bucket && (key.PartitionID == partition || key.PartitionID < 0 && partition < 0) {
			return i
		}
	}
	return -1
}

// errNothingStored is a success that names no offset (base_offset -1).
var errNothingStored = errors.New("the server acknowledged the batch without storing it (base offset -1)")
