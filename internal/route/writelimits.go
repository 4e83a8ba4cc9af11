package route

import (
	"encoding/binary"
	"fmt"
	"unsafe"

	"github.com/gofluss/fluss/internal/record"
	"github.com/gofluss/fluss/internal/row"
)

const (
	// maxWriteBytes is what one batch may take: the server's frame limit of 100 MiB less the request around it.
	maxWriteBytes = 100<<20 - 4<<10
	// answerHead is what an answer with one row may take beside the row.
	answerHead = 1 << 10
	// batchBytes is where a batch of several ops ends.
	batchBytes = 1 << 20
	// frameBytes is where a frame of several batches ends.
	frameBytes = 8 << 20
	// aheadBytes is from where on an op of a log table is encoded by its own caller, in a batch of its own.
	aheadBytes = 64 << 10
)

// RowTooLargeError refuses a write before anything of it is sent.
type RowTooLargeError struct {
	What  string // "a row", "the rows of a bucket"
	Size  int    // bytes
	Limit int
	Why   string // what the limit comes from
}

func (e *RowTooLargeError) Error() string {
	return fmt.Sprintf("%s of %d bytes: the limit is %d (%s)", e.What, e.Size, e.Limit, e.Why)
}

// prepareOps measures the ops of one Write, checks them against the limits, and encodes the big ones of log
// tables. When one is refused all are: nothing of the statement is sent.
func (w *writer) prepareOps(ops []*WriteOp) error {
	for _, op := range ops {
		op.at.ready = nil
		op.Err = nil
		err := w.measure(op)
		if err == nil && op.Batch == nil && op.at.size >= aheadBytes && !op.Table.IsKeyTable() {
			err = w.encodeAhead(op)
		}
		if err != nil {
			return refuseAll(ops, err)
		}
	}
	return nil
}

func (w *writer) measure(op *WriteOp) error {
	if op.Batch != nil {
		op.at.ready = op.Batch
		return w.checkReady(op)
	}
	if !op.Table.IsKeyTable() {
		op.at.size = rowsSize(op.Rows)
		return nil // what it takes in a batch is known when it is encoded
	}
	op.at.size = len(op.Records)
	if limit := w.cfg.maxResponse - answerHead; op.at.size > limit {
		if size := largestRecord(op.Records); size > limit {
			return &RowTooLargeError{What: "a row", Size: size, Limit: limit, Why: "max_response_bytes: it could not be read back"}
		}
	}
	return checkBatchSize(op.at.size)
}

func checkBatchSize(n int) error {
	if n > maxWriteBytes {
		return &RowTooLargeError{What: "a batch", Size: n, Limit: maxWriteBytes, Why: "the server's largest frame"}
	}
	return nil
}

// encodeAhead encodes the op's rows in the caller's goroutine. Writer id and sequence are stamped on when sealed.
func (w *writer) encodeAhead(op *WriteOp) error {
	enc, err := w.encoder(op.Table)
	if err != nil {
		return err
	}
	defer w.encoderDone(op.Table, enc)
	enc.Reset()
	if !appendRows(enc, op) {
		return op.Err
	}
	op.at.ready = enc.Finish(nil, record.LogHeader{WriterID: -1, Sequence: -1, LeaderEpoch: -1})
	return w.checkReady(op)
}

// checkReady measures an op whose batch is made already.
func (w *writer) checkReady(op *WriteOp) error {
	op.at.size = len(op.at.ready)
	if limit := w.cfg.maxResponse - answerHead; op.Count == 1 && op.at.size > limit {
		return &RowTooLargeError{What: "a row", Size: op.at.size, Limit: limit, Why: "max_response_bytes: it could not be read back"}
	}
	return checkBatchSize(op.at.size)
}

// rowsSize estimates what rows take in a batch: what is not in B or L takes at most a Datum's own number.
func rowsSize(rows []row.Datum) int {
	n := len(rows) * int(unsafe.Sizeof(int64(0)))
	for i := range rows {
		n += len(rows[i].B)
		if rows[i].L != nil {
			n += rowsSize(rows[i].L)
		}
	}
	return n
}

// largestRecord returns the length of the largest of the records of a kv batch.
func largestRecord(b []byte) int {
	largest := 0
	for len(b) >= 4 {
		n := 4 + int(binary.LittleEndian.Uint32(b))
		if n < 4 || n > len(b) {
			return len(b)
		}
		largest = max(largest, n)
		b = b[n:]
	}
	return largest
}
