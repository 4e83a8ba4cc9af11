package wire

import (
	"context"
	"errors"
	"net"
	"testing"
	"testing/synctest"
	"time"
)

// bubble runs f with a connection through memory, under a clock of its own.
func bubble(t *testing.T, s *scripted, cfg Config, f func(t *testing.T, c *Conn)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		c, err := s.dialPipe(t.Context(), cfg, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		f(t, c)
	})
}

// TestSilence: each call ends at its own limit, within a tenth, and the connection lives on.
func TestSilence(t *testing.T) {
	s := &scripted{serve: func(p *peer, r Request) {
		if string(r.Body) == "answer" {
			echo(p, r)
		}
	}}
	bubble(t, s, Config{}, func(t *testing.T, c *Conn) {
		start := time.Now()
		limits := []time.Duration{3 * time.Second, time.Second, 10 * time.Second, 1100 * time.Millisecond, 0}
		took := make([]time.Duration, len(limits))
		var hs []*collect
		for i, limit := range limits {
			h := newCollect(t)
			hs = append(hs, h)
			c.Start(APILookup, limit, put("silent"), handlerFunc(func(b []byte, err error) {
				took[i] = time.Since(start)
				h.Answered(b, err)
			}))
		}
		for range 100 {
			if _, err := c.Do(t.Context(), APILookup, 500*time.Millisecond, put("answer")); err != nil {
				t.Fatal(err)
			}
			time.Sleep(50 * time.Millisecond)
		}
		time.Sleep(10 * time.Second)
		synctest.Wait()
		for i, limit := range limits[:4] {
			var silence *SilenceError
			if !errors.As(hs[i].err, &silence) || !Sent(hs[i].err) || silence.After != limit {
				t.Errorf("limit %v: %v", limit, hs[i].err)
			}
			if d := took[i] - limit; d < -limit/10 || d > limit/10 {
				t.Errorf("limit %v took %v", limit, took[i])
			}
		}
		if a, w := c.InFlight(); a != 1 || w != 0 || c.Err() != nil {
			t.Errorf("%d in flight, %d waiting, %v; want the one without a limit", a, w, c.Err())
		}
	})
}

// TestSilenceShared: a server that keeps silent for the limit of one call keeps silent for those sent later, too. Calls with
// longer limits go on, and so do all where anything was heard since the first of them left.
func TestSilenceShared(t *testing.T) {
	s := &scripted{serve: func(p *peer, r Request) {
		if string(r.Body) == "answer" {
			echo(p, r)
		}
	}}
	for _, heard := range []bool{false, true} {
		bubble(t, s, Config{}, func(t *testing.T, c *Conn) {
			start := time.Now()
			const limit = 3 * time.Second
			type sent struct{ limit, at time.Duration }
			calls := []sent{{limit, 0}, {limit, time.Second}, {10 * time.Second, 0}, {limit, 2900 * time.Millisecond}}
			ended := make([]time.Duration, len(calls))
			for i, k := range calls {
				time.AfterFunc(k.at, func() {
					c.Start(APILookup, k.limit, put("silent"), handlerFunc(func([]byte, error) { ended[i] = time.Since(start) }))
				})
			}
			if heard {
				time.Sleep(limit / 2)
				if _, err := c.Do(t.Context(), APILookup, limit, put("answer")); err != nil {
					t.Fatal(err)
				}
			}
			time.Sleep(12 * time.Second)
			synctest.Wait()
			for i, k := range calls {
				want := limit
				if heard || k.limit > limit {
					want = k.at + k.limit
				}
				if d := ended[i] - want; d < -limit/8 || d > limit/8 {
					t.Errorf("heard %v, limit %v sent at %v: ended at %v, want %v", heard, k.limit, k.at, ended[i], want)
				}
			}
		})
	}
}

// TestSilenceWaiting: a call that never got its turn ends too, as not sent; and silence gives places back.
func TestSilenceWaiting(t *testing.T) {
	s := &scripted{serve: func(p *peer, r Request) {
		if string(r.Body) == "answer" {
			echo(p, r)
		}
	}}
	bubble(t, s, Config{MaxInFlight: 2}, func(t *testing.T, c *Conn) {
		for range 2 {
			c.Start(APILookup, 5*time.Second, nil, newCollect(t))
		}
		waiting, later := newCollect(t), newCollect(t)
		c.Start(APILookup, time.Second, nil, waiting)
		c.Start(APILookup, time.Minute, put("answer"), later)
		time.Sleep(2 * time.Second)
		synctest.Wait()
		var silence *SilenceError
		if !errors.As(waiting.err, &silence) || Sent(waiting.err) {
			t.Errorf("waiting call: %v", waiting.err)
		}
		time.Sleep(4 * time.Second)
		synctest.Wait()
		if string(later.body) != "answer" {
			t.Errorf("later call: %q, %v", later.body, later.err)
		}
	})
}

// TestAbandoned: a cancelled call keeps its place until its limit, or half a minute, and no longer.
func TestAbandoned(t *testing.T) {
	s := &scripted{serve: func(p *peer, r Request) {
		if string(r.Body) == "answer" {
			echo(p, r)
		}
	}}
	for _, test := range []struct{ limit, place time.Duration }{
		{time.Minute, time.Minute}, {0, abandonAfter},
	} {
		bubble(t, s, Config{MaxInFlight: 1}, func(t *testing.T, c *Conn) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			_, err := c.Do(ctx, APILookup, test.limit, nil)
			if !errors.Is(err, context.DeadlineExceeded) || !Sent(err) {
				t.Errorf("cancelled call: %v", err)
			}
			next := newCollect(t)
			c.Start(APILookup, 0, put("answer"), next)

			_, err = c.Do(ctx, APILookup, 0, nil) // waits behind, and its context is over already
			if !errors.Is(err, context.DeadlineExceeded) || Sent(err) {
				t.Errorf("late call: %v", err)
			}
			short, cancelShort := context.WithTimeout(t.Context(), time.Second)
			defer cancelShort()
			if _, err = c.Do(short, APILookup, 0, nil); !errors.Is(err, context.DeadlineExceeded) || Sent(err) {
				t.Errorf("call that waited: %v", err)
			}

			time.Sleep(test.place - 7*time.Second)
			synctest.Wait()
			if a, w := c.InFlight(); a != 1 || w != 1 {
				t.Errorf("%d in flight and %d waiting, want 1 and 1", a, w)
			}
			time.Sleep(6 * time.Second)
			synctest.Wait()
			if string(next.body) != "answer" {
				t.Errorf("limit %v: next call: %q, %v", test.limit, next.body, next.err)
			}
		})
	}
}

// TestSlowBody: a body that keeps coming is not silence, one that stops is. Cancelling in the middle is no harm.
func TestSlowBody(t *testing.T) {
	const size, part = 100_000, 10_000
	s := &scripted{serve: func(p *peer, r Request) {
		switch string(r.Body) {
		case "slow", "stop":
			p.raw(AppendResponseHeader(nil, ResponseSuccess, r.ID, size))
			for i := range size / part {
				if i == 5 && string(r.Body) == "stop" {
					time.Sleep(time.Minute)
				}
				p.raw(make([]byte, part))
				time.Sleep(time.Second)
			}
		default:
			echo(p, r)
		}
	}}
	bubble(t, s, Config{WriteTimeout: time.Hour}, func(t *testing.T, c *Conn) {
		if body, err := c.Do(t.Context(), APILookup, 2*time.Second, put("slow")); err != nil || len(body) != size {
			t.Errorf("slow: %d bytes, %v", len(body), err)
		}
		start := time.Now()
		_, err := c.Do(t.Context(), APILookup, 2*time.Second, put("stop"))
		var silence *SilenceError
		if took := time.Since(start); !errors.As(err, &silence) || took < 5*time.Second || took > 8*time.Second {
			t.Errorf("stop: %v after %v", err, took)
		}
		if body, err := c.Do(t.Context(), APILookup, 2*time.Minute, put("x")); err != nil || string(body) != "x" {
			t.Errorf("behind it: %q, %v", body, err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
		defer cancel()
		if _, err := c.Do(ctx, APILookup, time.Minute, put("slow")); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("cancelled: %v", err)
		}
		if body, err := c.Do(t.Context(), APILookup, time.Minute, put("x")); err != nil || string(body) != "x" {
			t.Errorf("behind the cancelled one: %q, %v", body, err)
		}
	})
}

// TestWriteTimeout: a server that stops reading breaks the connection after the write timeout, while callers leave
// when their contexts end.
func TestWriteTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		block := make(chan struct{})
		defer close(block)
		s := &scripted{serve: func(*peer, Request) { <-block }}
		c, err := s.dialPipe(t.Context(), Config{WriteTimeout: 8 * time.Second}, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		c.Start(APIPutKV, 0, nil, newCollect(t)) // read by the server, which then stops
		synctest.Wait()
		stuck := newCollect(t)
		c.Start(APIPutKV, 0, func(b []byte) []byte { return append(b, make([]byte, 200_000)...) }, stuck)
		behind := newCollect(t)
		c.Start(APIPutKV, 0, nil, behind)

		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		start := time.Now()
		if _, err := c.Do(ctx, APIPutKV, 0, nil); !errors.Is(err, context.DeadlineExceeded) || time.Since(start) > 2*time.Second {
			t.Errorf("cancelled: %v after %v", err, time.Since(start))
		}
		<-c.Done()
		if took := time.Since(start); took < 6*time.Second || took > 9*time.Second {
			t.Errorf("broke after %v", took)
		}
		synctest.Wait()
		var timeout net.Error
		if !errors.As(stuck.err, &timeout) || !timeout.Timeout() || Sent(stuck.err) {
			t.Errorf("stuck: %v", stuck.err)
		}
		if behind.err == nil || Sent(behind.err) {
			t.Errorf("behind: %v", behind.err)
		}
	})
}
