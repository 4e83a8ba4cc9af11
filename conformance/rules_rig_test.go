package conformance

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"net"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss"
	"github.com/gofluss/fluss/flusstest"
	"github.com/gofluss/fluss/internal/record"
	"github.com/gofluss/fluss/internal/wire/flusspb"
)

// ruleRig is a pool on an embedded server without sockets, under a fake clock, with somebody who reads along what is
// written.
type ruleRig struct {
	t   *testing.T
	srv *flusstest.Server
	db  *sql.DB

	mu    sync.Mutex
	sent  []sentBatch
	names map[flusstest.API]int // requests
	// hook decides about a request that is read along. nil, or the zero Action: nothing happens to it.
	hook func(r *flusstest.Request, batches []sentBatch) flusstest.Action
	// dial opens connections in place of the server's own.
	dial func(ctx context.Context, network, addr string) (net.Conn, error)
}

// sentBatch is one copy of a batch as it came to a server.
type sentBatch struct {
	key    bool // for a key table
	conn   int64
	server int
	bucket flusstest.Bucket
	id     int64
	seq    int32
	count  int32
	bytes  []byte
	at     time.Time
}

func (b sentBatch) place() string {
	return fmt.Sprintf("bucket %d of table %d", b.bucket.ID, b.bucket.TableID)
}

// inRules runs a test of the rules of writing. The tables d.t (a key table) and d.l (a log table) have 4 buckets on two
// servers and the rows 1 to 5. At the end what was sent is checked against the rules that hold for every write.
func inRules(t *testing.T, change func(*fluss.Config), test func(t *testing.T, r *ruleRig)) {
	t.Helper()
	inRulesOn(t, 2, change, test)
}

func inRulesOn(t *testing.T, tablets int, change func(*fluss.Config), test func(t *testing.T, r *ruleRig)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		r := &ruleRig{t: t, names: map[flusstest.API]int{}}
		r.srv = flusstest.NewServer(flusstest.InMemory(), flusstest.TabletServers(tablets))
		defer r.srv.Close()
		r.dial = r.srv.Dial
		r.srv.Hook(r.see)
		r.db, _ = openInMemory(t, r.srv, func(c *fluss.Config) {
			if change != nil {
				change(c)
			}
			c.Dial = func(ctx context.Context, network, addr string) (net.Conn, error) {
				r.mu.Lock()
				dial := r.dial
				r.mu.Unlock()
				return dial(ctx, network, addr)
			}
		})
		silentTables(t, r.db)
		test(t, r)
		r.set(nil)
		r.db.Close()
		r.check()
	})
}

// set changes the hook.
func (r *ruleRig) set(hook func(q *flusstest.Request, batches []sentBatch) flusstest.Action) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.hook = hook
}

// mark is where the record of what was sent stands; since gives what came behind a mark.
func (r *ruleRig) mark() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.sent)
}

func (r *ruleRig) since(mark int) []sentBatch {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]sentBatch(nil), r.sent[mark:]...)
}

func (r *ruleRig) requests(api flusstest.API) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.names[api]
}

func (r *ruleRig) see(q *flusstest.Request) flusstest.Action {
	batches := r.read(q)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.names[q.API]++
	r.sent = append(r.sent, batches...)
	if r.hook == nil {
		return flusstest.Action{}
	}
	return r.hook(q, batches)
}

// read takes a write apart.
func (r *ruleRig) read(q *flusstest.Request) (list []sentBatch) {
	body := bytes.Clone(q.Body)
	switch q.API {
	case flusstest.PutKV:
		var m flusspb.PutKvRequest
		if err := proto.Unmarshal(body, &m); err != nil {
			r.t.Error(err)
		}
		for _, b := range m.BucketsReq {
			kv, err := record.ReadKVBatch(b.Records)
			if err != nil {
				r.t.Errorf("PUT_KV holds %v, or two batches", err)
			}
			list = append(list, sentBatch{key: true, id: kv.WriterID, seq: kv.Sequence, count: kv.Count, bytes: b.Records,
				bucket: flusstest.Bucket{TableID: m.GetTableId(), ID: int(b.GetBucketId())}})
		}
	case flusstest.ProduceLog:
		var m flusspb.ProduceLogRequest
		if err := proto.Unmarshal(body, &m); err != nil {
			r.t.Error(err)
		}
		for _, b := range m.BucketsReq {
			lb, rest, err := record.NextLogBatch(b.Records)
			if err != nil || len(rest) > 0 {
				r.t.Errorf("PRODUCE_LOG holds %v, or two batches", err)
			}
			list = append(list, sentBatch{id: lb.WriterID, seq: lb.Sequence, count: lb.Count, bytes: b.Records,
				bucket: flusstest.Bucket{TableID: m.GetTableId(), ID: int(b.GetBucketId())}})
		}
	}
	for i := range list {
		list[i].conn, list[i].server, list[i].at = q.Conn, q.Server, time.Now()
		for _, other := range list[:i] {
			if other.bucket == list[i].bucket {
				r.t.Errorf("a request names %s twice", other.place())
			}
		}
	}
	return list
}

// check holds everything that was sent against the rules of every write: a writer id is for one bucket alone (1), a
// sequence never carries other bytes (2), no empty batch goes to a log table (9), a request names a bucket once (10, when it
// was read).
func (r *ruleRig) check() {
	r.t.Helper()
	type sequence struct {
		id  int64
		seq int32
	}
	owner, carried := map[int64]flusstest.Bucket{}, map[sequence][]byte{}
	for _, b := range r.since(0) {
		if was, ok := owner[b.id]; ok && was != b.bucket {
			r.t.Errorf("writer %d writes to %s and elsewhere", b.id, b.place())
		}
		owner[b.id] = b.bucket
		if b.count == 0 {
			if !b.key {
				r.t.Errorf("an empty batch went to %s, of a log table", b.place())
			}
			continue // on a key table it takes the place of a batch that was given up
		}
		s := sequence{b.id, b.seq}
		if was, ok := carried[s]; ok && !bytes.Equal(was, b.bytes) {
			r.t.Errorf("sequence %d of writer %d carried other bytes before", b.seq, b.id)
		}
		carried[s] = b.bytes
	}
}

// exec starts a statement and returns the channel its error comes on.
func (r *ruleRig) exec(ctx context.Context, query string, args ...any) chan error {
	done := make(chan error, 1)
	go func() { // ends with the statement; its caller waits for it
		_, err := r.db.ExecContext(ctx, query, args...)
		done <- err
	}()
	return done
}

// holds returns how often each of the keys is in the table d.<name>.
func (r *ruleRig) holds(name string, keys ...int) []int {
	r.t.Helper()
	seen := map[int64]int{}
	for _, row := range queryAll(r.t, r.db, "SELECT k FROM d."+name) {
		seen[row[0].(int64)]++
	}
	var list []int
	for _, k := range keys {
		list = append(list, seen[int64(k)])
	}
	return list
}

// oneBucket makes a key table d.t1 and a log table d.l1 of one bucket, with the row 1 each.
func (r *ruleRig) oneBucket() {
	r.t.Helper()
	for _, s := range []string{
		"CREATE TABLE d.t1 (k INT NOT NULL, v STRING, PRIMARY KEY (k) NOT ENFORCED) WITH ('bucket.num'='1', 'table.log.arrow.compression.type'='none')",
		"CREATE TABLE d.l1 (k INT NOT NULL, v STRING) WITH ('bucket.num'='1', 'table.log.arrow.compression.type'='none')",
		"INSERT INTO d.t1 VALUES (1, 'v1')", "INSERT INTO d.l1 VALUES (1, 'v1')",
	} {
		mustExec(r.t, r.db, s)
	}
}

// writes reports whether a request is a write.
func writes(q *flusstest.Request) bool {
	return q.API == flusstest.PutKV || q.API == flusstest.ProduceLog
}
