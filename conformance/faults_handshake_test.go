package conformance

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gofluss/fluss"
	"github.com/gofluss/fluss/flusstest"
)

const handshakePassword = "s3cret-w0rd"

// D16: an authentication that fails, breaks off or is not over is never taken for one that succeeded. Nothing else is sent
// before it succeeded, and the password is nowhere.
func TestD16Authentication(t *testing.T) {
	auth := func(a flusstest.Action) func(*flusstest.Request) flusstest.Action {
		return flusstest.Every(flusstest.Authenticate, a)
	}
	tablets := func(a flusstest.Action) func(*flusstest.Request) flusstest.Action {
		return func(r *flusstest.Request) flusstest.Action {
			if r.API == flusstest.Authenticate && r.Server != flusstest.Coordinator {
				return a
			}
			return flusstest.Action{}
		}
	}
	for _, c := range []struct {
		name        string
		open        bool // the server wants no authentication
		user        string
		hook        func(*flusstest.Request) flusstest.Action
		works       bool
		is          error
		words       []string
		atMost      time.Duration
		authPerConn int // requests to authenticate on one connection; 0: not counted
	}{
		{name: "right", user: "ann", works: true, authPerConn: 1},
		{name: "wrong password", user: "bob", is: fluss.ErrAuthentication, authPerConn: 1, words: []string{"46"}},
		{name: "hangs up right after the token", user: "ann", hook: auth(flusstest.Hangup()), words: []string{"handshake", "AUTHENTICATE"}, atMost: 5 * time.Second},
		{name: "hangs up within the answer", user: "ann", hook: auth(flusstest.Cut(5)), words: []string{"handshake", "AUTHENTICATE"}, atMost: 5 * time.Second},
		{name: "46", user: "ann", hook: auth(flusstest.Refuse(46)), is: fluss.ErrAuthentication, authPerConn: 1},
		{name: "51 twice, then right", user: "ann", hook: flusstest.First(2, flusstest.Authenticate, flusstest.Refuse(51)), works: true},
		{name: "51 for ever", user: "ann", hook: auth(flusstest.Refuse(51)), is: context.DeadlineExceeded, atMost: 5 * time.Second},
		{name: "silent on the token", user: "ann", hook: auth(flusstest.Drop()), is: context.DeadlineExceeded, atMost: 5 * time.Second},
		{name: "a challenge", user: "ann", hook: auth(flusstest.Action{Skip: true, Answer: []byte{0x0a, 1, 'c'}}), words: []string{"challenge"}, atMost: 5 * time.Second},
		{name: "credentials nobody asked for", open: true, user: "ann", is: fluss.ErrAuthentication},
		{name: "no credentials", user: "", is: fluss.ErrAuthentication},
		{name: "refused by the tablet servers alone", user: "ann", hook: tablets(flusstest.Refuse(46)), is: fluss.ErrAuthentication},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				options := []flusstest.Option{flusstest.InMemory()}
				if !c.open {
					options = append(options, flusstest.Users(map[string]string{"ann": handshakePassword, "bob": "another"}))
				}
				srv := flusstest.NewServer(options...)
				defer srv.Close()
				cfg := fluss.NewConfig(srv.Addresses()[0])
				cfg.Dial = srv.Dial
				if c.user != "" {
					cfg.User, cfg.Password, cfg.SASL = c.user, handshakePassword, "plain"
				}
				var logged bytes.Buffer
				cfg.Logger = slog.New(slog.NewTextHandler(&logged, &slog.HandlerOptions{Level: slog.LevelDebug}))
				var mu sync.Mutex
				tries, early := map[int64]int{}, 0
				srv.Hook(func(r *flusstest.Request) flusstest.Action {
					mu.Lock()
					defer mu.Unlock()
					switch {
					case r.API == flusstest.Authenticate:
						tries[r.Conn]++
					case r.API != flusstest.APIVersions && c.user != "" && r.User == "":
						early++
					}
					if c.hook == nil {
						return flusstest.Action{}
					}
					return c.hook(r)
				})
				db := openConfigured(t, cfg)
				defer db.Close()
				ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
				defer cancel()
				begin := time.Now()
				_, err := db.ExecContext(ctx, "CREATE DATABASE d")
				if err == nil {
					_, err = tryQuery(ctx, db, "SELECT * FROM d.nope")
				}
				if c.works {
					if !errors.Is(err, fluss.ErrTableNotExist) {
						t.Errorf("got %v, want to get through", err)
					}
				} else {
					if err == nil || !documented(err) || errors.Is(err, fluss.ErrTableNotExist) || c.is != nil && !errors.Is(err, c.is) {
						t.Errorf("got %v, want %v", err, c.is)
					}
					for _, w := range c.words {
						if !strings.Contains(fmt.Sprint(err), w) {
							t.Errorf("got %v, want it to say %q", err, w)
						}
					}
				}
				limit := c.atMost // 0: at once, since a refusal is not tried again
				if c.works {
					limit = time.Second
				}
				if took := time.Since(begin); took > limit {
					t.Errorf("took %v, want at most %v", took, limit)
				}
				mu.Lock()
				defer mu.Unlock()
				for conn, n := range tries {
					if c.authPerConn > 0 && n != c.authPerConn {
						t.Errorf("%d tries to authenticate on connection %d", n, conn)
					}
				}
				if early > 0 {
					t.Errorf("%d requests before the authentication succeeded", early)
				}
				if err != nil {
					secretFree(t, err, handshakePassword)
				}
				for _, text := range []string{logged.String(), fmt.Sprintf("%v %+v %#v", cfg, cfg, cfg)} {
					if strings.Contains(text, handshakePassword) {
						t.Errorf("the password is in %s", text)
					}
				}
			})
		})
	}
}

// D04: a listener that takes connections and never answers keeps no call, and no goroutine.
func TestD04NeverAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cfg := fluss.NewConfig("127.0.0.1:1")
		cfg.Dial = func(context.Context, string, string) (net.Conn, error) {
			client, server := net.Pipe()
			go func() { // ends when the client closes
				buffer := make([]byte, 1024)
				for {
					if _, err := server.Read(buffer); err != nil {
						return
					}
				}
			}()
			return client, nil
		}
		db := openConfigured(t, cfg)
		for _, r := range everyCall(db, func() (context.Context, context.CancelFunc) {
			return context.WithTimeout(context.Background(), time.Second)
		}) {
			if !errors.Is(r.err, context.DeadlineExceeded) || r.after != time.Second {
				t.Errorf("%s: got %v after %v, want DeadlineExceeded after 1s", r.call, r.err, r.after)
			}
		}
		pending := make(chan error, 1)
		go func() { pending <- db.Ping() }() // ended by Close
		time.Sleep(time.Second)
		if err := db.Close(); err != nil {
			t.Error(err)
		}
		if err := <-pending; err == nil {
			t.Error("Ping through a closed pool")
		}
	})
}
