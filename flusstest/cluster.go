package flusstest

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/wire"
)

// cluster is what the coordinator knows: databases, tables, partitions, and who leads each bucket. One lock guards it
// all; the data of a bucket has its own.
type cluster struct {
	srv *Server

	mu            sync.RWMutex
	databases     map[string]*database
	tables        map[catalog.TablePath]*table
	tablesByID    map[int64]*table
	buckets       map[catalog.Bucket]*bucket
	nextTable     int64
	nextPartition int64
	nextWriter    int64
	nextLeader    int  // where the next table's first leader goes
	stale         *old // set while metadata is stale
	configs       map[string]string
	tags          map[int32]int32 // of tablet servers
	rebalanceID   string          // of the last one
	killed        map[int32]bool  // tablet servers of which the cluster does not know yet that they are dead
}

// database is one database. Its descriptor is never changed.
type database struct {
	descriptor catalog.Database
	created    int64 // milliseconds
}

// table is one incarnation of a table: a table created again under the same name is another one.
type table struct {
	path catalog.TablePath
	id   int64
	made *catalog.Table // as it was created; formats and keys never change
	auto autoIncrement

	// Replaced, never changed, under the cluster's lock.
	now        *catalog.Table
	versions   []*catalog.Schema // by schema id - 1
	partitions map[string]*partition

	mu sync.RWMutex // guards versions for schemaSource
}

// partition is one partition of a table.
type partition struct {
	id    int64
	name  string // the values joined by '$'
	table *table
}

// bucket is a bucket with its data and its leader.
type bucket struct {
	key     catalog.Bucket
	table   *table
	store   *bucketStore
	wakes   bool         // new data ends the wait of a fetch: there is more than one replica
	numbers numbers      // for the store, under its lock
	took    atomic.Int64 // where the log ended when the leader became the leader

	// Under the cluster's lock.
	replicas []int32 // replaced, never changed
	leader   int32   // tablet server id, or noLeader
	epoch    int32
	due      time.Time // no leader before; the zero time: at once
}

const noLeader int32 = -1

const defaultDatabase = "fluss"

func newCluster(s *Server) *cluster {
	c := &cluster{
		srv:        s,
		databases:  map[string]*database{},
		tables:     map[catalog.TablePath]*table{},
		tablesByID: map[int64]*table{},
		buckets:    map[catalog.Bucket]*bucket{},
		configs:    map[string]string{},
		tags:       map[int32]int32{},
		killed:     map[int32]bool{},
	}
	c.databases[defaultDatabase] = &database{created: c.millis()}
	return c
}

// millis is the server's time in milliseconds.
func (c *cluster) millis() int64 { return c.srv.now().UnixMilli() }

func (t *table) isKeyTable() bool { return t.made.IsKeyTable() }

// latest and byID make a table the source of its own schemas for its buckets.
func (t *table) latest() *catalog.Schema {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.versions[len(t.versions)-1]
}

func (t *table) byID(id int) *catalog.Schema {
	t.mu.RLock()
	defer t.mu.RUnlock()
	if id < 1 || id > len(t.versions) {
		return nil
	}
	return t.versions[id-1]
}

// addBuckets makes the buckets of a table or partition and spreads their leaders over the running tablet servers.
func (c *cluster) addBuckets(t *table, partitionID int64) {
	live := c.liveTablets()
	for id := range t.now.BucketCount {
		b := &bucket{key: catalog.Bucket{TableID: t.id, PartitionID: partitionID, ID: int32(id)}, table: t}
		for r := range replicasOf(&t.now.Descriptor) {
			b.replicas = append(b.replicas, live[(c.nextLeader+r)%len(live)])
		}
		c.nextLeader++
		b.leader, b.wakes = b.replicas[0], len(b.replicas) > 1
		if d := c.srv.opt.electing; d > 0 {
			b.due = time.Now().Add(d)
		}
		b.numbers = numbers{block: t.auto.block, size: int64(settings(t.now.Properties).number(cacheProperty, 100000))}
		b.store = newBucketStore(t.now, t, c.srv.now)
		c.buckets[b.key] = b
	}
}

func (c *cluster) dropBuckets(keep func(catalog.Bucket) bool) {
	for key := range c.buckets {
		if !keep(key) {
			delete(c.buckets, key)
		}
	}
}

// liveTablets returns the ids of the tablet servers that run, as far as the cluster knows.
func (c *cluster) liveTablets() []int32 {
	var live []int32
	for _, n := range c.srv.tablets {
		if n.running() {
			live = append(live, n.id)
		}
	}
	return live
}

// led returns the bucket if tablet server id leads it: code 21 when there is no such bucket, 12 when it has another
// leader or none.
func (c *cluster) led(key catalog.Bucket, id int32) (*bucket, error) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	b := c.buckets[key]
	switch {
	case b == nil && c.strayPartition(key):
		return nil, refuse(wire.CodeNotLeaderOrFollower, "server %d is not leader or follower for %s", id, bucketText(key))
	case b == nil:
		return nil, refuse(wire.CodeUnknownTableOrBucket, "Unknown table or bucket: %s", bucketText(key))
	case b.leader != id || !b.due.IsZero() && time.Now().Before(b.due):
		return nil, refuse(wire.CodeNotLeaderOrFollower, "Leader not local for bucket %s on tabletServer %d", bucketText(key), id)
	}
	return b, nil
}

// strayPartition says that there is such a partition, and a bucket of that number in it, but of another table. The real
// server looks for the partition alone before it says that it does not know the bucket.
func (c *cluster) strayPartition(key catalog.Bucket) bool {
	if key.PartitionID == catalog.NoPartition {
		return false
	}
	for other := range c.buckets {
		if other.PartitionID == key.PartitionID && other.ID == key.ID {
			return other.TableID != key.TableID
		}
	}
	return false
}

// bucketText is a bucket as the server's messages spell it.
func bucketText(key catalog.Bucket) string {
	if key.PartitionID == catalog.NoPartition {
		return fmt.Sprintf("TableBucket{tableId=%d, bucket=%d}", key.TableID, key.ID)
	}
	return fmt.Sprintf("TableBucket{tableId=%d, partitionId=%d, bucket=%d}", key.TableID, key.PartitionID, key.ID)
}

// spell puts the bucket into a refusal of its store, which knows its table only.
func (b *bucket) spell(err error) error {
	if err == nil {
		return nil
	}
	code, message := codeOf(err)
	name := bucketText(b.key)
	switch code {
	case wire.CodeCorruptRecord:
		message += " in table bucket " + name
	case wire.CodeOutOfOrderSequence:
		message = strings.Replace(message, ":", " in table-bucket "+name+" :", 1)
	case wire.CodeLogOffsetOutOfRange, wire.CodeInvalidTimestamp:
		message = strings.Replace(message, "bucket of "+b.table.path.String(), "bucket "+name, 1)
	}
	return refuse(code, "%s", message)
}

// find returns the table of a path, or code 7 in the words of GET_TABLE_INFO.
func (c *cluster) find(path catalog.TablePath) (*table, error) {
	if namesNoPath(path) {
		return nil, refuseJava(flussRuntime, "Failed to get table '%s'.", path)
	}
	t := c.tables[path]
	if t == nil {
		return nil, refuse(wire.CodeTableNotExist, "Table '%s' does not exist.", path)
	}
	return t, nil
}

// bucketsOf returns the buckets of a table or partition by id. Under the lock.
func (c *cluster) bucketsOf(t *table, partitionID int64) []*bucket {
	var list []*bucket
	for id := range t.now.BucketCount {
		if b := c.buckets[catalog.Bucket{TableID: t.id, PartitionID: partitionID, ID: int32(id)}]; b != nil {
			list = append(list, b)
		}
	}
	return list
}

// allBuckets returns every bucket in a fixed order. Under the lock.
func (c *cluster) allBuckets() []*bucket {
	list := make([]*bucket, 0, len(c.buckets))
	for _, b := range c.buckets {
		list = append(list, b)
	}
	slices.SortFunc(list, func(a, b *bucket) int {
		x, y := a.key, b.key
		switch {
		case x.TableID != y.TableID:
			return int(x.TableID - y.TableID)
		case x.PartitionID != y.PartitionID:
			return int(x.PartitionID - y.PartitionID)
		}
		return int(x.ID - y.ID)
	})
	return list
}

const cacheProperty = "table.auto-increment.cache-size"

// autoIncrement hands out the numbers of a table's auto-increment column, in blocks, from 1.
type autoIncrement struct {
	mu   sync.Mutex
	used int64
}

// block takes n numbers and returns the first.
func (a *autoIncrement) block(n int64) int64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.used += n
	return a.used - n + 1
}
