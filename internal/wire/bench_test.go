package wire

import (
	"bufio"
	"context"
	"net"
	"sync"
	"testing"
)

// benchServer answers every request with its body and allocates nothing per request.
func benchServer(b testing.TB) string {
	b.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { l.Close() })
	go func() {
		for {
			nc, err := l.Accept()
			if err != nil {
				return
			}
			go benchServe(nc)
		}
	}()
	return l.Addr().String()
}

func benchServe(nc net.Conn) {
	defer nc.Close()
	r := bufio.NewReaderSize(nc, 64<<10)
	versions := new(scripted).versionsBody()
	var out []byte
	body := make([]byte, 0, 4096)
	for {
		h, err := r.Peek(requestHeader)
		if err != nil {
			return
		}
		n := int(uint32(h[0])<<24|uint32(h[1])<<16|uint32(h[2])<<8|uint32(h[3])) - 8
		key := APIKey(uint16(h[4])<<8 | uint16(h[5]))
		id := int32(uint32(h[8])<<24 | uint32(h[9])<<16 | uint32(h[10])<<8 | uint32(h[11]))
		r.Discard(requestHeader)
		h, err = r.Peek(n)
		if err != nil {
			return
		}
		body = append(body[:0], h...)
		r.Discard(n)
		if key == APIVersions {
			body = versions
		}
		out = AppendResponse(out, ResponseSuccess, id, body)
		if r.Buffered() == 0 || len(out) > 32<<10 {
			if _, err := nc.Write(out); err != nil {
				return
			}
			out = out[:0]
		}
	}
}

func benchDial(b testing.TB) *Conn {
	b.Helper()
	c, err := Dial(context.Background(), benchServer(b), &Config{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { c.Close() })
	return c
}

func benchEncode() func([]byte) []byte {
	keys := []KeyBucket{{Partition: -1, Bucket: 3, Keys: [][]byte{[]byte("0123456789abcdef")}}}
	return func(dst []byte) []byte { return AppendLookupRequest(dst, 77, keys) }
}

// BenchmarkDo is a round trip over loopback by one caller, and by 64 that share the connection.
func BenchmarkDo(b *testing.B) {
	for _, callers := range []struct {
		name string
		n    int
	}{{"callers=1", 1}, {"callers=64", 64}} {
		b.Run(callers.name, func(b *testing.B) {
			c := benchDial(b)
			enc := benchEncode()
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			b.ReportAllocs()
			b.ResetTimer()
			var wg sync.WaitGroup
			for i := range callers.n {
				wg.Go(func() {
					for range (b.N + i) / callers.n {
						if _, err := c.Do(ctx, APILookup, 3e9, enc); err != nil {
							b.Error(err)
							return
						}
					}
				})
			}
			wg.Wait()
		})
	}
}

// chain starts its next call from Answered.
type chain struct {
	c    *Conn
	enc  func([]byte) []byte
	left int
	done chan error
}

func (h *chain) Answered(_ []byte, err error) {
	if h.left--; err != nil || h.left <= 0 {
		h.done <- err
		return
	}
	h.c.Start(APILookup, 3e9, h.enc, h)
}

// BenchmarkStart keeps 32 calls in flight with handlers of the caller's own.
func BenchmarkStart(b *testing.B) {
	c := benchDial(b)
	enc := benchEncode()
	const flights = 32
	done := make(chan error, flights)
	b.ReportAllocs()
	b.ResetTimer()
	for range flights {
		c.Start(APILookup, 3e9, enc, &chain{c: c, enc: enc, left: b.N/flights + 1, done: done})
	}
	for range flights {
		if err := <-done; err != nil {
			b.Fatal(err)
		}
	}
}

// TestAllocs pins what a round trip costs: the body, and now and then an empty pool, of which the race detector
// makes more.
func TestAllocs(t *testing.T) {
	c := benchDial(t)
	enc := benchEncode()
	n := testing.AllocsPerRun(1000, func() {
		if _, err := c.Do(context.Background(), APILookup, 0, enc); err != nil {
			t.Fatal(err)
		}
	})
	if n > 4 {
		t.Errorf("%v allocations a round trip, want 4 at most", n)
	}
	t.Logf("%v allocations a round trip", n)
}
