package conformance

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"io"
	"math/big"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gofluss/fluss"
)

// authority signs certificates.
type authority struct {
	t    *testing.T
	key  *ecdsa.PrivateKey
	cert *x509.Certificate
}

func newAuthority(t *testing.T) *authority {
	a := &authority{t: t}
	a.key = a.newKey()
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test authority"}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), KeyUsage: x509.KeyUsageCertSign,
	}
	var err error
	if a.cert, err = x509.ParseCertificate(a.sign(template, template, a.key)); err != nil {
		t.Fatal(err)
	}
	return a
}

func (a *authority) newKey() *ecdsa.PrivateKey {
	a.t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		a.t.Fatal(err)
	}
	return key
}

func (a *authority) sign(template, parent *x509.Certificate, key *ecdsa.PrivateKey) []byte {
	a.t.Helper()
	der, err := x509.CreateCertificate(rand.Reader, template, parent, &key.PublicKey, a.key)
	if err != nil {
		a.t.Fatal(err)
	}
	return der
}

// certificate makes one for a server, good for loopback unless change says otherwise.
func (a *authority) certificate(change func(*x509.Certificate)) tls.Certificate {
	a.t.Helper()
	template := &x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: "test server"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
	}
	if change != nil {
		change(template)
	}
	key := a.newKey()
	return tls.Certificate{Certificate: [][]byte{a.sign(template, a.cert, key)}, PrivateKey: key}
}

func (a *authority) pool() *x509.CertPool {
	p := x509.NewCertPool()
	p.AddCert(a.cert)
	return p
}

// tlsNetwork puts an encrypting proxy in front of every server that is dialed.
type tlsNetwork struct {
	config *tls.Config
	t      *testing.T

	dials, shaken atomic.Int64 // connections asked for, and those whose handshake came through

	mu      sync.Mutex
	proxies map[string]*badServer
}

func (n *tlsNetwork) dial(ctx context.Context, network, addr string) (net.Conn, error) {
	n.dials.Add(1)
	n.mu.Lock()
	p := n.proxies[addr]
	if p == nil {
		p = newBadServer(n.t, func(s *badServer, nc net.Conn) { n.serve(s, nc, addr) })
		if n.proxies == nil {
			n.proxies = map[string]*badServer{}
		}
		n.proxies[addr] = p
	}
	n.mu.Unlock()
	return new(net.Dialer).DialContext(ctx, network, p.addr())
}

func (n *tlsNetwork) serve(s *badServer, nc net.Conn, addr string) {
	secure := tls.Server(nc, n.config)
	if secure.Handshake() != nil {
		return
	}
	n.shaken.Add(1)
	up, err := net.DialTimeout("tcp", addr, callDeadline)
	if err != nil {
		return
	}
	s.work.Go(func() { // ends when either is closed
		defer secure.Close()
		io.Copy(secure, up)
	})
	defer up.Close()
	io.Copy(plain{up}, secure)
}

// TestTLS reads and writes through encrypting proxies, also at the addresses that only the metadata names.
func TestTLS(t *testing.T) {
	ca := newAuthority(t)
	if err := fluss.RegisterTLSConfig("conformance", &tls.Config{RootCAs: ca.pool()}); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*fluss.Config){
		"registered":  func(cfg *fluss.Config) { cfg.TLS = "conformance" },
		"config":      func(cfg *fluss.Config) { cfg.TLSConfig = &tls.Config{RootCAs: ca.pool()} },
		"skip-verify": func(cfg *fluss.Config) { cfg.TLS = "skip-verify" },
	} {
		t.Run(name, func(t *testing.T) {
			network := &tlsNetwork{t: t, config: &tls.Config{Certificates: []tls.Certificate{ca.certificate(nil)}}}
			db := openConfig(t, func(cfg *fluss.Config) {
				cfg.Dial = network.dial
				change(cfg)
			})
			table := database(t, db) + "." + strings.ReplaceAll(name, "-", "_")
			mustExec(t, db, "CREATE TABLE "+table+" (k INT NOT NULL, v STRING, PRIMARY KEY (k) NOT ENFORCED)")
			mustExec(t, db, "INSERT INTO "+table+" VALUES (1, ?)", strings.Repeat("x", 1<<20))
			if got := texts(queryAll(t, db, "SELECT v FROM "+table+" WHERE k = 1")); len(got) != 1 || len(got[0]) != 1<<20 {
				t.Errorf("%d rows", len(got))
			}
			if got := queryAll(t, db, "SELECT k FROM "+table+"$changelog"); len(got) != 1 {
				t.Errorf("%d changes", len(got))
			}
			if n := len(network.proxies); n < 2 {
				t.Errorf("%d servers were dialed, want coordinator and tablet server", n)
			}
			if network.dials.Load() != network.shaken.Load() {
				t.Errorf("%d connections, %d of them encrypted", network.dials.Load(), network.shaken.Load())
			}
			db.Close()
		})
	}
}

// TestTLSRefused: a server whose certificate is no good gets no byte of ours, and the error says why, soon.
func TestTLSRefused(t *testing.T) {
	ca := newAuthority(t)
	good := &tls.Config{RootCAs: ca.pool()}
	for _, c := range []struct {
		name   string
		server *tls.Config
		client *tls.Config // nil: tls=true
		want   string
	}{
		{"unknown authority", &tls.Config{Certificates: []tls.Certificate{ca.certificate(nil)}}, nil, "unknown authority"},
		{"other host", &tls.Config{Certificates: []tls.Certificate{ca.certificate(func(c *x509.Certificate) {
			c.IPAddresses = []net.IP{net.IPv4(127, 0, 0, 2)}
		})}}, good, "127.0.0.2"},
		{"expired", &tls.Config{Certificates: []tls.Certificate{ca.certificate(func(c *x509.Certificate) {
			c.NotAfter = time.Now().Add(-time.Minute)
		})}}, good, "expired"},
		{"TLS 1.1", &tls.Config{Certificates: []tls.Certificate{ca.certificate(nil)}, MinVersion: tls.VersionTLS10, MaxVersion: tls.VersionTLS11}, good, "protocol version"},
	} {
		t.Run(c.name, func(t *testing.T) {
			network := &tlsNetwork{t: t, config: c.server}
			db := openConfig(t, func(cfg *fluss.Config) {
				cfg.Dial = network.dial
				cfg.TLS, cfg.TLSConfig = "true", c.client
			})
			ctx, cancel := context.WithTimeout(context.Background(), refusalTimeout)
			defer cancel()
			err := db.PingContext(ctx)
			if err == nil || !strings.Contains(err.Error(), c.want) || errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("got %v, want %q", err, c.want)
			}
			if network.shaken.Load() != 0 {
				t.Error("a handshake came through")
			}
		})
	}
}

// firstByteConn keeps the first byte that is sent.
type firstByteConn struct {
	net.Conn
	once  sync.Once
	first chan<- byte
}

func (c *firstByteConn) Write(b []byte) (int, error) {
	c.once.Do(func() {
		select {
		case c.first <- b[0]:
		default:
		}
	})
	return c.Conn.Write(b)
}

// TestTLSWanted: with TLS wanted nothing is ever sent as plain text, whatever the server does; and a server that wants
// TLS is an error without it.
func TestTLSWanted(t *testing.T) {
	const handshakeRecord = 22
	silence := newBadServer(t, silent)
	chat := newBadServer(t, chatty)
	for name, addr := range map[string]string{"plain server": hosts(t)[0], "silent": silence.addr(), "hangs up": newBadServer(t, hangUp).addr(), "HTTP": chat.addr()} {
		t.Run(name, func(t *testing.T) {
			first := make(chan byte, 100)
			db := openConfig(t, func(cfg *fluss.Config) {
				cfg.Addresses, cfg.TLS = []string{addr}, "skip-verify"
				cfg.Dial = func(ctx context.Context, network, addr string) (net.Conn, error) {
					nc, err := new(net.Dialer).DialContext(ctx, network, addr)
					if err != nil {
						return nil, err
					}
					return &firstByteConn{Conn: nc, first: first}, nil
				}
			})
			ctx, cancel := context.WithTimeout(context.Background(), callDeadline)
			defer cancel()
			begin := time.Now()
			err := db.PingContext(ctx)
			if took := time.Since(begin); err == nil || !documented(err) || took > callDeadline+callGrace {
				t.Errorf("got %v after %v", err, took)
			}
			db.Close()
			close(first)
			for b := range first {
				if b != handshakeRecord {
					t.Errorf("a connection began with byte %d", b)
				}
			}
			t.Log(err)
		})
	}
	t.Run("without TLS", func(t *testing.T) {
		network := &tlsNetwork{t: t, config: &tls.Config{Certificates: []tls.Certificate{newAuthority(t).certificate(nil)}}}
		db := openConfig(t, func(cfg *fluss.Config) { cfg.Dial = network.dial })
		ctx, cancel := context.WithTimeout(context.Background(), callDeadline)
		defer cancel()
		if err := db.PingContext(ctx); err == nil || !documented(err) {
			t.Errorf("got %v", err)
		}
		db.Close()
	})
}
