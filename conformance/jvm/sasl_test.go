package jvm

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gofluss/fluss"
	"github.com/gofluss/fluss/conformance"
	"github.com/gofluss/fluss/conformance/cluster"
	"github.com/gofluss/fluss/conformance/internal/gate"
	"github.com/gofluss/fluss/internal/wire"
)

// prompt is what a refusal may take.
const prompt = 5 * time.Second

// The passwords of the users: nothing else that is printed has these texts.
const (
	alicePassword = "al1ce:s3cret@/?"
	bobPassword   = "b0b-s3cret"
	wrongPassword = "wr0ng-s3cret"
)

// TestSASL runs users with all rights, some rights, no rights and no business there against a cluster with SASL and an
// authorizer.
func TestSASL(t *testing.T) {
	c := conformance.OwnCluster(t, cluster.Options{SASL: true, Users: map[string]string{"alice": alicePassword, "bob": bobPassword}})
	log := &lockedBuffer{}
	s := &saslTest{c: c, log: log}
	t.Run("super user", s.superUser)
	t.Run("wrong password", func(t *testing.T) { s.refused(t, "alice", wrongPassword) })
	t.Run("unknown user", func(t *testing.T) { s.refused(t, "mallory", wrongPassword) })
	t.Run("no credentials", s.noCredentials)
	t.Run("no rights", s.noRights)
	t.Run("right to read", s.mayRead)
	t.Run("right to write", s.mayWrite)
	for _, secret := range []string{alicePassword, bobPassword, wrongPassword, "admin-pass"} {
		if strings.Contains(log.String(), secret) {
			t.Error("a password is in the log")
		}
	}
}

type saslTest struct {
	c   *cluster.Cluster
	log *lockedBuffer
}

// lockedBuffer takes the driver's log.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// as changes a Config to another user's, and sends all log records to the test.
func (s *saslTest) as(user, password string, more ...func(*fluss.Config)) func(*fluss.Config) {
	return func(cfg *fluss.Config) {
		cfg.User, cfg.Password = user, password
		cfg.Logger = slog.New(slog.NewTextHandler(s.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
		for _, change := range more {
			change(cfg)
		}
	}
}

func (s *saslTest) superUser(t *testing.T) {
	db := open(t, s.c.DSN("fluss"), nil)
	mustExec(t, db, "CREATE DATABASE secured")
	for _, table := range []string{"k", "w"} {
		mustExec(t, db, "CREATE TABLE secured."+table+" (id INT NOT NULL, v STRING, PRIMARY KEY (id) NOT ENFORCED)")
		mustExec(t, db, "INSERT INTO secured."+table+" VALUES (1, 'one')")
	}
	mustExec(t, db, "CREATE TABLE secured.l (id INT, v STRING)")
	mustExec(t, db, "INSERT INTO secured.l VALUES (1, 'one'), (2, 'two')")
	if got := fmt.Sprint(mustQuery(t, db, "SELECT v FROM secured.k WHERE id = 1"), mustQuery(t, db, "SELECT id FROM secured.l")); got != "[[one]] [[1] [2]]" {
		t.Errorf("rows %s", got)
	}
}

// refused opens the cluster with bad credentials: one try on each connection, ErrAuthentication at once.
func (s *saslTest) refused(t *testing.T, user, password string) {
	g := gate.New()
	db := open(t, s.c.DSN("fluss"), s.as(user, password, func(cfg *fluss.Config) { cfg.Dial = g.Dial }))
	for what, call := range map[string]func(context.Context) error{
		"Ping": db.PingContext,
		"SELECT": func(context.Context) error {
			_, err := tryQuery(db, "SELECT v FROM secured.k WHERE id = 1")
			return err
		},
		"INSERT": func(context.Context) error { return exec(db, "INSERT INTO secured.k VALUES (2, 'x')") },
		"CREATE": func(context.Context) error { return exec(db, "CREATE DATABASE other") },
	} {
		begin := time.Now()
		err := call(context.Background())
		if took := time.Since(begin); !errors.Is(err, fluss.ErrAuthentication) || took > prompt {
			t.Errorf("%s: got %v after %v, want ErrAuthentication", what, err, took)
		}
		var e *fluss.Error
		if !errors.As(err, &e) || e.Code != int(wire.CodeAuthenticate) || e.Server == "" {
			t.Errorf("%s: code and server are missing in %#v", what, e)
		}
		if text := fmt.Sprintf("%v %+v %#v", err, err, err); strings.Contains(text, password) {
			t.Errorf("%s: the password is in the error", what)
		}
	}
	if tries := g.Requests(wire.APIAuthenticate); int64(tries) != g.Dials() || tries == 0 {
		t.Errorf("%d tries on %d connections, want one each", tries, g.Dials())
	}
}

func (s *saslTest) noCredentials(t *testing.T) {
	db := open(t, s.c.DSNAs("", "fluss"), nil)
	for _, query := range []string{"SELECT v FROM secured.k WHERE id = 1", "INSERT INTO secured.k VALUES (2, 'x')", "SHOW DATABASES"} {
		begin := time.Now()
		err := exec(db, query)
		if took := time.Since(begin); !errors.Is(err, fluss.ErrAuthentication) || took > prompt {
			t.Errorf("%s: got %v after %v, want ErrAuthentication", query, err, took)
		}
	}
}

// denied checks a refusal: its class, and that the right and all parts of the resource's name are told. Servers word it
// in two ways.
func denied(t *testing.T, what string, err error, right, resource string) {
	t.Helper()
	if !errors.Is(err, fluss.ErrAuthorization) || errors.Is(err, fluss.ErrAmbiguousWrite) {
		t.Errorf("%s: got %v, want ErrAuthorization", what, err)
		return
	}
	for _, word := range append(strings.Split(resource, "."), right) {
		if !strings.Contains(err.Error(), word) {
			t.Errorf("%s: no %s in %v", what, word, err)
		}
	}
}

func (s *saslTest) noRights(t *testing.T) {
	db := open(t, s.c.DSN("fluss"), s.as("alice", alicePassword))
	_, err := tryQuery(db, "SELECT v FROM secured.k WHERE id = 1")
	denied(t, "SELECT", err, "DESCRIBE", "secured.k")
	denied(t, "INSERT", exec(db, "INSERT INTO secured.l VALUES (3, 'x')"), "DESCRIBE", "secured.l")
	denied(t, "CREATE TABLE", exec(db, "CREATE TABLE secured.x (a INT)"), "CREATE", "secured")
	denied(t, "DROP TABLE", exec(db, "DROP TABLE secured.k"), "DROP", "secured.k")
	denied(t, "CREATE DATABASE", exec(db, "CREATE DATABASE x"), "CREATE", "fluss-cluster")
}

// grant gives a user a right on a table.
func (s *saslTest) grant(t *testing.T, user, table, operation string) {
	t.Helper()
	root := open(t, s.c.DSN("fluss"), nil)
	mustExec(t, root, "CALL sys.add_acl(?, 'ALLOW', ?, ?)", "cluster."+table, "User:"+user, operation)
}

// eventually repeats f while it is refused: a right takes a moment to reach every server.
func eventually(t *testing.T, f func() error) {
	t.Helper()
	deadline := time.Now().Add(statementTimeout)
	for {
		err := f()
		if err == nil || !errors.Is(err, fluss.ErrAuthorization) || time.Now().After(deadline) {
			if err != nil {
				t.Error(err)
			}
			return
		}
		time.Sleep(20 * time.Millisecond) // a poll: the servers tell nobody when a right has reached them
	}
}

func (s *saslTest) mayRead(t *testing.T) {
	s.grant(t, "alice", "secured.k", "READ")
	db := open(t, s.c.DSN("fluss"), s.as("alice", alicePassword))
	eventually(t, func() error { _, err := tryQuery(db, "SELECT v FROM secured.k WHERE id = 1"); return err })
	denied(t, "INSERT", exec(db, "INSERT INTO secured.k VALUES (2, 'x')"), "WRITE", "secured.k")
	denied(t, "DELETE", exec(db, "DELETE FROM secured.k WHERE id = 1"), "WRITE", "secured.k")
	if got := fmt.Sprint(mustQuery(t, db, "SELECT v FROM secured.k WHERE id = 1")); got != "[[one]]" {
		t.Errorf("rows %s", got)
	}
}

func (s *saslTest) mayWrite(t *testing.T) {
	s.grant(t, "bob", "secured.w", "WRITE")
	s.grant(t, "bob", "secured.l", "WRITE")
	db := open(t, s.c.DSN("fluss"), s.as("bob", bobPassword))
	eventually(t, func() error { return exec(db, "INSERT INTO secured.w VALUES (2, 'x')") })
	eventually(t, func() error { return exec(db, "INSERT INTO secured.l VALUES (3, 'x')") })
	for _, query := range []string{"SELECT v FROM secured.w WHERE id = 1", "SELECT * FROM secured.w LIMIT 1", "SELECT v FROM secured.w WHERE id IN (1, 2)"} {
		_, err := tryQuery(db, query)
		denied(t, query, err, "READ", "secured.w")
	}
	_, err := tryQuery(db, "SELECT * FROM secured.l")
	denied(t, "scan of the log", err, "READ", "secured.l")
	denied(t, "UPDATE", exec(db, "UPDATE secured.w SET v = 'y' WHERE id = 1"), "READ", "secured.w")
}
