package fluss_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/gofluss/fluss"
	"github.com/gofluss/fluss/flusstest"
)

// txServer is an embedded server with the key tables t and u, and a database whose pool has one connection.
type txServer struct {
	*flusstest.Server
	db   *sql.DB
	conn *sql.Conn
	log  bytes.Buffer
}

func newTxServer(t *testing.T, change func(*fluss.Config)) *txServer {
	t.Helper()
	s := &txServer{Server: flusstest.Run(t)}
	cfg, err := fluss.ParseDSN(s.DSN())
	if err != nil {
		t.Fatal(err)
	}
	cfg.Logger = slog.New(slog.NewTextHandler(&s.log, nil))
	change(cfg)
	c, err := fluss.NewConnector(cfg)
	if err != nil {
		t.Fatal(err)
	}
	s.db = sql.OpenDB(c)
	t.Cleanup(func() { s.db.Close() })
	if s.conn, err = s.db.Conn(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.conn.Close() })
	for _, name := range []string{"t", "u"} {
		if _, err := s.db.Exec("CREATE TABLE " + name + " (id INT, v STRING, PRIMARY KEY (id)) WITH ('bucket.num' = '2')"); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func (s *txServer) begin(t *testing.T, ctx context.Context) *sql.Tx {
	t.Helper()
	tx, err := s.conn.BeginTx(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	return tx
}

// fill inserts n rows into a table, each of about size bytes.
func fill(t *testing.T, tx *sql.Tx, table string, n, size int) {
	t.Helper()
	for i := range n {
		if _, err := tx.Exec("INSERT INTO "+table+" VALUES (?, ?)", i, strings.Repeat("v", size)); err != nil {
			t.Fatal(err)
		}
	}
}

func (s *txServer) last(t *testing.T) fluss.TxResult {
	t.Helper()
	var r fluss.TxResult
	if err := s.conn.Raw(func(dc any) (err error) {
		r, err = fluss.LastTx(dc)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return r
}

// While a transaction is open LastTx does not tell of the one before it: who waits for a rollback of database/sql would take
// that for the answer.
func TestLastTxOpen(t *testing.T) {
	s := newTxServer(t, func(*fluss.Config) {})
	tx := s.begin(t, t.Context())
	fill(t, tx, "t", 3, 1)
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
	s.last(t)
	tx = s.begin(t, t.Context())
	err := s.conn.Raw(func(dc any) error {
		_, err := fluss.LastTx(dc)
		return err
	})
	if err == nil || !strings.Contains(err.Error(), "is open") {
		t.Errorf("in a transaction: %v", err)
	}
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	if r := s.last(t); len(r.Tables) != 0 {
		t.Errorf("after a rollback of nothing: %+v", r)
	}
}

// A rollback after all rows of two tables were sent and stored: the parts are errors as that of one table would be.
func TestRollbackOfStored(t *testing.T) {
	s := newTxServer(t, func(c *fluss.Config) { c.Tx = "stream" })
	tx := s.begin(t, t.Context())
	fill(t, tx, "t", 3, 1)
	fill(t, tx, "u", 2, 1)
	var v string
	if err := tx.QueryRow("SELECT v FROM t WHERE id = 1").Scan(&v); err != nil { // sends everything
		t.Fatal(err)
	}
	err := tx.Rollback()
	whole, ok := errors.AsType[*fluss.TxError](err)
	part, okPart := errors.AsType[*fluss.PartialWriteError](err)
	if !ok || !okPart || !strings.HasSuffix(part.Table, ".t") || summed(part.Buckets) != "3 0 0" || len(whole.Tables) != 2 {
		t.Fatalf("%T %v: %+v", err, err, part)
	}
	if !errors.Is(err, whole.Cause) {
		t.Errorf("%v is not its cause %v", err, whole.Cause)
	}
}

// summed is stored, not stored and unknown of all buckets of a table.
func summed(list []fluss.BucketOutcome) string {
	var a, b, c int
	for _, o := range list {
		a, b, c = a+o.Stored, b+o.NotStored, c+o.Unknown
	}
	return fmt.Sprint(a, " ", b, " ", c)
}

// What Commit says when the answers to one table are lost, and when its context ends.
func TestCommitUnknown(t *testing.T) {
	for _, test := range []struct {
		name           string
		context, write time.Duration
		cause          error
	}{
		{"write_timeout", time.Minute, time.Second, nil},
		{"context", 300 * time.Millisecond, time.Minute, context.DeadlineExceeded},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newTxServer(t, func(c *fluss.Config) { c.WriteTimeout, c.RequestTimeout = test.write, 200*time.Millisecond })
			ctx, cancel := context.WithTimeout(t.Context(), test.context)
			defer cancel()
			tx := s.begin(t, ctx)
			fill(t, tx, "t", 10, 5)
			s.Hook(func(r *flusstest.Request) flusstest.Action {
				if r.API == flusstest.PutKV {
					return flusstest.Drop()
				}
				return flusstest.Action{}
			})
			err := tx.Commit()
			unknown, ok := errors.AsType[*fluss.AmbiguousWriteError](err)
			if !ok || !errors.Is(err, fluss.ErrAmbiguousWrite) || summed(unknown.Buckets) != "0 0 10" || test.cause != nil && !errors.Is(err, test.cause) {
				t.Fatalf("%v (%T)", err, err)
			}
			if r := s.last(t); len(r.Tables) != 1 || summed(r.Tables[0].Buckets) != "0 0 10" {
				t.Errorf("%+v", r)
			}
			if log := s.log.String(); !strings.Contains(log, "commit failed") || !strings.Contains(log, "unknown=10") {
				t.Errorf("log: %s", log)
			}
		})
	}
}

// With tx=stream a batch that is refused ends the transaction: every further statement says so, and Commit counts.
func TestStreamBreaks(t *testing.T) {
	s := newTxServer(t, func(c *fluss.Config) { c.Tx, c.TxBufferBytes = "stream", 64<<10 })
	tx := s.begin(t, t.Context())
	fill(t, tx, "t", 100, 1000)
	remove := s.Hook(func(r *flusstest.Request) flusstest.Action {
		if r.API == flusstest.PutKV {
			return flusstest.Refuse(48)
		}
		return flusstest.Action{}
	})
	var err error
	rows := 0
	for ; err == nil && rows < 10_000; rows++ {
		_, err = tx.Exec("INSERT INTO u VALUES (?, ?)", rows, strings.Repeat("v", 1000))
	}
	if _, ok := errors.AsType[*fluss.Error](err); !ok {
		t.Fatalf("after %d rows: %v (%T)", rows, err, err)
	}
	remove()
	if _, again := tx.Exec("INSERT INTO t VALUES (1, 'x')"); again == nil || again.Error() != err.Error() {
		t.Errorf("the next statement: %v", again)
	}
	if _, again := tx.Query("SELECT * FROM t WHERE id = 1"); again == nil || again.Error() != err.Error() {
		t.Errorf("a read: %v", again)
	}
	err = tx.Commit()
	whole, ok := errors.AsType[*fluss.TxError](err)
	if !ok || len(whole.Tables) != 2 {
		t.Fatalf("%v (%T)", err, err)
	}
	var stored, not, unknown int
	for _, tab := range whole.Tables {
		for _, b := range tab.Buckets {
			stored, not, unknown = stored+b.Stored, not+b.NotStored, unknown+b.Unknown
		}
	}
	if stored == 0 || unknown > 0 || stored+not < 100+rows-1 {
		t.Errorf("%d stored, %d not, %d unknown of %d rows", stored, not, unknown, 100+rows)
	}
	var n int
	if err := s.db.QueryRow("SELECT COUNT(*) FROM t").Scan(&n); err != nil || n > 100 {
		t.Errorf("%d rows in t, %v", n, err)
	}
}

// The memory of tx=stream is bounded: while answers are held up, statements wait.
func TestStreamWaitsForRoom(t *testing.T) {
	s := newTxServer(t, func(c *fluss.Config) { c.Tx, c.TxBufferBytes = "stream", 64<<10 })
	tx := s.begin(t, t.Context())
	gate := make(chan struct{})
	s.Hook(func(r *flusstest.Request) flusstest.Action {
		if r.API == flusstest.PutKV {
			return flusstest.Action{Wait: gate}
		}
		return flusstest.Action{}
	})
	text := strings.Repeat("v", 1000)
	var err error
	rows := 0
	for ; err == nil && rows < 1000; rows++ {
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		_, err = tx.ExecContext(ctx, "INSERT INTO t VALUES (?, ?)", rows, text)
		cancel()
	}
	if !errors.Is(err, context.DeadlineExceeded) || rows < 30 || rows > 140 {
		t.Fatalf("after %d rows: %v", rows, err)
	}
	close(gate) // the statement that gave up took nothing and broke nothing
	if _, err := tx.Exec("INSERT INTO t VALUES (?, ?)", 5000, text); err != nil {
		t.Fatal(err)
	}
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
	var n int
	if err := s.db.QueryRow("SELECT COUNT(*) FROM t").Scan(&n); n != rows || err != nil {
		t.Errorf("%d rows, want %d: %v", n, rows, err)
	}
}

// The keys tx and tx_buffer_bytes.
func TestTxConfig(t *testing.T) {
	for dsn, want := range map[string]string{
		"fluss://h/?tx=maybe":                        "tx must be one of batch, stream, off",
		"fluss://h/?tx_buffer_bytes=1":               "tx_buffer_bytes must be at least 65536",
		"fluss://h/?tx_buffer_bytes=x":               "tx_buffer_bytes must be a positive number",
		"fluss://h/?tx=stream&tx_buffer_bytes=1e6":   "tx_buffer_bytes must be a positive number",
		"fluss://h/?tx=off":                          "",
		"fluss://h/?tx=stream&tx_buffer_bytes=65536": "",
	} {
		cfg, err := fluss.ParseDSN(dsn)
		if want == "" && (err != nil || !strings.HasSuffix(cfg.FormatDSN(), dsn[strings.IndexByte(dsn, '?'):])) || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, %v", dsn, cfg, err)
		}
	}
}
