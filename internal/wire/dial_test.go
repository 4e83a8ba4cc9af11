package wire

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss/internal/wire/flusspb"
)

var secret = &Credentials{User: "bob", Password: "hunter2"}

// checkToken answers as a PLAIN listener does for bob and hunter2.
func checkToken(p *peer, r Request) {
	var req flusspb.AuthenticateRequest
	if err := proto.Unmarshal(r.Body, &req); err != nil || req.GetProtocol() != "PLAIN" {
		p.refuse(r, CodeAuthenticate, "wrong mechanism")
		return
	}
	if string(req.Token) != "\x00bob\x00hunter2" {
		p.refuse(r, CodeAuthenticate, "bad token "+string(req.Token))
		return
	}
	p.ok(r, []byte{0x0a, 0x00})
}

func TestAuthenticate(t *testing.T) {
	times := func(n int, code ErrorCode) func(p *peer, r Request) {
		return func(p *peer, r Request) {
			if n--; n >= 0 {
				p.refuse(r, code, "later")
				return
			}
			checkToken(p, r)
		}
	}
	tests := []struct {
		name string
		cred *Credentials
		auth func(p *peer, r Request)
		code ErrorCode // of the *ServerError wanted
		want string    // in the error, "": success
	}{
		{name: "good", cred: secret, auth: checkToken},
		{name: "no challenge at all", cred: secret, auth: func(p *peer, r Request) { p.ok(r, nil) }},
		{name: "none", auth: func(p *peer, r Request) { panic("not asked for") }},
		{name: "wrong password", cred: &Credentials{"bob", "swordfish"}, auth: checkToken, code: CodeAuthenticate,
			want: "AUTHENTICATE: AUTHENTICATE at %s: AUTHENTICATE_EXCEPTION (46): bad token  bob ***"},
		{name: "plain listener", cred: secret, auth: func(p *peer, r Request) { p.refuse(r, CodeAuthenticate, "") },
			code: CodeAuthenticate, want: "AUTHENTICATE_EXCEPTION (46): Authentication failed."},
		{name: "other refusal", cred: secret, auth: times(9, CodeUnknownServerError), code: CodeUnknownServerError,
			want: "UNKNOWN_SERVER_ERROR (-1): later"},
		{name: "later, twice", cred: secret, auth: times(2, CodeRetriableAuthenticate)},
		{name: "later, then wrong", cred: &Credentials{"bob", "x"}, auth: times(1, CodeRetriableAuthenticate),
			code: CodeAuthenticate, want: "(46)"},
		{name: "challenge", cred: secret, auth: func(p *peer, r Request) { p.ok(r, []byte{0x0a, 0x01, 'c'}) },
			want: "handshake with %s: AUTHENTICATE: authentication: the server answered PLAIN with a challenge"},
		{name: "nonsense", cred: secret, auth: func(p *peer, r Request) { p.ok(r, []byte{0xff}) },
			want: "malformed AuthenticateResponse"},
		{name: "hang-up", cred: secret, auth: func(p *peer, r Request) { p.Close() },
			want: "handshake with %s: AUTHENTICATE: connection closed by the server"},
		{name: "cut", cred: secret, auth: func(p *peer, r Request) { p.raw([]byte{0, 0, 0}); p.Close() },
			want: "handshake with %s: AUTHENTICATE: unexpected EOF"},
		{name: "failure", cred: secret, auth: func(p *peer, r Request) {
			p.frame(ResponseFailure, 0, AppendErrorResponse(nil, -1, "x"))
		}, want: "the server failed"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				data := false
				s := &scripted{auth: test.auth, serve: func(p *peer, r Request) { data = true }}
				c, err := s.dialPipe(t.Context(), Config{SASL: test.cred}, nil)
				checkHandshake(t, c, err, test.want, test.cred)
				if refused, ok := errors.AsType[*ServerError](err); ok != (test.code != 0) || ok && refused.Code != test.code {
					t.Errorf("got %v, want a refusal with code %d", err, test.code)
				}
				synctest.Wait()
				if data {
					t.Error("a request was sent")
				}
			})
		})
	}
}

// checkHandshake looks at what Dial returned; want may hold a place for the address.
func checkHandshake(t *testing.T, c *Conn, err error, want string, cred *Credentials) {
	t.Helper()
	if want == "" {
		if err != nil {
			t.Fatalf("got %v, want success", err)
		}
		c.Close()
		return
	}
	if strings.Contains(want, "%s") {
		want = fmt.Sprintf(want, "pipe:1")
	}
	if _, ok := errors.AsType[*HandshakeError](err); !ok || c != nil || Sent(err) || !strings.Contains(err.Error(), want) {
		t.Fatalf("got %v, want %s", err, want)
	}
	if cred != nil && len(cred.Password) > 1 && strings.Contains(fmt.Sprintf("%v %+v %#v", err, err, err), cred.Password) {
		t.Errorf("the password shows: %v", err)
	}
}

// TestPasswordEchoed: a server that repeats the password does not get it into an error.
func TestPasswordEchoed(t *testing.T) {
	for _, password := range []string{"hunter2", "\n hunter2", "hunter2\x00hunter2\nhunter2", strings.Repeat("hunter2", 100), "\xffhunter2", "  ", ""} {
		cred := &Credentials{"bob", password}
		for name, auth := range map[string]func(*peer, Request){
			"refusal": func(p *peer, r Request) { p.refuse(r, CodeAuthenticate, "no user bob with "+password+" is known") },
			"later":   func(p *peer, r Request) { p.refuse(r, CodeRetriableAuthenticate, password) },
			"failure": func(p *peer, r Request) {
				p.frame(ResponseFailure, 0, AppendErrorResponse(nil, -1, "bad token \x00bob\x00"+password))
			},
			"challenge": func(p *peer, r Request) {
				p.ok(r, append([]byte{0x0a, byte(min(len(password), 100))}, password[:min(len(password), 100)]...))
			},
		} {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), time.Second)
				defer cancel()
				c, err := (&scripted{auth: auth}).dialPipe(ctx, Config{SASL: cred}, nil)
				if c != nil {
					c.Close()
				}
				if text := fmt.Sprintf("%v %+v %#v", err, err, errors.Unwrap(err)); strings.Contains(text, "hunter") {
					t.Errorf("%s: the password shows: %s", name, text)
				}
			})
		}
	}
}

// TestNoAuthenticateOffered: credentials are never just left out.
func TestNoAuthenticateOffered(t *testing.T) {
	s := &scripted{versions: func(r *flusspb.ApiVersionsResponse) { r.ApiVersions = r.ApiVersions[:3] }}
	synctest.Test(t, func(t *testing.T) {
		c, err := s.dialPipe(t.Context(), Config{SASL: secret}, nil)
		checkHandshake(t, c, err, "the server does not offer it", secret)
	})
}

// TestHandshakeEnds: silence, at any step, ends with the context or the connect timeout, and leaves no goroutine.
func TestHandshakeEnds(t *testing.T) {
	silent := func(*peer, Request) {}
	tests := []struct {
		name  string
		serve func(nc net.Conn)
		cred  *Credentials
	}{
		{"never reads", func(nc net.Conn) {}, nil},
		{"never answers", func(nc net.Conn) {
			for {
				if _, err := ReadRequest(nc, 0); err != nil {
					return
				}
			}
		}, nil},
		{"no word on the token", func(nc net.Conn) { (&scripted{auth: silent}).run(nc) }, secret},
		{"later for ever", func(nc net.Conn) {
			(&scripted{auth: func(p *peer, r Request) { p.refuse(r, CodeRetriableAuthenticate, "") }}).run(nc)
		}, secret},
	}
	for _, test := range tests {
		for _, byContext := range []bool{false, true} {
			synctest.Test(t, func(t *testing.T) {
				cfg := &Config{SASL: test.cred, ConnectTimeout: 10 * time.Second, WriteTimeout: time.Hour}
				cfg.Dial = func(context.Context, string, string) (net.Conn, error) {
					client, server := net.Pipe()
					go test.serve(server)
					return client, nil
				}
				ctx, cancel, want := t.Context(), context.CancelFunc(func() {}), 10*time.Second
				if byContext {
					want = time.Second
					ctx, cancel = context.WithTimeout(ctx, want)
				}
				defer cancel()
				start := time.Now()
				_, err := Dial(ctx, "pipe:1", cfg)
				if took := time.Since(start); took != want || !errors.Is(err, context.DeadlineExceeded) || Sent(err) {
					t.Errorf("%s: %v after %v, want %v", test.name, err, took, want)
				}
			})
		}
	}
}

// TestDialFails: nobody listens, or the context has ended.
func TestDialFails(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	l.Close()
	_, err = Dial(context.Background(), addr, &Config{})
	if e, ok := errors.AsType[*HandshakeError](err); !ok || e.Step != "connect" || Sent(err) || !strings.Contains(err.Error(), addr) {
		t.Errorf("nobody listens: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err = Dial(ctx, addr, &Config{}); !errors.Is(err, context.Canceled) {
		t.Errorf("ended context: %v", err)
	}
}

func TestTLS(t *testing.T) {
	web := httptest.NewTLSServer(nil) // for its certificate, valid for 127.0.0.1 and example.com
	defer web.Close()
	pool := x509.NewCertPool()
	pool.AddCert(web.Certificate())
	server := &tls.Config{Certificates: web.TLS.Certificates}
	s := &scripted{auth: checkToken, serve: echo}
	l, err := tls.Listen("tcp", "127.0.0.1:0", server)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			nc, err := l.Accept()
			if err != nil {
				return
			}
			go s.run(nc)
		}
	}()
	defer func() { l.Close(); <-done }()
	addr := l.Addr().String()

	c, err := Dial(context.Background(), addr, &Config{TLS: &tls.Config{RootCAs: pool}, SASL: secret})
	if err != nil {
		t.Fatal(err)
	}
	big := strings.Repeat("x", 3<<20)
	if body, err := c.Do(context.Background(), APILookup, 0, put(big)); err != nil || string(body) != big {
		t.Errorf("%d bytes, %v", len(body), err)
	}
	c.Close()

	for name, conf := range map[string]*tls.Config{
		"wrong name": {RootCAs: pool, ServerName: "elsewhere.test"}, "unknown authority": {},
	} {
		_, err = Dial(context.Background(), addr, &Config{TLS: conf})
		if e, ok := errors.AsType[*HandshakeError](err); !ok || e.Step != "tls" {
			t.Errorf("%s: %v", name, err)
		}
	}
	plain := s.listen(t)
	_, err = Dial(context.Background(), plain, &Config{TLS: &tls.Config{RootCAs: pool}, ConnectTimeout: time.Second})
	if e, ok := errors.AsType[*HandshakeError](err); !ok || e.Step != "tls" {
		t.Errorf("plain server: %v", err)
	}
}

// TestCredentialsPrint: no way of printing a Config shows them.
func TestCredentialsPrint(t *testing.T) {
	for _, format := range []string{"%v", "%+v", "%#v", "%s"} {
		for _, v := range []any{Config{SASL: secret}, secret, *secret} {
			if s := fmt.Sprintf(format, v); strings.Contains(s, "hunter2") || strings.Contains(s, "bob") {
				t.Errorf("%s: %s", format, s)
			}
		}
	}
}

// TestNoLeak: a bubble fails when a goroutine stays behind.
func TestNoLeak(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &scripted{serve: func(p *peer, r Request) {}, auth: checkToken}
		for _, cred := range []*Credentials{nil, secret, {"bob", "wrong"}} {
			for range 50 {
				c, err := s.dialPipe(t.Context(), Config{SASL: cred, MaxInFlight: 1}, nil)
				if err != nil {
					continue
				}
				for range 3 {
					c.Start(APILookup, time.Minute, put("x"), newCollect(t))
				}
				c.Close()
			}
		}
	})
}
