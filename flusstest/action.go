package flusstest

import (
	"slices"
	"sync/atomic"
	"time"
)

// Action says what becomes of a request. The zero Action lets it be, and asks the next hook. Fields combine: first the
// request waits, then it is performed or not, then it is answered or not.
type Action struct {
	// Wait holds the request back, and with it all later ones of its connection, until the channel is closed.
	Wait <-chan struct{}

	Skip  bool // do not perform the request; without Code or Answer there is no answer then
	Twice bool // perform it twice, as if the network had doubled it; the second answer is sent

	// Code, if not 0, is the error code answered instead of the truth: in each bucket's entry where the API reports per
	// bucket, else for the whole request. Message is its text, "" the usual one.
	Code    int
	Message string

	// Answer, if not nil, is the body of a success answered instead of the truth.
	Answer []byte

	Silent  bool                      // send no answer
	Edit    func(frame []byte) []byte // change the answer's frame, its header of 9 bytes included
	Delay   time.Duration             // answer so much later; answers of later requests overtake
	Reorder bool                      // answer after the next answer of the connection
	Close   bool                      // close the connection after the answer, or instead of it
	Reset   bool                      // as Close, but by a reset, which over TCP takes what the client has not read with it
	// HalfClose closes the sending half of the connection after the answer, or instead of it: the client reads the end of
	// the stream, while its requests still arrive and are performed, until one of them would be answered.
	HalfClose bool
}

// Drop loses a request: it is neither performed nor answered.
func Drop() Action { return Action{Skip: true, Silent: true} }

// Lose loses an answer: the request is performed.
func Lose() Action { return Action{Silent: true} }

// Refuse answers an error code and performs nothing. Action{Code: code} would perform the request and refuse it all
// the same, as a server does whose replicas do not follow.
func Refuse(code int) Action { return Action{Skip: true, Code: code} }

// Hangup closes the connection and performs nothing.
func Hangup() Action { return Action{Skip: true, Silent: true, Close: true} }

// Cut performs the request, sends the first n bytes of the answer and closes the connection.
func Cut(n int) Action {
	return Action{Close: true, Edit: func(frame []byte) []byte { return frame[:min(n, len(frame))] }}
}

// Corrupt inverts a byte of the answer's body; a negative position counts from the end.
func Corrupt(at int) Action {
	return Action{Edit: func(frame []byte) []byte {
		const head = 9 // length, type and request id
		body := slices.Clone(frame)[head:]
		if at < 0 {
			at += len(body)
		}
		if at >= 0 && at < len(body) {
			body[at] ^= 0xff
		}
		return append(slices.Clone(frame[:head]), body...)
	}}
}

func (a *Action) isZero() bool {
	return a.Wait == nil && !a.Skip && !a.Twice && a.Code == 0 && a.Answer == nil && !a.Silent && a.Edit == nil &&
		a.Delay == 0 && !a.Reorder && !a.Close && !a.Reset && !a.HalfClose
}

// Every makes a hook that does the same with every request of an API.
func Every(api API, a Action) func(*Request) Action {
	return func(r *Request) Action {
		if r.API == api {
			return a
		}
		return Action{}
	}
}

// First makes a hook that does the same with the first n requests of an API and lets later ones be.
func First(n int, api API, a Action) func(*Request) Action {
	var seen atomic.Int64
	return func(r *Request) Action {
		if r.API == api && seen.Add(1) <= int64(n) {
			return a
		}
		return Action{}
	}
}
