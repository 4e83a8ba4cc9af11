package flusstest

import (
	"errors"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/wire"
)

// storeTarget is one bucket of one table, in a bucketStore or on a real server: what is said of the store below runs
// on both. FLUSS_BOOTSTRAP=host:port,... picks the real one. Refusals are a *storeError either way.
type storeTarget interface {
	table() *catalog.Table // at the latest schema
	schema(id int) *catalog.Schema
	addColumn(c catalog.Column)

	put(batch []byte, target []int32, overwrite bool) (logEnd int64, err error)
	produce(records []byte) (base int64, err error)
	lookup(keys [][]byte) (values [][]byte, err error)
	insert(keys [][]byte) (values [][]byte, err error)
	prefix(key []byte) ([][]byte, error)
	limitScan(limit int) ([]byte, error)
	fetch(offset int64, maxBytes int, projection []int32) (records []byte, highWatermark int64, err error)
	offset(kind int32, millis int64) (int64, error)
	stats() (int64, error)
}

// The kinds of LIST_OFFSETS.
const (
	listEarliest int32 = iota
	listLatest
	listTimestamp
)

// newTarget makes a table of one bucket.
func newTarget(t testing.TB, d catalog.Descriptor) storeTarget {
	t.Helper()
	d.BucketCount = 1
	d.Schema.AssignIDs()
	for i := range d.Schema.Columns {
		for _, k := range d.Schema.PrimaryKey {
			if d.Schema.Columns[i].Name == k {
				d.Schema.Columns[i].Type.NotNull = true
			}
		}
	}
	if list := os.Getenv("FLUSS_BOOTSTRAP"); list != "" {
		return newRealTarget(t, strings.Split(list, ","), d)
	}
	return newMemoryTarget(t, d)
}

// memoryTarget is a bucketStore without a server around it.
type memoryTarget struct {
	store    *bucketStore
	versions *versions
	numbers  numbers
	counter  int64
	clock    func() time.Time
}

// versions is a schemaSource.
type versions struct {
	mu   sync.Mutex
	base *catalog.Table
	list []*catalog.Schema
}

func (v *versions) latest() *catalog.Schema {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.list[len(v.list)-1]
}

func (v *versions) byID(id int) *catalog.Schema {
	v.mu.Lock()
	defer v.mu.Unlock()
	if id < 1 || id > len(v.list) {
		return nil
	}
	return v.list[id-1]
}

func (v *versions) add(c catalog.Column) {
	v.mu.Lock()
	defer v.mu.Unlock()
	s := *v.list[len(v.list)-1]
	s.ID++
	s.HighestFieldID++
	c.ID = s.HighestFieldID
	s.Columns = append(append([]catalog.Column(nil), s.Columns...), c)
	v.list = append(v.list, &s)
}

func newMemoryTarget(t testing.TB, d catalog.Descriptor) *memoryTarget {
	t.Helper()
	d.Schema.ID = 1
	if d.Properties == nil {
		d.Properties = map[string]string{}
	}
	table, err := catalog.NewTable(catalog.TablePath{Database: "fs_db", Table: "t"}, 7, d)
	if err != nil {
		t.Fatal(err)
	}
	m := &memoryTarget{versions: &versions{base: table, list: []*catalog.Schema{d.Schema}}, clock: time.Now}
	m.numbers = numbers{size: 100000, block: func(size int64) int64 {
		m.counter += size
		return m.counter - size + 1
	}}
	m.store = newBucketStore(table, m.versions, func() time.Time { return m.clock() })
	return m
}

func (m *memoryTarget) table() *catalog.Table {
	t := *m.versions.base
	t.Schema = m.versions.latest()
	return &t
}

func (m *memoryTarget) schema(id int) *catalog.Schema { return m.versions.byID(id) }
func (m *memoryTarget) addColumn(c catalog.Column)    { m.versions.add(c) }

func (m *memoryTarget) put(batch []byte, target []int32, overwrite bool) (int64, error) {
	return m.store.putKV(batch, target, overwrite, m.numbers.take)
}

func (m *memoryTarget) produce(records []byte) (int64, error) { return m.store.produceLog(records) }

func (m *memoryTarget) lookup(keys [][]byte) ([][]byte, error) {
	return m.store.lookups(nil, keys), nil
}

func (m *memoryTarget) insert(keys [][]byte) ([][]byte, error) {
	return m.store.insertIfNotExists(keys, m.numbers.take)
}

func (m *memoryTarget) prefix(key []byte) ([][]byte, error) { return m.store.prefix(key), nil }

func (m *memoryTarget) limitScan(limit int) ([]byte, error) {
	records, _, err := m.store.limitScan(limit)
	return records, err
}

func (m *memoryTarget) fetch(offset int64, maxBytes int, projection []int32) ([]byte, int64, error) {
	return m.store.fetch(offset, maxBytes, true, projection)
}

func (m *memoryTarget) offset(kind int32, millis int64) (int64, error) {
	switch kind {
	case listEarliest:
		return m.store.earliest(), nil
	case listLatest:
		return m.store.logEnd(), nil
	}
	return m.store.offsetAt(millis)
}

func (m *memoryTarget) stats() (int64, error) { return m.store.rowCount() }

// code is the error code of a refusal, 0 without one.
func code(t testing.TB, err error) wire.ErrorCode {
	t.Helper()
	if err == nil {
		return 0
	}
	e, ok := errors.AsType[*storeError](err)
	if !ok {
		t.Fatalf("not a storeError: %T %v", err, err)
	}
	return e.code
}
