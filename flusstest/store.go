package flusstest

import (
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

// schemaSource tells the versions of one table's schema. It is safe for concurrent use.
type schemaSource interface {
	latest() *catalog.Schema
	byID(id int) *catalog.Schema // nil: not known
}

// bucketStore is the data of one bucket.
type bucketStore struct {
	mu sync.RWMutex
}

func newBucketStore(t *catalog.Table, schemas schemaSource, now func() time.Time) *bucketStore {
	return &bucketStore{}
}

// putKV applies the first kv batch in batch. nextAutoIncrement may be nil where the table has no such column.
func (b *bucketStore) putKV(batch []byte, target []int32, overwrite bool, nextAutoIncrement func() int64) (logEnd int64, err error) {
	return 0, nil
}

// produceLog appends log batches; -1 when nothing was stored.
func (b *bucketStore) produceLog(batch []byte) (baseOffset int64, err error) { return 0, nil }

// lookup returns schema id and row of a key, nil when there is none. The bytes are never changed.
func (b *bucketStore) lookup(key []byte) []byte { return nil }

// prefix returns the values of the keys that start with key, in key order.
func (b *bucketStore) prefix(key []byte) [][]byte { return nil }

// limitScan returns a value batch (key tables) or log batches (isLog).
func (b *bucketStore) limitScan(limit int) (records []byte, isLog bool, err error) {
	return nil, false, nil
}

// insertIfNotExists returns the values of keys in order, after inserting those that are not there.
func (b *bucketStore) insertIfNotExists(keys [][]byte, nextAutoIncrement func() int64) (values [][]byte, err error) {
	return nil, nil
}

// fetch returns batches from offset on. offset -2: earliest. first: the first batch comes whole.
func (b *bucketStore) fetch(offset int64, maxBytes int, first bool, projection []int32) (records []byte, highWatermark int64, err error) {
	return nil, 0, nil
}

// grown returns a channel that is closed when the log has grown beyond offset.
func (b *bucketStore) grown(offset int64) <-chan struct{} { return nil }

func (b *bucketStore) earliest() int64                              { return 0 }
func (b *bucketStore) logEnd() int64                                { return 0 }
func (b *bucketStore) offsetAt(millis int64) (offset int64, err error) { return 0, nil }

// rowCount answers GET_TABLE_STATS.
func (b *bucketStore) rowCount() (rows int64, err error) { return 0, nil }
