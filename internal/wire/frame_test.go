package wire

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io"
	"net"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/gofluss/fluss/internal/fuzzbound"
)

func TestReadRequestErrors(t *testing.T) {
	frame := func(length uint32, rest int) []byte {
		return append(binary.BigEndian.AppendUint32(nil, length), make([]byte, rest)...)
	}
	tests := []struct {
		name string
		in   []byte
		want string
	}{
		{"empty", nil, "EOF"},
		{"cut length", []byte{0, 0}, "unexpected EOF"},
		{"cut header", frame(8, 3), "unexpected EOF"},
		{"cut body", frame(20, 19), "unexpected EOF"},
		{"short", frame(7, 100), "request length 7, want 8 to 104857596"},
		{"over the server's limit", frame(104857597, 100), "request length 104857597, want 8 to 104857596"},
		{"negative", frame(1<<32-1, 100), "request length -1, want"},
		{"no body", frame(8, 8), ""},
		{"largest, cut", frame(104857596, 100), "unexpected EOF"},
	}
	for _, test := range tests {
		_, err := ReadRequest(bytes.NewReader(test.in), 0)
		if test.want == "" && err == nil {
			continue
		}
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %s", test.name, err, test.want)
		}
	}
	if _, err := ReadRequest(bytes.NewReader(nil), 0); err != io.EOF {
		t.Errorf("at the end: %v, want io.EOF", err)
	}
}

// TestReadBodyAllocates little on the word of a length field.
func TestReadBodyAllocates(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := readBody(bytes.NewReader(make([]byte, 1000)), 1<<30, nil); err == nil {
		t.Error("a cut body is no error")
	}
	runtime.ReadMemStats(&after)
	if got := after.TotalAlloc - before.TotalAlloc; got > 2*firstChunk {
		t.Errorf("%d bytes allocated for a body that never came", got)
	}
	want := bytes.Repeat([]byte("0123456789"), 400_000)
	got, err := readBody(bytes.NewReader(want), len(want), nil)
	if err != nil || !bytes.Equal(got, want) || cap(got) != len(want) {
		t.Errorf("%d bytes, capacity %d, %v", len(got), cap(got), err)
	}
}

// FuzzFrames: what can be read as a frame is written the same way again, in both directions. Most inputs meet a low limit,
// as to allocate a MiB on the word of a length takes far longer than all else.
func FuzzFrames(f *testing.F) {
	for _, g := range goldenFrames(f) {
		if raw, _ := hex.DecodeString(g.Frame); len(raw) < 500 {
			f.Add(raw)
		}
	}
	f.Add(AppendResponse(nil, ResponseFailure, 0, []byte("x")))
	fuzzbound.Fuzz(f, func(t *testing.T, in []byte) {
		limit := 8 << 10
		if len(in)%32 == 0 {
			limit = 1 << 24
		}
		var r *bytes.Reader
		var req Request
		var resp Response
		var err error
		fuzzbound.Check(t, len(in), func() {
			r = bytes.NewReader(in)
			req, err = ReadRequest(r, limit)
		})
		if err == nil {
			used := in[:len(in)-r.Len()]
			again := append(AppendRequestHeader(nil, req.API, req.Version, req.ID, len(req.Body)), req.Body...)
			if !bytes.Equal(again, used) {
				t.Errorf("request %x, again %x", used, again)
			}
		}
		fuzzbound.Check(t, len(in), func() {
			r = bytes.NewReader(in)
			resp, err = ReadResponse(r, limit)
		})
		if err == nil {
			used := in[:len(in)-r.Len()]
			again := AppendResponse(nil, resp.Type, resp.ID, resp.Body)
			if !bytes.Equal(again, used) {
				t.Errorf("response %x, again %x", used, again)
			}
			if twice, err := ReadResponse(bytes.NewReader(again), limit); err != nil || !reflect.DeepEqual(twice, resp) {
				t.Errorf("%x: %v, %v", again, twice, err)
			}
		}
	})
}

// FuzzConn: whatever a server sends, every call is answered once, and soon after the socket closed.
func FuzzConn(f *testing.F) {
	answers := AppendResponse(nil, ResponseError, 1, AppendErrorResponse(nil, CodeTableNotExist, "gone"))
	f.Add(answers)
	f.Add(AppendResponse(answers, ResponseSuccess, 2, []byte("fine")))
	f.Add(AppendResponse(answers, ResponseFailure, 0, AppendErrorResponse(nil, CodeUnknownServerError, "")))
	f.Add([]byte{0x7f, 0xff, 0xff, 0xff, 0, 0, 0, 0, 1})
	f.Add([]byte{0, 0, 0x10, 0, 0, 0, 0, 0, 1})
	fuzzbound.Fuzz(f, func(t *testing.T, in []byte) {
		n := 0
		s := &scripted{serve: func(p *peer, r Request) {
			if n++; n == 3 {
				p.raw(in)
				p.Close()
			}
		}}
		c, err := s.dialPipe(context.Background(), Config{MaxResponse: 1000, MaxInFlight: 4}, func(nc net.Conn) net.Conn { return noWriteDeadline{nc} })
		if err != nil {
			t.Fatal(err)
		}
		var hs []*collect
		for range 3 {
			h := newCollect(t)
			c.Start(APILookup, time.Minute, nil, h)
			hs = append(hs, h)
		}
		for _, h := range hs {
			if body, err := h.wait(); (body == nil) != (err != nil) || err != nil && !Sent(err) {
				t.Errorf("%x: body %x, error %v", in, body, err)
			}
		}
		c.Close()
	})
}

// noWriteDeadline has none: the timer of a net.Pipe outlives the pipe, and a million pipes are in memory until a minute is over.
type noWriteDeadline struct{ net.Conn }

func (noWriteDeadline) SetWriteDeadline(time.Time) error { return nil }

func TestCleanMessage(t *testing.T) {
	long := strings.Repeat("\u00e9", 200)
	tests := []struct {
		code ErrorCode
		in   string
		want string
	}{
		{CodeTableNotExist, "", "The table does not exist."},
		{CodeUnknownServerError, "java.lang.X: boom\n\tat a.b(C.java:1)\nCaused by: y", "java.lang.X: boom"},
		{CodeUnknownServerError, "\n\n a\tb\r\n c", "a b"},
		{CodeStorage, "bad \xff bytes\x00", "bad   bytes"},
		{CodeStorage, long, long[:296] + "..."},
		{999, "", ""},
	}
	for _, test := range tests {
		if got := CleanMessage(test.code, test.in); got != test.want {
			t.Errorf("%v %q: got %q, want %q", test.code, test.in, got, test.want)
		}
	}
}

func TestSentVerdicts(t *testing.T) {
	for _, test := range []struct {
		err  error
		want bool
	}{
		{nil, false},
		{io.EOF, true},
		{&ServerError{}, true},
		{&CallError{}, false},
		{errors.Join(io.EOF, &CallError{sent: true}), true},
		{&HandshakeError{Err: &ServerError{}}, false},
		{&DecodeError{}, true},
	} {
		if got := Sent(test.err); got != test.want {
			t.Errorf("%v: got %v, want %v", test.err, got, test.want)
		}
	}
}
