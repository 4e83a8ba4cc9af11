package conformance

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/gofluss/fluss"
)

const (
	callDeadline = time.Second
	// callGrace is what a call may take on top of its deadline, on a machine that is busy.
	callGrace = 1500 * time.Millisecond
)

// deadPlaces are all the ways in which a server is not there. A silent one keeps a call until its deadline.
func deadPlaces(t *testing.T) map[string]deadPlace {
	real := hosts(t)[0]
	hang := func(ctx context.Context, network, addr string) (net.Conn, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	return map[string]deadPlace{
		"nobody listens":                  {addr: nobody(t)},
		"packets are dropped":             {addr: "127.0.0.1:9", dial: hang, silent: true},
		"never answers":                   {server: newBadServer(t, silent), silent: true},
		"takes no byte":                   {server: newBadServer(t, untilClosed), silent: true},
		"silent after the handshake":      {server: newBadServer(t, firstAnswers(real, 1, silent)), silent: true},
		"hangs up at once":                {server: newBadServer(t, hangUp)},
		"hangs up after the handshake":    {server: newBadServer(t, firstAnswers(real, 1, hangUp))},
		"speaks something else":           {server: newBadServer(t, chatty)},
		"silent, with a second dead host": {server: newBadServer(t, silent), more: []string{nobody(t)}, silent: true},
	}
}

type deadPlace struct {
	addr   string
	server *badServer
	more   []string
	dial   func(ctx context.Context, network, addr string) (net.Conn, error)
	silent bool
}

func (p deadPlace) open(t *testing.T, change func(*fluss.Config)) *sql.DB {
	t.Helper()
	if p.server != nil {
		p.addr = p.server.addr()
	}
	cfg := fluss.NewConfig(append([]string{p.addr}, p.more...)...)
	cfg.Dial = p.dial
	if change != nil {
		change(cfg)
	}
	connector, err := fluss.NewConnector(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return sql.OpenDB(connector)
}

// networkCalls are calls that need a server.
var networkCalls = map[string]func(context.Context, *sql.DB) error{
	"Ping":     func(ctx context.Context, db *sql.DB) error { return db.PingContext(ctx) },
	"Query":    queryOnly("SELECT v FROM d.t WHERE k = 1"),
	"Scan":     queryOnly("SELECT * FROM d.t"),
	"SHOW":     queryOnly("SHOW DATABASES"),
	"DESCRIBE": queryOnly("DESCRIBE d.t"),
	"INSERT":   execOnly("INSERT INTO d.t VALUES (1, 'x')"),
	"UPDATE":   execOnly("UPDATE d.t SET v = 'x' WHERE k = 1"),
	"DELETE":   execOnly("DELETE FROM d.t WHERE k = 1"),
	"CREATE":   execOnly("CREATE TABLE d.t (a INT)"),
	"DROP":     execOnly("DROP DATABASE IF EXISTS d"),
	"USE":      execOnly("USE d"),
	"Prepare": func(ctx context.Context, db *sql.DB) error {
		s, err := db.PrepareContext(ctx, "SELECT v FROM d.t WHERE k = ?")
		if err != nil {
			return err
		}
		defer s.Close()
		_, err = s.ExecContext(ctx, 1)
		return err
	},
}

func queryOnly(query string) func(context.Context, *sql.DB) error {
	return func(ctx context.Context, db *sql.DB) error {
		_, err := tryQuery(ctx, db, query)
		return err
	}
}

func execOnly(query string) func(context.Context, *sql.DB) error {
	return func(ctx context.Context, db *sql.DB) error {
		_, err := db.ExecContext(ctx, query)
		return err
	}
}

// ended is how a call of everyCall came out.
type ended struct {
	call  string
	err   error
	after time.Duration
}

// everyCall makes all networkCalls at once, each with a context of its own.
func everyCall(db *sql.DB, context func() (context.Context, context.CancelFunc)) []ended {
	results := make(chan ended)
	for name, call := range networkCalls {
		go func() { // ends with its call; waited for below
			ctx, cancel := context()
			defer cancel()
			begin := time.Now()
			err := call(ctx, db)
			results <- ended{name, err, time.Since(begin)}
		}()
	}
	var list []ended
	for range networkCalls {
		list = append(list, <-results)
	}
	return list
}

// documented reports whether callers can make something of the error.
func documented(err error) bool {
	_, ours := errors.AsType[*fluss.Error](err)
	return ours || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled)
}

// TestServerNotThere: every call ends within its deadline, with an error that says so, and leaves nothing behind.
func TestServerNotThere(t *testing.T) {
	for name, place := range deadPlaces(t) {
		t.Run(name, func(t *testing.T) {
			before := measure()
			db := place.open(t, nil)
			for _, r := range everyCall(db, func() (context.Context, context.CancelFunc) {
				return context.WithTimeout(context.Background(), callDeadline)
			}) {
				switch {
				case r.err == nil:
					t.Errorf("%s: no error", r.call)
				case r.after > callDeadline+callGrace:
					t.Errorf("%s: after %v", r.call, r.after)
				case place.silent && !errors.Is(r.err, context.DeadlineExceeded):
					t.Errorf("%s: got %v, want DeadlineExceeded", r.call, r.err)
				case !documented(r.err) || errors.Is(r.err, driver.ErrBadConn):
					t.Errorf("%s: got a %T: %v", r.call, r.err, r.err)
				case strings.Contains(r.err.Error(), "\n"):
					t.Errorf("%s: more than a line: %v", r.call, r.err)
				}
			}
			if err := db.Close(); err != nil {
				t.Error(err)
			}
			if place.server != nil {
				place.server.close()
			}
			before.goroutines -= serverGoroutines(place)
			flat(t, before)
		})
	}
}

// serverGoroutines is how many goroutines of the place itself were counted before and are over now.
func serverGoroutines(p deadPlace) int {
	if p.server != nil {
		return 1 // it accepts
	}
	return 0
}

// TestTimeoutsWithoutContext: without a deadline of the caller's the timeouts of the configuration end each call.
func TestTimeoutsWithoutContext(t *testing.T) {
	for name, place := range deadPlaces(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := place.open(t, func(cfg *fluss.Config) {
				cfg.AttemptTimeout, cfg.RequestTimeout, cfg.WriteTimeout, cfg.ConnectTimeout = 200*time.Millisecond, callDeadline, callDeadline, callDeadline
			})
			defer db.Close()
			for _, r := range everyCall(db, func() (context.Context, context.CancelFunc) {
				return context.WithCancel(context.Background())
			}) {
				// A statement may have to ask for its table first, each with the same limit.
				if r.err == nil || !documented(r.err) || r.after > 2*callDeadline+callGrace {
					t.Errorf("%s: got %v after %v", r.call, r.err, r.after)
				}
			}
		})
	}
}

// TestCloseWhileCallsWait: db.Close does not wait for calls that wait for a server, and ends them.
func TestCloseWhileCallsWait(t *testing.T) {
	for name, place := range deadPlaces(t) {
		if !place.silent || place.server == nil {
			continue
		}
		t.Run(name, func(t *testing.T) {
			before := measure()
			db := place.open(t, nil)
			results := make(chan []ended)
			go func() { // ends with its calls; waited for below
				results <- everyCall(db, func() (context.Context, context.CancelFunc) {
					return context.WithCancel(context.Background())
				})
			}()
			<-place.server.arrived
			begin := time.Now()
			if err := db.Close(); err != nil {
				t.Error(err)
			}
			if took := time.Since(begin); took > callGrace {
				t.Errorf("Close took %v", took)
			}
			for _, r := range <-results {
				if r.err == nil || time.Since(begin) > 2*callGrace {
					t.Errorf("%s: got %v, %v after Close", r.call, r.err, time.Since(begin))
				}
			}
			if err := db.PingContext(timeout(t)); err == nil || !strings.Contains(err.Error(), "closed") {
				t.Errorf("Ping after Close: %v", err)
			}
			place.server.close()
			before.goroutines--
			flat(t, before)
		})
	}
}

// TestFirstAddressDead: a dead address in the list costs little.
func TestFirstAddressDead(t *testing.T) {
	real := hosts(t)
	for name, place := range deadPlaces(t) {
		t.Run(name, func(t *testing.T) {
			dead := place.addr
			if place.server != nil {
				dead = place.server.addr()
			}
			db := openConfig(t, func(cfg *fluss.Config) {
				cfg.Addresses = append([]string{dead}, real...)
				cfg.AttemptTimeout = time.Second
				if place.dial != nil {
					cfg.Dial = func(ctx context.Context, network, addr string) (net.Conn, error) {
						if addr == dead {
							return place.dial(ctx, network, addr)
						}
						return new(net.Dialer).DialContext(ctx, network, addr)
					}
				}
			})
			begin := time.Now()
			if _, err := tryQuery(timeout(t), db, "SHOW DATABASES"); err != nil {
				t.Error(err)
			}
			if took := time.Since(begin); took > time.Second+callGrace {
				t.Errorf("took %v", took)
			}
		})
	}
}

// TestOpenAndClose opens and closes pools in a loop: neither goroutines nor files stay.
func TestOpenAndClose(t *testing.T) {
	const rounds = 500
	bad := newBadServer(t, hangUp)
	for name, addresses := range map[string][]string{"server": hosts(t), "nobody": {nobody(t)}, "hangs up": {bad.addr()}} {
		t.Run(name, func(t *testing.T) {
			before := measure()
			for range rounds {
				cfg, err := fluss.ParseDSN(Target(t))
				if err != nil {
					t.Fatal(err)
				}
				cfg.Addresses = addresses
				connector, err := fluss.NewConnector(cfg)
				if err != nil {
					t.Fatal(err)
				}
				db := sql.OpenDB(connector)
				limit := 2 * time.Millisecond
				if name == "server" {
					limit = statementTimeout
				}
				ctx, cancel := context.WithTimeout(context.Background(), limit)
				if err := db.PingContext(ctx); (err == nil) != (name == "server") {
					t.Fatalf("Ping: %v", err)
				}
				cancel()
				if err := db.Close(); err != nil {
					t.Fatal(err)
				}
			}
			flat(t, before)
		})
	}
}

// TestMissingTableAgainAndAgain: statements that fail leave nothing behind either.
func TestMissingTableAgainAndAgain(t *testing.T) {
	db := open(t)
	name := database(t, db)
	if err := db.Ping(); err != nil {
		t.Fatal(err)
	}
	queryAll(t, db, "SHOW TABLES FROM "+name)
	before := measure()
	for range 500 {
		if _, err := tryQuery(timeout(t), db, "SELECT v FROM "+name+".missing WHERE k = 1"); !errors.Is(err, fluss.ErrTableNotExist) {
			t.Fatal(err)
		}
	}
	before.goroutines += 4 // read loops of connections to servers that were not asked before
	before.files += 4
	flat(t, before)
}

// TestTwoPools: closing one pool does not break another on the same DSN.
func TestTwoPools(t *testing.T) {
	a, b := open(t), open(t)
	table := database(t, a) + ".t"
	mustExec(t, a, "CREATE TABLE "+table+" (k INT NOT NULL, v STRING, PRIMARY KEY (k) NOT ENFORCED)")
	mustExec(t, a, "INSERT INTO "+table+" VALUES (1, 'x')")
	queryAll(t, b, "SELECT * FROM "+table+" WHERE k = 1")
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	if got := texts(queryAll(t, b, "SELECT v FROM "+table+" WHERE k = 1")); len(got) != 1 || got[0] != "x" {
		t.Errorf("got %v", got)
	}
	mustExec(t, b, "INSERT INTO "+table+" VALUES (2, 'y')")
	if _, err := tryQuery(timeout(t), a, "SELECT 1"); err == nil || !strings.Contains(err.Error(), "closed") {
		t.Errorf("the closed pool: %v", err)
	}
}
