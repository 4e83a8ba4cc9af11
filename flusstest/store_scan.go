package flusstest

import (
	"bytes"

	"github.com/gofluss/fluss/internal/record"
)

// inOrder runs f while the keys are in order and nothing changes.
func (b *bucketStore) inOrder(f func()) {
	b.mu.RLock()
	if b.rows.order.dirty() {
		b.mu.RUnlock()
		b.mu.Lock()
		defer b.mu.Unlock()
		b.rows.updateOrder()
	} else {
		defer b.mu.RUnlock()
	}
	f()
}

// prefix returns the values of the keys that start with key, in the order of the keys' bytes.
func (b *bucketStore) prefix(key []byte) [][]byte {
	var values [][]byte
	b.inOrder(func() {
		b.rows.scan(key, func(k, value []byte) bool {
			if !bytes.HasPrefix(k, key) {
				return false
			}
			values = append(values, value)
			return true
		})
	})
	return values
}

// limitScan answers LIMIT_SCAN: for a key table a value batch of the first limit rows in the order of the keys'
// bytes; for a log table (isLog) whole log batches from the one that holds the offset limit before the end.
func (b *bucketStore) limitScan(limit int) (records []byte, isLog bool, err error) {
	if b.rows == nil {
		records, err = b.tail(limit)
		return records, true, err
	}
	var body []byte
	count := 0
	b.inOrder(func() {
		if limit <= 0 {
			return
		}
		size := 0
		if limit >= b.rows.live { // everything: the size is known
			size = b.rows.used - b.rows.dead + 4*b.rows.live
		}
		body = make([]byte, 0, size)
		b.rows.scan(nil, func(_, value []byte) bool {
			body = appendValueRecord(body, value)
			count++
			return count < limit
		})
	})
	return record.AppendValueBatch(make([]byte, 0, len(body)+16), int32(count), body), false, nil
}

func appendValueRecord(dst, value []byte) []byte {
	id, row, _ := record.ReadValue(value) // every stored value has a schema id
	return record.AppendValueRecord(dst, id, row)
}

func (b *bucketStore) tail(limit int) ([]byte, error) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	from := max(b.log.start, b.log.end-int64(limit))
	if from > b.log.end {
		return nil, b.outOfRange(from)
	}
	i := b.log.find(from)
	if i == len(b.log.batches) {
		return nil, nil
	}
	return b.log.read(i, int(b.log.size)), nil
}
