package conformance

import (
	"context"
	"crypto/tls"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gofluss/fluss"
)

// TestTLSLearntAddress: the first server is good, and those it names are not: one of another authority, one that speaks plain
// text, one that stalls within its handshake. Nothing but a handshake is sent to them, and the error says why.
func TestTLSLearntAddress(t *testing.T) {
	ca, other := newAuthority(t), newAuthority(t)
	plainDB := open(t)
	table := database(t, plainDB) + ".t"
	mustExec(t, plainDB, "CREATE TABLE "+table+" (k INT NOT NULL, v STRING, PRIMARY KEY (k) NOT ENFORCED)")
	mustExec(t, plainDB, "INSERT INTO "+table+" VALUES (1, 'x')")
	first := hosts(t)[0]
	for _, c := range []struct {
		name  string
		serve func(n *tlsNetwork, s *badServer, nc net.Conn, addr string)
		want  string
	}{
		{"another authority", func(n *tlsNetwork, s *badServer, nc net.Conn, addr string) {
			bad := &tlsNetwork{t: t, config: &tls.Config{Certificates: []tls.Certificate{other.certificate(nil)}}}
			bad.serve(s, nc, addr)
			if bad.shaken.Load() != 0 {
				t.Error("a handshake with a stranger came through")
			}
		}, "unknown authority"},
		{"plain text", func(n *tlsNetwork, s *badServer, nc net.Conn, addr string) { chatty(s, nc) }, "TLS handshake"},
		{"stalls within the handshake", func(n *tlsNetwork, s *badServer, nc net.Conn, addr string) {
			_ = tls.Server(&stuckAfter{Conn: nc, left: 100, s: s}, n.config).Handshake()
		}, "deadline"},
		{"silent", func(n *tlsNetwork, s *badServer, nc net.Conn, addr string) { silent(s, nc) }, "deadline"},
	} {
		t.Run(c.name, func(t *testing.T) {
			network := &tlsNetwork{t: t, config: &tls.Config{Certificates: []tls.Certificate{ca.certificate(nil)}}}
			var mu sync.Mutex
			begins := map[byte]int{}
			bad := newBadServer(t, func(s *badServer, nc net.Conn) {
				head := make([]byte, 1)
				if _, err := io.ReadFull(nc, head); err != nil {
					return
				}
				mu.Lock()
				begins[head[0]]++
				mu.Unlock()
				c.serve(network, s, &unread{Conn: nc, head: head}, first)
			})
			db := openConfig(t, func(cfg *fluss.Config) {
				cfg.Addresses = []string{first}
				cfg.TLSConfig = &tls.Config{RootCAs: ca.pool()}
				cfg.ConnectTimeout = callDeadline / 2
				cfg.Dial = func(ctx context.Context, netw, addr string) (net.Conn, error) {
					if addr == first {
						return network.dial(ctx, netw, addr)
					}
					return new(net.Dialer).DialContext(ctx, netw, bad.addr())
				}
			})
			ctx, cancel := context.WithTimeout(context.Background(), 2*callDeadline)
			defer cancel()
			begin := time.Now()
			_, err := tryQuery(ctx, db, "SELECT v FROM "+table+" WHERE k = 1")
			if took := time.Since(begin); err == nil || !documented(err) || !strings.Contains(err.Error(), c.want) || took > 2*callDeadline+callGrace {
				t.Errorf("got %v after %v, want %q", err, took, c.want)
			}
			db.Close()
			mu.Lock()
			defer mu.Unlock()
			const handshakeRecord = 22
			if begins[handshakeRecord] == 0 || len(begins) != 1 {
				t.Errorf("connections began with %v", begins)
			}
		})
	}
}

// TestTLSAtLeast12: a TLSConfig that says nothing about versions gets TLS 1.2 at least.
func TestTLSAtLeast12(t *testing.T) {
	ca := newAuthority(t)
	for _, version := range []uint16{tls.VersionTLS10, tls.VersionTLS11, tls.VersionTLS12, tls.VersionTLS13} {
		network := &tlsNetwork{t: t, config: &tls.Config{
			Certificates: []tls.Certificate{ca.certificate(nil)}, MinVersion: tls.VersionTLS10, MaxVersion: version,
		}}
		db := openConfig(t, func(cfg *fluss.Config) {
			cfg.Dial, cfg.TLSConfig = network.dial, &tls.Config{RootCAs: ca.pool()}
		})
		ctx, cancel := context.WithTimeout(context.Background(), refusalTimeout)
		err := db.PingContext(ctx)
		cancel()
		if ok := version >= tls.VersionTLS12; (err == nil) != ok {
			t.Errorf("%s: %v", tls.VersionName(version), err)
		}
		db.Close()
	}
}

// unread gives back a byte that was looked at.
type unread struct {
	net.Conn
	head []byte
}

func (c *unread) Read(b []byte) (int, error) {
	if len(c.head) > 0 {
		n := copy(b, c.head)
		c.head = c.head[n:]
		return n, nil
	}
	return c.Conn.Read(b)
}

// stuckAfter sends so many bytes and then no more, until the server is closed.
type stuckAfter struct {
	net.Conn
	left int
	s    *badServer
}

func (c *stuckAfter) Write(b []byte) (int, error) {
	n, err := c.Conn.Write(b[:min(len(b), c.left)])
	c.left -= n
	if n < len(b) && err == nil {
		io.Copy(io.Discard, c.Conn) // until the other side gives up
		return n, net.ErrClosed
	}
	return n, err
}
