package wire

import (
	"context"
	"errors"
	"io"
	"strconv"
	"testing"
	"time"
)

func TestErrorTexts(t *testing.T) {
	status := BucketStatus{Bucket: 3, Code: CodeNotLeaderOrFollower, Message: "moved"}
	for _, test := range []struct {
		err  error
		want string
	}{
		{status.Err(APIPutKV, "a:1"), "PUT_KV at a:1: NOT_LEADER_OR_FOLLOWER (12): moved"},
		{&CallError{API: APIPutKV, Server: "a:1", Err: io.EOF, sent: true}, "PUT_KV at a:1: no answer: EOF"},
		{&CallError{API: 9999, Server: "a:1", Err: io.EOF}, "API 9999 at a:1: not sent: EOF"},
		{&SilenceError{API: APILookup, Server: "a:1", After: time.Second, sent: true}, "LOOKUP at a:1: no answer within 1s"},
		{&SilenceError{API: APILookup, Server: "a:1", After: time.Second}, "LOOKUP at a:1: not sent within 1s, too many calls await their answers"},
		{&ErrResponseTooLarge{Size: 9, Limit: 8, API: APILimitScan}, "LIMIT_SCAN: the answer of 9 bytes is over the limit of 8"},
		{&ErrRequestTooLarge{Size: 9, Limit: 8, API: APIPutKV}, "PUT_KV: the request of 9 bytes is over the limit of 8"},
		{&UnsupportedError{API: APIPutKV, Server: "a:1"}, "the server at a:1 does not offer PUT_KV"},
		{&DecodeError{Message: "M", Offset: 4, Reason: "r"}, "malformed M at byte 4: r"},
		{&HandshakeError{Server: "a:1", Step: "tls", Err: io.EOF}, "handshake with a:1: tls: EOF"},
	} {
		if got := test.err.Error(); got != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
	}
	if err := (&BucketStatus{}).Err(APIPutKV, "a:1"); err != nil {
		t.Errorf("no error: %v", err)
	}
	var n interface{ Timeout() bool }
	if !errors.As(error(&SilenceError{}), &n) || !n.Timeout() {
		t.Error("silence is no timeout")
	}
}

// TestIDsGoRound: request ids wrap, negative ones included, and one that is still in use is left out.
func TestIDsGoRound(t *testing.T) {
	s := &scripted{serve: func(p *peer, r Request) {
		if string(r.Body) != "keep" {
			p.ok(r, []byte(strconv.Itoa(int(r.ID))))
		}
	}}
	c := s.dial(t, Config{})
	c.Start(APILookup, 0, put("keep"), newCollect(t)) // id 1
	for _, from := range []uint64{1<<31 - 2, 1<<32 - 2} {
		c.mu.Lock()
		c.issued = from
		c.mu.Unlock()
		want := []int32{int32(uint32(from)), int32(uint32(from + 1)), int32(uint32(from + 2)), int32(uint32(from + 3))}
		if from == 1<<32-2 {
			want[3] = 2 // 1 is taken
		}
		for _, id := range want {
			got, err := c.Do(context.Background(), APILookup, 0, put("x"))
			if err != nil || string(got) != strconv.Itoa(int(id)) {
				t.Errorf("got id %s, %v, want %d", got, err, id)
			}
		}
	}
}
