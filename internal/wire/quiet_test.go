package wire

import (
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// TestQuiet: the hook is told of a silence after a call with a time limit, and again until it ends.
func TestQuiet(t *testing.T) {
	s := &scripted{serve: func(p *peer, r Request) {
		if string(r.Body) == "answer" {
			echo(p, r)
		}
	}}
	var mu sync.Mutex
	var moments []time.Duration
	var start time.Time
	begin := func() {
		mu.Lock()
		defer mu.Unlock()
		moments, start = nil, time.Now()
	}
	told := func() []time.Duration {
		synctest.Wait()
		mu.Lock()
		defer mu.Unlock()
		return moments
	}
	cfg := Config{Quiet: 400 * time.Millisecond, OnQuiet: func(*Conn) {
		mu.Lock()
		defer mu.Unlock()
		moments = append(moments, time.Since(start))
	}}
	bubble(t, s, cfg, func(t *testing.T, c *Conn) {
		begin()
		c.Start(APILookup, 0, nil, newCollect(t))
		time.Sleep(4 * time.Second)
		if at := told(); len(at) > 0 {
			t.Errorf("a read without a limit: told at %v", at)
		}

		for _, key := range []APIKey{APILookup, APIPutKV} {
			begin()
			c.Start(key, 1500*time.Millisecond, nil, newCollect(t))
			time.Sleep(4 * time.Second)
			want := []time.Duration{100 * time.Millisecond, 500 * time.Millisecond, 900 * time.Millisecond, 1300 * time.Millisecond}
			if at := told(); !slices.Equal(at, want) {
				t.Errorf("%s: told at %v, want %v", key, at, want)
			}
		}

		begin()
		c.Start(APILookup, 3*time.Second, nil, newCollect(t)) // never answered, while others are
		var last time.Duration
		for range 20 {
			if _, err := c.Do(t.Context(), APILookup, 3*time.Second, put("answer")); err != nil {
				t.Fatal(err)
			}
			last = time.Since(start)
			time.Sleep(70 * time.Millisecond)
		}
		if at := told(); len(at) > 0 {
			t.Errorf("told at %v of a connection that answers", at)
		}
		time.Sleep(700 * time.Millisecond)
		if at := told(); len(at) == 0 || at[0] != last+200*time.Millisecond {
			t.Errorf("told at %v that it fell silent at %v", at, last)
		}
	})
}

// TestQuietWhileReading: a body that keeps coming is no silence.
func TestQuietWhileReading(t *testing.T) {
	const size = 100_000
	s := &scripted{serve: func(p *peer, r Request) {
		p.raw(AppendResponseHeader(nil, ResponseSuccess, r.ID, size))
		for range 10 {
			time.Sleep(time.Second)
			p.raw(make([]byte, size/10))
		}
	}}
	var told atomic.Int64
	bubble(t, s, Config{OnQuiet: func(*Conn) { told.Add(1) }}, func(t *testing.T, c *Conn) {
		if body, err := c.Do(t.Context(), APILimitScan, 30*time.Second, nil); err != nil || len(body) != size {
			t.Errorf("%d bytes, %v", len(body), err)
		}
		if told.Load() > 0 {
			t.Error("told of silence")
		}
	})
}

// TestGiveUp: the reads end with the cause, those waiting for their turn and that of a caller who reads by itself too;
// writes and reads with longer limits go on, and the connection lives.
func TestGiveUp(t *testing.T) {
	cause := errors.New("enough")
	release, silent := make(chan struct{}), make(chan struct{}, 3)
	s := &scripted{serve: func(p *peer, r Request) {
		if string(r.Body) == "later" {
			<-release
		}
		if string(r.Body) == "silent" {
			silent <- struct{}{}
			return
		}
		echo(p, r)
	}}
	c := s.dial(t, Config{MaxInFlight: 4})
	for range 2 * loneAnswers { // so that the next caller reads by itself
		if _, err := c.Do(t.Context(), APILookup, time.Minute, put("x")); err != nil {
			t.Fatal(err)
		}
	}
	alone := make(chan error, 1)
	go func() { // ends with its call
		_, err := c.Do(t.Context(), APILookup, time.Minute, put("silent"))
		alone <- err
	}()
	<-silent // it is under way
	write, long, short, waiting := newCollect(t), newCollect(t), newCollect(t), newCollect(t)
	c.Start(APILookup, time.Minute, put("silent"), short)
	c.Start(APIPutKV, time.Minute, put("later"), write)
	c.Start(APILimitScan, time.Hour, put("later"), long)
	c.Start(APILookup, time.Minute, put("later"), waiting)

	c.GiveUp(time.Minute, cause)
	if err := <-alone; !errors.Is(err, cause) || !Sent(err) {
		t.Errorf("the caller who reads: %v", err)
	}
	for _, h := range []*collect{short, waiting} {
		<-h.done
		if !errors.Is(h.err, cause) || Sent(h.err) != (h == short) {
			t.Errorf("%v, sent %v", h.err, Sent(h.err))
		}
	}
	close(release)
	for _, h := range []*collect{write, long} {
		<-h.done
		if h.err != nil || string(h.body) != "later" {
			t.Errorf("%q, %v", h.body, h.err)
		}
	}
	scan := newCollect(t)
	c.Start(APILimitScan, time.Hour, put("silent"), scan)
	c.GiveUp(0, cause)
	if <-scan.done; !errors.Is(scan.err, cause) {
		t.Errorf("a long read: %v", scan.err)
	}
	if body, err := c.Do(t.Context(), APILookup, time.Minute, put("x")); err != nil || string(body) != "x" {
		t.Errorf("afterwards: %q, %v", body, err)
	}
}

// TestGiveUpWrites: writes end with the cause, those that come later too, of which no byte leaves; reads go on.
func TestGiveUpWrites(t *testing.T) {
	cause := errors.New("enough")
	served := make(chan struct{}, 3)
	s := &scripted{serve: func(p *peer, r Request) {
		served <- struct{}{}
		if r.API != APIPutKV {
			echo(p, r)
		}
	}}
	c := s.dial(t, Config{MaxInFlight: 1})
	sent, waiting, late := newCollect(t), newCollect(t), newCollect(t)
	c.Start(APIPutKV, time.Minute, put("x"), sent)
	<-served
	c.Start(APIPutKV, time.Minute, put("x"), waiting)
	c.GiveUpWrites(cause)
	c.Start(APIPutKV, time.Minute, put("x"), late)
	for h, left := range map[*collect]bool{sent: true, waiting: false, late: false} {
		<-h.done
		if !errors.Is(h.err, cause) || Whole(h.err) != left {
			t.Errorf("%v, whole %v, want %v", h.err, Whole(h.err), left)
		}
	}
	if body, err := c.Do(t.Context(), APILookup, time.Minute, put("x")); err != nil || string(body) != "x" {
		t.Errorf("a read: %q, %v", body, err)
	}
	if n := len(served); n != 1 {
		t.Errorf("%d requests came after the first write, want that of the read", n)
	}
}
