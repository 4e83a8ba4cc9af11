package wire

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"strings"
	"sync"
	"testing"
	"time"
)

// rested makes calls until the read loop rests, so that the next caller reads by itself.
func rested(t *testing.T, c *Conn) {
	t.Helper()
	for range 10_000 {
		if _, err := c.Do(context.Background(), APILookup, time.Minute, put("rest")); err != nil {
			t.Fatal(err)
		}
		c.mu.Lock()
		rests := c.reader == nobodyReads
		c.mu.Unlock()
		if rests {
			return
		}
	}
	t.Fatal("the read loop never rests")
}

// holds is a server that echoes, but keeps back what begins with "hold", until its body is sent to release.
func holds() (s *scripted, held chan Request, release func(Request)) {
	held = make(chan Request, 10)
	var mu sync.Mutex
	var last *peer
	return &scripted{serve: func(p *peer, r Request) {
			mu.Lock()
			last = p
			mu.Unlock()
			if strings.HasPrefix(string(r.Body), "hold") {
				held <- r
				return
			}
			echo(p, r)
		}}, held, func(r Request) {
			mu.Lock()
			defer mu.Unlock()
			echo(last, r)
		}
}

func mustEcho(t *testing.T, c *Conn, body string) {
	t.Helper()
	if got, err := c.Do(context.Background(), APILookup, time.Minute, put(body)); err != nil || string(got) != body {
		t.Fatalf("got %.40q, %v, want %.40q", got, err, body)
	}
}

func TestCallerReads(t *testing.T) {
	s, _, _ := holds()
	c := s.dial(t, Config{})
	rested(t, c)
	for i := range 100 {
		mustEcho(t, c, strings.Repeat("x", i*i*10)) // those over 64 KiB are the read loop's
	}
}

// A connection whose read loop rests still notices its end.
func TestRestEnds(t *testing.T) {
	var peers []*peer
	s := &scripted{serve: func(p *peer, r Request) {
		peers = append(peers, p)
		echo(p, r)
	}}
	c := s.dial(t, Config{})
	rested(t, c)
	peers[0].Close()
	select {
	case <-c.Done():
	case <-time.After(20 * time.Second):
		t.Fatal("the end of an idle connection was not noticed")
	}
}

func TestCallerReadsAndLeaves(t *testing.T) {
	s, held, release := holds()
	c := s.dial(t, Config{})
	for range 20 {
		rested(t, c)
		ctx, cancel := context.WithCancel(context.Background())
		var late Request
		go func() {
			late = <-held
			cancel()
		}()
		if _, err := c.Do(ctx, APILookup, time.Minute, put("hold")); !errors.Is(err, context.Canceled) {
			t.Fatalf("got %v", err)
		}
		mustEcho(t, c, "meanwhile")
		release(late)
		mustEcho(t, c, "afterwards")
	}
}

// Half of an answer is there when the caller that reads gives up.
func TestCallerLeavesHalfAnAnswer(t *testing.T) {
	half := make(chan func(), 1)
	s := &scripted{serve: func(p *peer, r Request) {
		b := AppendResponse(nil, ResponseSuccess, r.ID, r.Body)
		if !strings.HasPrefix(string(r.Body), "half") {
			p.raw(b)
			return
		}
		cut := int(r.Body[4] - '0')
		p.raw(b[:cut])
		half <- func() { p.raw(b[cut:]) }
	}}
	c := s.dial(t, Config{})
	for cut := range 10 {
		rested(t, c)
		ctx, cancel := context.WithCancel(context.Background())
		var rest func()
		go func() {
			rest = <-half
			cancel()
		}()
		if _, err := c.Do(ctx, APILookup, time.Minute, put(fmt.Sprint("half", cut))); !errors.Is(err, context.Canceled) {
			t.Fatalf("got %v", err)
		}
		rest()
		mustEcho(t, c, "afterwards")
	}
}

func TestCallerReadsInSilence(t *testing.T) {
	s, held, release := holds()
	c := s.dial(t, Config{})
	rested(t, c)
	var silence *SilenceError
	if _, err := c.Do(context.Background(), APILookup, 20*time.Millisecond, put("hold")); !errors.As(err, &silence) {
		t.Fatalf("got %v", err)
	}
	release(<-held)
	mustEcho(t, c, "afterwards")
}

// Whoever reads delivers the answers of others too, and gives the reading back when its own comes first.
func TestCallerReadsForOthers(t *testing.T) {
	for _, own := range []bool{true, false} {
		s, held, release := holds()
		c := s.dial(t, Config{})
		rested(t, c)
		var alone, other Request
		joined := newCollect(t)
		go func() {
			alone = <-held
			c.Start(APILookup, time.Minute, put("hold other"), joined)
			other = <-held
			if own {
				release(alone)
			} else {
				release(other)
				joined.wait()
				release(alone)
			}
		}()
		mustEcho(t, c, "hold alone")
		if own {
			release(other)
		}
		if body, err := joined.wait(); err != nil || string(body) != "hold other" {
			t.Errorf("got %q, %v", body, err)
		}
	}
}

func TestCallerReadsTheEnd(t *testing.T) {
	hangUp := &scripted{serve: func(p *peer, r Request) {
		if string(r.Body) == "end" {
			p.Close()
			return
		}
		echo(p, r)
	}}
	c := hangUp.dial(t, Config{})
	rested(t, c)
	var call *CallError
	if _, err := c.Do(context.Background(), APILookup, time.Minute, put("end")); !errors.As(err, &call) || !call.Sent() {
		t.Errorf("server hung up: got %v", err)
	}
	failure := &scripted{serve: func(p *peer, r Request) {
		if string(r.Body) == "end" {
			p.raw(failureFrame(CodeUnknownServerError, "told"))
			return
		}
		echo(p, r)
	}}
	c = failure.dial(t, Config{})
	rested(t, c)
	var said *ServerFailure
	if _, err := c.Do(context.Background(), APILookup, time.Minute, put("end")); !errors.As(err, &said) || said.Message != "told" {
		t.Errorf("server failed: got %v", err)
	}
	s, held, _ := holds()
	c = s.dial(t, Config{})
	rested(t, c)
	go func() {
		<-held
		c.Close()
	}()
	if _, err := c.Do(context.Background(), APILookup, time.Minute, put("hold")); !errors.Is(err, ErrClosed) {
		t.Errorf("closed: got %v", err)
	}
}

func failureFrame(code ErrorCode, text string) []byte {
	return AppendResponse(nil, ResponseFailure, 0, AppendErrorResponse(nil, code, text))
}

// A caller that is alone now and then, among others that come and go and give up.
func TestCallersTakeTurns(t *testing.T) {
	s := &scripted{serve: func(p *peer, r Request) {
		if rand.N(50) == 0 {
			go func() {
				time.Sleep(rand.N(2 * time.Millisecond))
				echo(p, r)
			}()
			return
		}
		echo(p, r)
	}}
	c := s.dial(t, Config{})
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			for i := range 600 {
				if i%100 == 50*(g%2) {
					time.Sleep(rand.N(20 * time.Millisecond)) // leaves the others alone
				}
				ctx, cancel := context.Background(), context.CancelFunc(func() {})
				if rand.N(4) == 0 {
					ctx, cancel = context.WithTimeout(ctx, rand.N(time.Millisecond))
				}
				want := fmt.Sprintf("%d/%d%s", g, i, strings.Repeat("x", rand.N(300)))
				if rand.N(30) == 0 {
					want += strings.Repeat("y", 100<<10)
				}
				got, err := c.Do(ctx, APILookup, time.Minute, put(want))
				cancel()
				if (err != nil || string(got) != want) && !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("got %.40q, %v, want %.40q", got, err, want)
				}
			}
		})
	}
	wg.Wait()
	if c.Err() != nil {
		t.Errorf("connection broke: %v", c.Err())
	}
}

// Only a socket is read by callers: of another transport nobody knows whether it can be interrupted.
func TestCallerDoesNotReadAPipe(t *testing.T) {
	s := &scripted{serve: echo}
	c, err := s.dialPipe(context.Background(), Config{}, func(nc net.Conn) net.Conn { return nc })
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for range 100 {
		mustEcho(t, c, "x")
		if c.mu.Lock(); c.reader != loopReads {
			t.Error("the read loop rests")
		}
		c.mu.Unlock()
	}
}
