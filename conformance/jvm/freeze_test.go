package jvm

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gofluss/fluss"
	"github.com/gofluss/fluss/conformance"
	"github.com/gofluss/fluss/conformance/cluster"
)

var (
	freezeRounds = flag.Int("freeze-rounds", 8, "how often TestFreeze freezes the server")
	// reports/freeze.json holds those of 200 rounds.
	freezeReport = flag.String("freeze-report", "", "a file for TestFreeze's figures, as JSON")
)

const (
	freezeKeys    = 4
	freezeWait    = 120 * time.Millisecond // of the callers of old values
	freezeBallast = 2 << 20                // bytes; the kernel takes so much for a server that does not read
	freezeExpires = 300 * time.Millisecond // write_timeout where it is to pass during a freeze
)

// TestFreeze freezes a tablet server (SIGSTOP), sends it old values whose callers leave, drops the connections, sends new
// values and lets the server go on: it then reads what its old sockets hold as well. No acknowledged value may be
// replaced by an older one, and nothing may be stored twice.
func TestFreeze(t *testing.T) {
	c := conformance.OwnCluster(t, cluster.Options{})
	f := &freezing{t: t, cluster: c, told: map[int64]bool{}, last: map[int64]int64{}, ballast: strings.Repeat("ballast ", freezeBallast/8)}
	f.patient = f.connect(nil)
	f.hasty = f.connect(func(cfg *fluss.Config) { cfg.WriteTimeout = freezeExpires })
	mustExec(t, f.patient.db, "CREATE DATABASE f")
	for table, columns := range map[string]string{
		"k_patient": "(id BIGINT NOT NULL, v BIGINT, PRIMARY KEY (id) NOT ENFORCED)",
		"k_hasty":   "(id BIGINT NOT NULL, v BIGINT, PRIMARY KEY (id) NOT ENFORCED)",
		"ballast":   "(id INT NOT NULL, v STRING, PRIMARY KEY (id) NOT ENFORCED)",
		"l":         "(v BIGINT NOT NULL)",
	} {
		createLed(t, c, f.patient.db, "f", table, columns)
	}
	begin := time.Now()
	for i := range *freezeRounds {
		f.round(i)
		if t.Failed() {
			break
		}
	}
	f.report.Rounds = *freezeRounds
	f.report.Seconds = time.Since(begin).Seconds()
	f.check()
}

// freezing is the state of the rounds.
type freezing struct {
	t              *testing.T
	cluster        *cluster.Cluster
	patient, hasty freezeCaller // with two minutes to write in, and with less than a freeze

	mu     sync.Mutex // guards the rest while callers run
	value  int64      // the last that was used
	told   map[int64]bool
	last   map[int64]int64 // key, plus freezeKeys in k_hasty, to its newest acknowledged value
	report freezeFigures

	ballast string
}

// freezeFigures is the JSON report.
type freezeFigures struct {
	Rounds       int     `json:"rounds"`
	Seconds      float64 `json:"seconds"`
	Acknowledged int     `json:"acknowledged"`
	Unknown      int     `json:"unknown"`
	NotStored    int     `json:"not_stored"`
	StoredLate   int     `json:"unknown_that_were_stored"`
	Overwritten  int     `json:"acknowledged_overwritten_by_older"`
	Missing      int     `json:"acknowledged_missing"`
	Doubled      int     `json:"doubled"`
}

// freezeCaller is a pool whose connections the test can drop.
type freezeCaller struct {
	db    *sql.DB
	links *links
	table string
	base  int64 // of its keys in last
}

func (f *freezing) connect(change func(*fluss.Config)) freezeCaller {
	c := freezeCaller{links: &links{}, table: "f.k_patient"}
	if change != nil {
		c.table, c.base = "f.k_hasty", freezeKeys
	}
	c.db = open(f.t, f.cluster.DSN("fluss"), func(cfg *fluss.Config) {
		cfg.Dial = c.links.dial
		if change != nil {
			change(cfg)
		}
	})
	return c
}

// round is one freeze. The rounds differ in who writes, in how many batches are open, in whether the connection is
// dropped, and in how long the new values wait for the thaw.
func (f *freezing) round(i int) {
	c, keys := f.patient, int64(1+i/2%freezeKeys)
	if i%4 == 3 {
		c = f.hasty
	}
	for try := 0; exec(c.db, "UPSERT INTO f.ballast VALUES (1, '')") != nil; try++ { // so that the connections are there
		if try == 100 {
			f.t.Fatal("a server that is not frozen does not acknowledge")
		}
	}
	f.writeAll(c, keys, statementTimeout)
	if err := f.cluster.Freeze(0); err != nil {
		f.t.Fatal(err)
	}
	thaw := sync.OnceFunc(func() {
		if err := f.cluster.Thaw(0); err != nil {
			f.t.Error(err)
		}
	})
	defer thaw()
	if i%2 == 1 {
		f.writeBallast(c)
	}
	if c.base == 0 {
		f.writeAll(c, keys, freezeWait)
	} else {
		f.writeAll(c, keys, statementTimeout) // its write_timeout passes
	}
	if i%8 != 6 {
		c.links.cut()
	}
	time.AfterFunc(time.Duration(i%5)*50*time.Millisecond, thaw) // what is tested is that moment
	for try := 0; f.writeAll(c, keys, statementTimeout) < int(2*keys); try++ {
		if try == 100 {
			f.t.Fatal("after the thaw nothing is acknowledged")
		}
	}
	thaw()
}

// writeBallast sends a large row to another table. What is written behind it on the same connection is read late.
func (f *freezing) writeBallast(c freezeCaller) {
	ctx, cancel := context.WithTimeout(context.Background(), freezeWait)
	defer cancel()
	_, err := c.db.ExecContext(ctx, "UPSERT INTO f.ballast VALUES (1, ?)", f.ballast)
	if !errors.Is(err, fluss.ErrAmbiguousWrite) && !errors.Is(err, context.DeadlineExceeded) { // a busy machine sends late
		f.t.Errorf("ballast for a frozen server: a %T: %v", err, err)
	}
}

// writeAll writes a new value of each key and a log row for each, side by side, and returns how many were acknowledged.
func (f *freezing) writeAll(c freezeCaller, keys int64, patience time.Duration) int {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	var all sync.WaitGroup
	acked := 0
	for key := range keys {
		for _, log := range []bool{false, true} {
			f.mu.Lock()
			f.value++
			v := f.value
			f.mu.Unlock()
			all.Go(func() { // ends with its statement
				var err error
				if log {
					_, err = c.db.ExecContext(ctx, "INSERT INTO f.l VALUES (?)", v)
				} else {
					_, err = c.db.ExecContext(ctx, "UPSERT INTO "+c.table+" VALUES (?, ?)", key, v)
				}
				f.mu.Lock()
				defer f.mu.Unlock()
				if f.tell(v, err) {
					acked++
					if !log {
						f.last[c.base+key] = v
					}
				}
			})
		}
	}
	all.Wait()
	return acked
}

// tell notes what a caller was told of a value.
func (f *freezing) tell(v int64, err error) bool {
	switch {
	case err == nil:
		f.told[v] = true
		f.report.Acknowledged++
	case errors.Is(err, fluss.ErrAmbiguousWrite):
		f.told[v] = false
		f.report.Unknown++
	case errors.Is(err, context.DeadlineExceeded):
		f.report.NotStored++
	default:
		f.t.Errorf("value %d: a %T: %v", v, err, err)
	}
	return err == nil
}

// check compares tables, change logs and the log with what the callers were told.
func (f *freezing) check() {
	f.t.Helper()
	seen := map[int64]int{}
	for base, table := range map[int64]string{0: f.patient.table, freezeKeys: f.hasty.table} {
		newest := map[int64]int64{}
		for _, r := range mustQuery(f.t, f.patient.db, "SELECT id, v FROM "+table+"$changelog WHERE _change_type <> 'update_before'") {
			key, v := base+r[0].(int64), r[1].(int64)
			if v < newest[key] {
				f.report.Overwritten++
				f.t.Errorf("%s key %d: %d was stored behind %d", table, key-base, v, newest[key])
			}
			newest[key] = v
			seen[v]++
		}
		for _, r := range mustQuery(f.t, f.patient.db, "SELECT id, v FROM "+table) {
			if key := base + r[0].(int64); r[1].(int64) != f.last[key] {
				f.report.Overwritten++
				f.t.Errorf("%s key %d is %d, acknowledged last was %d", table, key-base, r[1], f.last[key])
			}
		}
	}
	for _, r := range mustQuery(f.t, f.patient.db, "SELECT v FROM f.l") {
		seen[r[0].(int64)]++
	}
	for v, acked := range f.told {
		if acked && seen[v] == 0 {
			f.report.Missing++
			f.t.Errorf("value %d was acknowledged and is not there", v)
		}
		if !acked && seen[v] > 0 {
			f.report.StoredLate++
		}
	}
	for v, n := range seen {
		if _, told := f.told[v]; !told {
			f.t.Errorf("value %d is there and was reported as not stored", v)
		}
		if n > 1 {
			f.report.Doubled++
			f.t.Errorf("value %d is there %d times", v, n)
		}
	}
	if f.report.Unknown < f.report.Rounds {
		f.t.Errorf("only %d of %d rounds had open writes: the freezes came too late", f.report.Unknown, f.report.Rounds)
	}
	f.write()
}

func (f *freezing) write() {
	text, err := json.MarshalIndent(f.report, "", "  ")
	if err == nil && *freezeReport != "" {
		err = os.WriteFile(*freezeReport, append(text, '\n'), 0o644)
	}
	if err != nil {
		f.t.Error(err)
	}
	f.t.Log(string(text))
}
