package wire

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss/internal/wire/flusspb"
)

func TestDo(t *testing.T) {
	s := &scripted{serve: echo}
	c := s.dial(t, Config{})
	if c.ServerType() != TabletServer {
		t.Errorf("server type %d", c.ServerType())
	}
	if v, ok := c.Version(APILookup); v != 1 || !ok {
		t.Errorf("LOOKUP version %d, %v, want 1", v, ok)
	}
	for _, body := range []string{"", "x", strings.Repeat("y", 100_000), strings.Repeat("z", 5<<20)} {
		got, err := c.Do(context.Background(), APILookup, time.Minute, put(body))
		if err != nil || string(got) != body {
			t.Errorf("%d bytes: got %d bytes, %v", len(body), len(got), err)
		}
	}
	if got, err := c.Do(context.Background(), APILookup, 0, nil); err != nil || got == nil || len(got) != 0 {
		t.Errorf("no body: %v, %v", got, err)
	}
}

func TestCall(t *testing.T) {
	s := &scripted{serve: func(p *peer, r Request) {
		if r.API == APIGetTableInfo {
			p.refuse(r, CodeTableNotExist, "Table 'a.b' does not exist.\n\tat org.apache.Fluss")
			return
		}
		p.ok(r, []byte{0x08, 0x01})
	}}
	var calls []CallInfo
	var mu sync.Mutex
	c := s.dial(t, Config{OnCall: func(i CallInfo) {
		mu.Lock()
		calls = append(calls, i)
		mu.Unlock()
	}})
	ctx := context.Background()
	var exists flusspb.DatabaseExistsResponse
	err := c.Call(ctx, APIDatabaseExists, 0, &flusspb.DatabaseExistsRequest{DatabaseName: proto.String("a")}, &exists)
	if err != nil || !exists.GetExists() {
		t.Errorf("exists %v, %v", exists.GetExists(), err)
	}
	path := &flusspb.PbTablePath{DatabaseName: proto.String("a"), TableName: proto.String("b")}
	err = c.Call(ctx, APIGetTableInfo, 0, &flusspb.GetTableInfoRequest{TablePath: path}, &flusspb.GetTableInfoResponse{})
	want := fmt.Sprintf("GET_TABLE_INFO at %s: TABLE_NOT_EXIST (7): Table 'a.b' does not exist.", c.Addr())
	if err == nil || err.Error() != want || !Sent(err) {
		t.Errorf("refusal %v, want %s", err, want)
	}
	if err := c.Call(ctx, APIGetTableInfo, 0, &flusspb.GetTableInfoRequest{}, &exists); err == nil || Sent(err) {
		t.Errorf("a missing required field: %v", err)
	}
	var decode *DecodeError
	if err := c.Call(ctx, APILookup, 0, &flusspb.LookupRequest{TableId: proto.Int64(1)}, &flusspb.GetTableInfoResponse{}); !errors.As(err, &decode) || !Sent(err) {
		t.Errorf("a wrong answer: %v", err)
	}
	mu.Lock()
	defer mu.Unlock()
	if len(calls) != 4 || calls[0].API != APIVersions || calls[2].Err == nil || calls[1].ResponseBytes != 2 || calls[1].RequestBytes == 0 {
		t.Errorf("hook saw %+v", calls)
	}
}

// TestOutOfOrder holds answers back and gives them in reverse.
func TestOutOfOrder(t *testing.T) {
	const n = 40
	var held []Request
	s := &scripted{serve: func(p *peer, r Request) {
		if held = append(held, r); len(held) < n {
			return
		}
		for i := n - 1; i >= 0; i-- {
			p.ok(held[i], held[i].Body)
		}
	}}
	c := s.dial(t, Config{})
	var hs []*collect
	for i := range n {
		h := newCollect(t)
		c.Start(APILookup, 0, put(fmt.Sprint(i)), h)
		hs = append(hs, h)
	}
	for i, h := range hs {
		if body, err := h.wait(); err != nil || string(body) != fmt.Sprint(i) {
			t.Errorf("call %d: %q, %v", i, body, err)
		}
	}
}

// TestMaxInFlight: frames beyond the limit wait, in order, and are sent as answers come.
func TestMaxInFlight(t *testing.T) {
	var open, most atomic.Int32
	gate := make(chan struct{})
	var order []string
	s := &scripted{serve: func(p *peer, r Request) {
		order = append(order, string(r.Body))
		most.Store(max(most.Load(), open.Add(1)))
		go func() {
			<-gate
			open.Add(-1)
			p.ok(r, r.Body)
		}()
	}}
	c := s.dial(t, Config{MaxInFlight: 3})
	var hs []*collect
	for i := range 50 {
		h := newCollect(t)
		c.Start(APILookup, 0, put(fmt.Sprint(i)), h)
		hs = append(hs, h)
	}
	if a, w := c.InFlight(); a != 3 || w != 47 {
		t.Errorf("%d in flight and %d waiting, want 3 and 47", a, w)
	}
	close(gate)
	for i, h := range hs {
		if body, err := h.wait(); err != nil || string(body) != fmt.Sprint(i) {
			t.Errorf("call %d: %q, %v", i, body, err)
		}
	}
	if most.Load() > 3 {
		t.Errorf("%d in flight at once, want 3 at most", most.Load())
	}
	c.Close()
	for i, b := range order {
		if b != fmt.Sprint(i) {
			t.Fatalf("order %v", order)
		}
	}
}

// TestCrowd runs 64 callers with random cancels against a server that answers out of order.
func TestCrowd(t *testing.T) {
	s := &scripted{serve: func(p *peer, r Request) {
		switch d := rand.N(20); {
		case d < 15:
			echo(p, r)
		case d < 19:
			go func() {
				time.Sleep(rand.N(2 * time.Millisecond))
				echo(p, r)
			}()
		}
	}}
	c := s.dial(t, Config{})
	var wg sync.WaitGroup
	var good, cancelled, silent atomic.Int32
	for g := range 64 {
		wg.Go(func() {
			for i := range 100 {
				ctx, cancel := context.Background(), context.CancelFunc(func() {})
				if rand.N(3) == 0 {
					ctx, cancel = context.WithTimeout(ctx, rand.N(2*time.Millisecond))
				}
				want := fmt.Sprintf("%d/%d%s", g, i, strings.Repeat("x", rand.N(300)))
				got, err := c.Do(ctx, APILookup, 30*time.Millisecond, put(want))
				cancel()
				var silence *SilenceError
				switch {
				case err == nil && string(got) == want:
					good.Add(1)
				case errors.Is(err, context.DeadlineExceeded):
					cancelled.Add(1)
				case errors.As(err, &silence):
					silent.Add(1)
				default:
					t.Errorf("got %q, %v, want %q", got, err, want)
				}
			}
		})
	}
	wg.Wait()
	if c.Err() != nil {
		t.Errorf("connection broke: %v", c.Err())
	}
	t.Logf("%d answered, %d cancelled, %d silent", good.Load(), cancelled.Load(), silent.Load())
}

// TestStartFromAnswered chains calls on the read loop.
func TestStartFromAnswered(t *testing.T) {
	s := &scripted{serve: echo}
	c := s.dial(t, Config{MaxInFlight: 1})
	done := make(chan error, 1)
	n := 0
	var next handlerFunc
	next = func(_ []byte, err error) {
		if n++; err != nil || n == 1000 {
			done <- err
			return
		}
		c.Start(APILookup, time.Minute, put(strings.Repeat("x", n*10)), next)
	}
	c.Start(APILookup, time.Minute, nil, next)
	if err := <-done; err != nil {
		t.Error(err)
	}
}

type handlerFunc func([]byte, error)

func (f handlerFunc) Answered(body []byte, err error) { f(body, err) }

// TestLimits: too large an answer or request fails its call alone.
func TestLimits(t *testing.T) {
	s := &scripted{serve: func(p *peer, r Request) {
		if string(r.Body) == "big" {
			p.ok(r, make([]byte, 300_000))
			return
		}
		echo(p, r)
	}}
	c := s.dial(t, Config{MaxResponse: 1000, MaxRequest: 5000})
	other := newCollect(t)
	c.Start(APILookup, 0, put("x"), other)
	_, err := c.Do(context.Background(), APILookup, 0, put("big"))
	var large *ErrResponseTooLarge
	if !errors.As(err, &large) || large.Size != 300_000 || large.Limit != 1000 || large.API != APILookup || !Sent(err) {
		t.Errorf("large answer: %v", err)
	}
	_, err = c.Do(context.Background(), APILookup, 0, put(strings.Repeat("x", 4989)))
	var request *ErrRequestTooLarge
	if !errors.As(err, &request) || request.Size != 5001 || Sent(err) {
		t.Errorf("large request: %v", err)
	}
	if body, err := other.wait(); err != nil || string(body) != "x" {
		t.Errorf("the other call: %q, %v", body, err)
	}
	if body, err := c.Do(context.Background(), APILookup, 0, put("after")); err != nil || string(body) != "after" {
		t.Errorf("the next call: %q, %v", body, err)
	}
}

// TestUnsupported: an API the server does not list is refused without a byte sent.
func TestUnsupported(t *testing.T) {
	s := &scripted{versions: func(r *flusspb.ApiVersionsResponse) {
		r.ApiVersions = []*flusspb.PbApiVersion{
			{ApiKey: proto.Int32(int32(APILookup)), MinVersion: proto.Int32(7), MaxVersion: proto.Int32(9)},
			{ApiKey: proto.Int32(int32(APIPutKV)), MinVersion: proto.Int32(0), MaxVersion: proto.Int32(9)},
			{ApiKey: proto.Int32(int32(APIFetchLog)), MinVersion: proto.Int32(0), MaxVersion: proto.Int32(-1)},
			{ApiKey: proto.Int32(-70000), MinVersion: proto.Int32(0), MaxVersion: proto.Int32(0)},
			{ApiKey: proto.Int32(1061), MinVersion: proto.Int32(0), MaxVersion: proto.Int32(0)},
		}
	}}
	c := s.dial(t, Config{})
	for _, k := range []APIKey{APILookup, APIFetchLog, APIGetMetadata, 1061, -1} {
		_, err := c.Do(context.Background(), k, 0, nil)
		var unsupported *UnsupportedError
		if !errors.As(err, &unsupported) || Sent(err) {
			t.Errorf("%v: %v", k, err)
		}
		h := newCollect(t)
		c.Start(k, 0, nil, h)
		if _, err := h.wait(); !errors.As(err, &unsupported) {
			t.Errorf("%v: %v", k, err)
		}
	}
	if v, ok := c.Version(APIPutKV); v != 1 || !ok {
		t.Errorf("PUT_KV version %d, %v, want 1", v, ok)
	}
}
