package wire

import (
	"bufio"
	"context"
	"net"
	"sync"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss/internal/wire/flusspb"
)

// scripted is a server for tests: it shakes hands as a tablet server does and gives every other request to serve.
type scripted struct {
	serve func(p *peer, r Request)
	// auth answers AUTHENTICATE, nil: success with an empty challenge.
	auth func(p *peer, r Request)
	// versions changes the answer to API_VERSIONS, nil: the table's.
	versions func(*flusspb.ApiVersionsResponse)
}

// peer is the server's end of one connection.
type peer struct {
	net.Conn
	mu sync.Mutex
}

func (p *peer) frame(t ResponseType, id int32, body []byte) {
	p.raw(AppendResponse(nil, t, id, body))
}

func (p *peer) ok(r Request, body []byte) { p.frame(ResponseSuccess, r.ID, body) }

func (p *peer) refuse(r Request, code ErrorCode, text string) {
	p.frame(ResponseError, r.ID, AppendErrorResponse(nil, code, text))
}

func (p *peer) raw(b []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.Write(b)
}

// run serves one connection until it ends.
func (s *scripted) run(nc net.Conn) {
	defer nc.Close()
	p := &peer{Conn: nc}
	r := bufio.NewReader(nc)
	for {
		req, err := ReadRequest(r, 0)
		if err != nil {
			return
		}
		switch {
		case req.API == APIVersions:
			p.ok(req, s.versionsBody())
		case req.API == APIAuthenticate && s.auth != nil:
			s.auth(p, req)
		case req.API == APIAuthenticate:
			p.ok(req, []byte{0x0a, 0x00})
		case s.serve != nil:
			s.serve(p, req)
		}
	}
}

func (s *scripted) versionsBody() []byte {
	resp := &flusspb.ApiVersionsResponse{ServerType: proto.Int32(TabletServer)}
	for _, k := range APIKeys() {
		top, _ := k.MaxVersion()
		resp.ApiVersions = append(resp.ApiVersions, &flusspb.PbApiVersion{
			ApiKey: proto.Int32(int32(k)), MinVersion: proto.Int32(0), MaxVersion: proto.Int32(int32(top)),
		})
	}
	if s.versions != nil {
		s.versions(resp)
	}
	b, err := proto.Marshal(resp)
	if err != nil {
		panic(err)
	}
	return b
}

// listen serves on a loopback port until the test ends, and waits for all that runs for it.
func (s *scripted) listen(tb testing.TB) (addr string) {
	tb.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	var wg sync.WaitGroup
	var mu sync.Mutex
	conns := map[net.Conn]bool{}
	wg.Go(func() {
		for {
			nc, err := l.Accept()
			if err != nil {
				return
			}
			mu.Lock()
			conns[nc] = true
			mu.Unlock()
			wg.Go(func() { s.run(nc) })
		}
	})
	tb.Cleanup(func() {
		l.Close()
		mu.Lock()
		for nc := range conns {
			nc.Close()
		}
		mu.Unlock()
		wg.Wait()
	})
	return l.Addr().String()
}

// dial connects over TCP and closes at the end of the test.
func (s *scripted) dial(tb testing.TB, cfg Config) *Conn {
	tb.Helper()
	c, err := Dial(context.Background(), s.listen(tb), &cfg)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { c.Close() })
	return c
}

// dialPipe connects through memory, which works in a synctest bubble. wrap, if any, changes the client's end.
func (s *scripted) dialPipe(ctx context.Context, cfg Config, wrap func(net.Conn) net.Conn) (*Conn, error) {
	cfg.Dial = func(context.Context, string, string) (net.Conn, error) {
		client, server := net.Pipe()
		go s.run(server) // ends with the client's end of the pipe
		if wrap != nil {
			client = wrap(client)
		}
		return client, nil
	}
	return Dial(ctx, "pipe:1", &cfg)
}

// echo answers with the request's body.
func echo(p *peer, r Request) { p.ok(r, r.Body) }

// put encodes a body.
func put(b string) func([]byte) []byte {
	return func(dst []byte) []byte { return append(dst, b...) }
}

// collect is a handler that keeps what it is told, and fails the test when told twice.
type collect struct {
	tb   testing.TB
	done chan struct{}
	body []byte
	err  error
}

func newCollect(tb testing.TB) *collect { return &collect{tb: tb, done: make(chan struct{})} }

func (h *collect) Answered(body []byte, err error) {
	select {
	case <-h.done:
		h.tb.Error("answered twice")
	default:
		h.body, h.err = body, err
		close(h.done)
	}
}

// wait gives the answer; a call that is never answered fails the test.
func (h *collect) wait() ([]byte, error) {
	h.tb.Helper()
	select {
	case <-h.done:
	case <-time.After(20 * time.Second):
		h.tb.Fatal("not answered")
	}
	return h.body, h.err
}
