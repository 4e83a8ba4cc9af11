package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestNonsense: bytes that break the connection, each with the calls in flight.
func TestNonsense(t *testing.T) {
	tests := []struct {
		name string
		raw  []byte
		want string
	}{
		{"failure", AppendResponse(nil, ResponseFailure, 0, AppendErrorResponse(nil, -1, "bad frame\nstack")), "the server failed: UNKNOWN_SERVER_ERROR (-1): bad frame"},
		{"foreign id", AppendResponse(nil, ResponseSuccess, 77, nil), "answer to request 77, which was never sent"},
		{"foreign id, large", AppendResponse(nil, ResponseSuccess, -3, make([]byte, 200_000)), "answer to request -3, which was never sent"},
		{"negative length", []byte{0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0, 1}, "response length -1 of type 0"},
		{"most negative length", []byte{0x80, 0, 0, 0, 0, 0, 0, 0, 1}, "response length -2147483648 of type 0"},
		{"short", []byte{0, 0, 0, 4, 0, 0, 0, 0, 1}, "response length 4 of type 0"},
		{"unknown type", []byte{0, 0, 0, 9, 3, 0, 0, 0, 1}, "response type 3"},
		{"too long to skip", []byte{0x7f, 0xff, 0xff, 0xff, 0, 0, 0, 0, 1}, "too much to skip"},
		{"cut in a header", []byte{0, 0, 0}, "unexpected EOF"},
		{"cut in a body", []byte{0, 0, 0, 200, 0, 0, 0, 0, 1, 9}, "unexpected EOF"},
		{"closed", nil, "connection closed by the server"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			n := 0
			s := &scripted{serve: func(p *peer, r Request) {
				if n++; n == 3 {
					p.raw(test.raw)
					p.Close()
				}
			}}
			c := s.dial(t, Config{})
			var hs []*collect
			for range 3 {
				h := newCollect(t)
				c.Start(APIPutKV, 0, nil, h)
				hs = append(hs, h)
			}
			for _, h := range hs {
				_, err := h.wait()
				if err == nil || !Sent(err) {
					t.Fatalf("got %v, want a call that was sent", err)
				}
				var refused *ServerError
				var large *ErrResponseTooLarge
				if errors.As(err, &refused) {
					t.Errorf("%v looks like an answer", err)
				}
				if !errors.As(err, &large) && !strings.Contains(err.Error(), test.want) {
					t.Errorf("got %v, want %s", err, test.want)
				}
			}
			<-c.Done()
			if err := c.Err(); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("connection: %v, want %s", err, test.want)
			}
			_, err := c.Do(context.Background(), APIPutKV, 0, nil)
			if err == nil || Sent(err) {
				t.Errorf("later call: %v, want one not sent", err)
			}
		})
	}
}

// TestDuplicateAnswer: a second answer with an old id reaches nobody.
func TestDuplicateAnswer(t *testing.T) {
	s := &scripted{serve: func(p *peer, r Request) {
		p.ok(r, r.Body)
		p.ok(r, []byte("again"))
		p.ok(r, make([]byte, 100_000))
	}}
	c := s.dial(t, Config{})
	for i := range 100 {
		want := fmt.Sprint(i)
		if got, err := c.Do(context.Background(), APILookup, 0, put(want)); err != nil || string(got) != want {
			t.Fatalf("got %q, %v, want %q", got, err, want)
		}
	}
}

// TestMalformedRefusal: an error answer that does not parse fails its call alone.
func TestMalformedRefusal(t *testing.T) {
	for _, body := range [][]byte{nil, {0x08}, {0x08, 0x00}} {
		s := &scripted{serve: func(p *peer, r Request) { p.frame(ResponseError, r.ID, body) }}
		c := s.dial(t, Config{})
		_, err := c.Do(context.Background(), APILookup, 0, nil)
		var decode *DecodeError
		if !errors.As(err, &decode) || !Sent(err) || c.Err() != nil {
			t.Errorf("%x: %v, connection %v", body, err, c.Err())
		}
	}
}

// TestClose fails what is in flight and what waits, and tells them apart.
func TestClose(t *testing.T) {
	got := make(chan struct{}, 10)
	s := &scripted{serve: func(*peer, Request) { got <- struct{}{} }}
	c := s.dial(t, Config{MaxInFlight: 2})
	var hs []*collect
	for range 4 {
		h := newCollect(t)
		c.Start(APIPutKV, 0, nil, h)
		hs = append(hs, h)
	}
	<-got
	<-got
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() { c.Close() })
	}
	wg.Wait()
	for i, h := range hs {
		_, err := h.wait()
		if !errors.Is(err, ErrClosed) || Sent(err) != (i < 2) {
			t.Errorf("call %d: sent %v, %v", i, Sent(err), err)
		}
	}
	if !errors.Is(c.Err(), ErrClosed) {
		t.Error(c.Err())
	}
}

// TestDribble reads an answer byte by byte, and is cut at every position of the stream.
func TestDribble(t *testing.T) {
	answers := AppendResponse(nil, ResponseError, 1, AppendErrorResponse(nil, CodeTableNotExist, "gone"))
	answers = AppendResponse(answers, ResponseSuccess, 2, []byte("fine"))
	for cut := range len(answers) + 1 {
		n := 0
		s := &scripted{serve: func(p *peer, r Request) {
			if n++; n < 2 {
				return
			}
			for i := range cut {
				p.raw(answers[i : i+1])
			}
			p.Close()
		}}
		c, err := s.dialPipe(context.Background(), Config{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		first, second := newCollect(t), newCollect(t)
		c.Start(APILookup, 0, nil, first)
		c.Start(APILookup, 0, nil, second)
		_, err = first.wait()
		refused, answered := errors.AsType[*ServerError](err)
		if whole := cut >= responseHeader+8; answered != whole || answered && refused.Code != CodeTableNotExist {
			t.Errorf("cut at %d: first call %v", cut, err)
		}
		body, err := second.wait()
		if whole := cut == len(answers); whole != (err == nil) || whole && string(body) != "fine" || !whole && !Sent(err) {
			t.Errorf("cut at %d: second call %q, %v", cut, body, err)
		}
		c.Close()
	}
	t.Logf("%d cuts", len(answers)+1)
}

// cutConn takes so many bytes and then fails every write.
type cutConn struct {
	net.Conn
	left int
}

func (c *cutConn) Write(b []byte) (int, error) {
	if c.left >= len(b) {
		c.left -= len(b)
		return c.Conn.Write(b)
	}
	n, _ := c.Conn.Write(b[:c.left])
	c.left -= n
	c.Conn.Close()
	return n, io.ErrClosedPipe
}

// TestSent cuts the client's stream at every position: a frame of which no byte left is reported as not sent, one
// that left in part as not whole.
func TestSent(t *testing.T) {
	const calls, frame = 3, requestHeader + 5
	handshake := 0
	count := &scripted{serve: func(*peer, Request) {}}
	c, err := count.dialPipe(context.Background(), Config{OnCall: func(i CallInfo) { handshake = max(handshake, i.RequestBytes) }}, nil)
	if err != nil {
		t.Fatal(err)
	}
	c.Close()
	for cut := range calls*frame + 1 {
		got := make(chan struct{}, calls)
		s := &scripted{serve: func(*peer, Request) { got <- struct{}{} }}
		c, err := s.dialPipe(context.Background(), Config{}, func(nc net.Conn) net.Conn {
			return &cutConn{Conn: nc, left: handshake + cut}
		})
		if err != nil {
			t.Fatal(err)
		}
		var hs []*collect
		for range calls {
			h := newCollect(t)
			c.Start(APIPutKV, 0, put("12345"), h)
			hs = append(hs, h)
		}
		if cut == calls*frame {
			for range calls {
				<-got
			}
			c.Close()
		}
		for i, h := range hs {
			_, err := h.wait()
			if want := cut > i*frame; err == nil || Sent(err) != want {
				t.Errorf("cut at %d, call %d: sent %v, want %v (%v)", cut, i, Sent(err), want, err)
			}
			if want := cut >= (i+1)*frame; Whole(err) != want {
				t.Errorf("cut at %d, call %d: whole %v, want %v (%v)", cut, i, Whole(err), want, err)
			}
		}
		c.Close()
	}
	t.Logf("%d cuts", calls*frame+1)
}

// TestFrozenServer: a server that shakes hands and then stops reading holds nobody longer than his context, and
// Close not at all.
func TestFrozenServer(t *testing.T) {
	block := make(chan struct{})
	s := &scripted{serve: func(*peer, Request) { <-block }}
	c := s.dial(t, Config{})
	defer close(block)
	var wg sync.WaitGroup
	start := time.Now()
	for i := range 64 {
		wg.Go(func() {
			ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
			defer cancel()
			_, err := c.Do(ctx, APIPutKV, 0, func(b []byte) []byte { return append(b, make([]byte, i%8*300_000)...) })
			if !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("got %v", err)
			}
		})
	}
	wg.Wait()
	c.Close()
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("took %v", took)
	}
}

// TestLastWords: the server's reason is told, although the write of the refused frame fails first.
func TestLastWords(t *testing.T) {
	words := AppendResponse(nil, ResponseFailure, 0, AppendErrorResponse(nil, CodeUnknownServerError, "too large"))
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		nc, err := l.Accept()
		if err != nil {
			return
		}
		p := &peer{Conn: nc}
		if r, err := ReadRequest(nc, 0); err == nil {
			p.ok(r, new(scripted).versionsBody())
		}
		io.ReadFull(nc, make([]byte, requestHeader))
		p.raw(words)
		nc.Close()
	}()
	c, err := Dial(context.Background(), l.Addr().String(), &Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_, err = c.Do(context.Background(), APIPutKV, 0, func(b []byte) []byte { return append(b, make([]byte, 50<<20)...) })
	if failure, ok := errors.AsType[*ServerFailure](err); !ok || failure.Message != "too large" || !Sent(err) {
		t.Errorf("got %v", err)
	}
}
