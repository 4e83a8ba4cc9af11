package flusstest

import (
	"fmt"
	"sync"
	"time"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/wire"
)

// storeError is a refusal with the code that goes into a bucket's entry of an answer.
type storeError struct {
	code    wire.ErrorCode
	message string
}

func (e *storeError) Error() string { return e.message }

func refusef(code wire.ErrorCode, format string, args ...any) *storeError {
	return &storeError{code: code, message: fmt.Sprintf(format, args...)}
}

// brokenf is what the real server answers where Java code met what it did not expect: code -1 and a stack trace, of
// which class is the exception's name.
func brokenf(class, format string, args ...any) *storeError {
	message := class
	if format != "" {
		message += ": " + fmt.Sprintf(format, args...)
	}
	return &storeError{code: wire.CodeUnknownServerError, message: message}
}

// Classes of exceptions that are met often.
const (
	indexOutOfBounds     = "java.lang.IndexOutOfBoundsException"
	nullPointerException = "java.lang.NullPointerException"
	illegalArgument      = "java.lang.IllegalArgumentException"
	illegalState         = "java.lang.IllegalStateException"
	flussRuntime         = "org.apache.fluss.exception.FlussRuntimeException"
	unsupportedOperation = "java.lang.UnsupportedOperationException"
)

// schemaSource tells the versions of one table's schema. It is safe for concurrent use, and a version is always the
// same pointer.
type schemaSource interface {
	latest() *catalog.Schema
	byID(id int) *catalog.Schema // nil: not known
}

// bucketStore is the data of one bucket: its log, the state of its writers and, for a key table, its rows. It is safe
// for concurrent use. Bytes that it hands out are never changed afterwards.
//
// One lock guards everything; it is held while a batch is applied, so that a batch is seen as a whole or not at all.
type bucketStore struct {
	table   *catalog.Table
	schemas schemaSource
	now     func() time.Time

	mu       sync.RWMutex
	log      storeLog
	writers  storeWriters
	rows     *storeRows // nil for a log table
	rowsLive int64      // what GET_TABLE_STATS counts
	put      putScratch

	shapes     shapeCache
	projectors projectorCache
}

// newBucketStore returns an empty bucket of the table. now is asked for commit timestamps.
func newBucketStore(t *catalog.Table, schemas schemaSource, now func() time.Time) *bucketStore {
	b := &bucketStore{table: t, schemas: schemas, now: now}
	if t.IsKeyTable() {
		b.rows = newStoreRows()
	}
	return b
}

// earliest is the first offset that the log holds.
func (b *bucketStore) earliest() int64 {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return b.log.start
}

// logEnd is the offset that the next record gets. With a single copy of the log it is the high watermark too.
func (b *bucketStore) logEnd() int64 {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return b.log.end
}

// offsetAt answers LIST_OFFSETS by timestamp: the first offset whose batch is not older than millis; the end when all
// are older; code 38 when millis lies in the future; code -1 for a negative one while the log is empty.
func (b *bucketStore) offsetAt(millis int64) (offset int64, err error) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	if now := b.now().UnixMilli(); millis > now {
		return 0, refusef(wire.CodeInvalidTimestamp,
			"Get offset error for table bucket of %s, the fetch timestamp %d is larger than the current timestamp %d",
			b.table.Path, millis, now)
	}
	if len(b.log.batches) == 0 && millis < 0 {
		return 0, brokenf(illegalState, "No offset found for timestamp %d", millis)
	}
	return b.log.offsetAt(millis), nil
}

// rowCount answers GET_TABLE_STATS: live rows of a key table, held offsets of a log table. A key table whose change
// log has no old images does not count: code 15.
func (b *bucketStore) rowCount() (rows int64, err error) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	switch {
	case b.rows == nil:
		return b.log.end - b.log.start, nil
	case b.table.ChangelogImage == imageWAL:
		return 0, refusef(wire.CodeInvalidTable, "Row count is disabled for this table '%s'. This usually happens when "+
			"the table iscreated before v0.9 or the changelog image is set to WAL, as maintaining row count in WAL mode is "+
			"costly and not necessary for most use cases. If you want to enable row count, please set changelog image to FULL.",
			b.table.Path)
	}
	return b.rowsLive, nil
}

// lookup returns schema id and row of a key, nil when there is none.
func (b *bucketStore) lookup(key []byte) []byte {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return b.rows.get(key)
}

// lookups appends the values of keys in their order, nil where there is none, as of one moment.
func (b *bucketStore) lookups(dst [][]byte, keys [][]byte) [][]byte {
	b.mu.RLock()
	defer b.mu.RUnlock()
	for _, key := range keys {
		dst = append(dst, b.rows.get(key))
	}
	return dst
}

// grown returns a channel that is closed as soon as the log ends behind offset, at once when it does already.
func (b *bucketStore) grown(offset int64) <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.log.grown(offset)
}
