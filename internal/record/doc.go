// Package record reads and writes the batches in which rows travel: kv batches (PUT_KV), value batches (answers
// of LIMIT_SCAN on key tables) and log batches (PRODUCE_LOG, FETCH_LOG, remote log segments).
//
// All integers are little-endian, all checksums CRC-32C. The layouts stand where the bytes are made: AppendKVBatch,
// AppendKVRecord, AppendValueBatch, LogBatch, rowPayload (INDEXED and COMPACTED logs), message (ARROW logs), field
// (which Fluss type is which Arrow type).
//
// # Log batches
//
// NextLogBatch walks over an answer, batch by batch; ErrTruncated ends most walks, because a fetch is cut without
// regard to batch borders. Nothing but the header is read until a LogDecoder is given the batch. A decoder belongs to
// one table, one schema id (the batch names it) and one projection:
//
//	header 48 (magic 0) or 52 (magic 1)
//	change types, one byte a record; absent in append-only batches and INDEXED and COMPACTED logs
//	payload: one Arrow message, or records; absent in a batch without records
//
// An ARROW payload is one encapsulated RecordBatch message: no schema in front, no end of stream behind. The package
// has its own reader and writer for that one message. Columns are Vectors over the bytes of the batch or of the
// decompressed buffers; all offsets, lengths and sizes are checked while decoding, once, so that a damaged batch is a
// *CorruptError there and reading values afterwards cannot fail. What a batch may take uncompressed is limited by
// LogDecoder.MaxBytes, and claims are compared with what the type, the number of rows and the codec make possible
// before anything is allocated.
//
// A LogEncoder collects rows in the very bytes that go into the batch, and Finish copies or compresses them behind a
// ready-made header of the message in which only numbers change.
//
// # Ownership
//
// KVBatch, ValueBatch and LogBatch alias the bytes they were read from. A LogRows and all Vectors and Datums of it
// alias the batch and the decoder's memory, and are valid until the decoder's next Decode; lists of nested values are
// never reused, the bytes in them are. Encoders keep no reference to a row after Append has returned. Encoders and
// decoders serve one goroutine at a time; compression state is shared between all of them in pools.
package record
