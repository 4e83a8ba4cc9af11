package wire

import (
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

// ErrClosed is the cause of every call that Conn.Close ended.
var ErrClosed = errors.New("connection closed by the client")

// errServerClosed is the cause when the server ended the connection, which it does to idle ones without a word.
var errServerClosed = errors.New("connection closed by the server")

// ServerError is the answer of a server that refused a call.
type ServerError struct {
	Code    ErrorCode
	Message string // one line of at most 300 bytes; of a Java stack trace the first
	API     APIKey
	Server  string // address asked
}

// Error is one line.
func (e *ServerError) Error() string {
	return fmt.Sprintf("%s at %s: %s: %s", e.API, e.Server, e.Code, e.Message)
}

// Sent is true: the call was answered.
func (e *ServerError) Sent() bool { return true }

// newServerError shortens the server's text, or puts in the code's own where the server left it out.
func newServerError(api APIKey, server string, code ErrorCode, message string) *ServerError {
	return &ServerError{Code: code, Message: CleanMessage(code, message), API: api, Server: server}
}

// maxMessage bounds a server's text in an error, in bytes.
const maxMessage = 300

// CleanMessage reduces a server's error text to its first line, without control characters and at most 300
// bytes long; the code's default text where there is none. The rest of a text is a Java stack trace.
func CleanMessage(code ErrorCode, message string) string {
	if message == "" {
		return code.Text()
	}
	line, _, _ := strings.Cut(strings.TrimSpace(message), "\n")
	line = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r == utf8.RuneError {
			return ' '
		}
		return r
	}, line)
	if len(line) > maxMessage {
		cut := maxMessage - len("...")
		for !utf8.RuneStart(line[cut]) {
			cut--
		}
		line = line[:cut] + "..."
	}
	return strings.TrimSpace(line)
}

// ServerFailure is what a server says before it closes a connection (a type 2 frame). It answers no call in
// particular, so that it proves nothing about the ones in flight; hence it is not a ServerError.
type ServerFailure struct {
	Code    ErrorCode
	Message string // as in ServerError
}

func (e *ServerFailure) Error() string {
	return fmt.Sprintf("the server failed: %s: %s", e.Code, e.Message)
}

// ProtocolError says that the peer's bytes make no sense. It ends the connection unless one call alone is hit.
type ProtocolError struct {
	Reason string
}

func (e *ProtocolError) Error() string { return "protocol error: " + e.Reason }

// CallError is a call without an answer: the connection broke or was closed, the context ended, or the call
// could not be sent. Unwrap gives the cause: ErrClosed, a *ServerFailure, a *ProtocolError, the context's error,
// or what the socket said.
type CallError struct {
	API    APIKey
	Server string
	Err    error
	sent   bool
	part   bool // and the frame did not leave whole, nor will it
}

func (e *CallError) Error() string {
	if e.sent {
		return fmt.Sprintf("%s at %s: no answer: %v", e.API, e.Server, e.Err)
	}
	return fmt.Sprintf("%s at %s: not sent: %v", e.API, e.Server, e.Err)
}

func (e *CallError) Unwrap() error { return e.Err }

// Sent says whether a byte of the call's frame may have left the machine.
func (e *CallError) Sent() bool { return e.sent }

// Whole says whether all bytes of the call's frame may have left the machine, or may yet do so.
func (e *CallError) Whole() bool { return e.sent && !e.part }

// SilenceError is a call whose time limit passed without an answer. The connection lives on.
type SilenceError struct {
	API    APIKey
	Server string
	After  time.Duration
	sent   bool
}

func (e *SilenceError) Error() string {
	if e.sent {
		return fmt.Sprintf("%s at %s: no answer within %v", e.API, e.Server, e.After)
	}
	return fmt.Sprintf("%s at %s: not sent within %v, too many calls await their answers", e.API, e.Server, e.After)
}

// Sent says whether a byte of the call's frame may have left the machine.
func (e *SilenceError) Sent() bool { return e.sent }

// Timeout makes it a timeout in the sense of net.Error.
func (e *SilenceError) Timeout() bool { return true }

// ErrResponseTooLarge is an answer over Config.MaxResponse. It was skipped and the connection lives on.
type ErrResponseTooLarge struct {
	Size, Limit int // bytes of the body
	API         APIKey
}

func (e *ErrResponseTooLarge) Error() string {
	return fmt.Sprintf("%s: the answer of %d bytes is over the limit of %d", e.API, e.Size, e.Limit)
}

// Sent is true: the call was answered.
func (e *ErrResponseTooLarge) Sent() bool { return true }

// ErrRequestTooLarge is a request over Config.MaxRequest; nothing was sent.
type ErrRequestTooLarge struct {
	Size, Limit int // bytes of the frame, its length field included
	API         APIKey
}

func (e *ErrRequestTooLarge) Error() string {
	return fmt.Sprintf("%s: the request of %d bytes is over the limit of %d", e.API, e.Size, e.Limit)
}

// Sent is false.
func (e *ErrRequestTooLarge) Sent() bool { return false }

// UnsupportedError is an API the server does not offer, or in no version known here; nothing was sent, because
// a server never answers an API it does not have.
type UnsupportedError struct {
	API    APIKey
	Server string
}

func (e *UnsupportedError) Error() string {
	return fmt.Sprintf("the server at %s does not offer %s", e.Server, e.API)
}

// Sent is false.
func (e *UnsupportedError) Sent() bool { return false }

// HandshakeError is a connection that did not come about. Step names where it ended: "connect", "tls",
// "API_VERSIONS" or "AUTHENTICATE". Unwrap gives the cause; a refusal is a *ServerError. It never holds a password.
type HandshakeError struct {
	Server string
	Step   string
	Err    error
}

func (e *HandshakeError) Error() string {
	return fmt.Sprintf("handshake with %s: %s: %v", e.Server, e.Step, e.Err)
}

func (e *HandshakeError) Unwrap() error { return e.Err }

// Sent is false: no request of a caller was sent.
func (e *HandshakeError) Sent() bool { return false }

// Sent says whether the request behind err may have reached the server. False: no byte of its frame left the
// machine, so nothing happened. True: it was answered, or its outcome is unknown; that is also the verdict on an
// error that is not from this package.
func Sent(err error) bool {
	var s interface{ Sent() bool }
	if errors.As(err, &s) {
		return s.Sent()
	}
	return err != nil
}

// Whole says whether the request behind err may have been performed. False: its frame did not leave whole, and no server
// performs part of one. Where that is not known it is what Sent says.
func Whole(err error) bool {
	var w interface{ Whole() bool }
	if errors.As(err, &w) {
		return w.Whole()
	}
	return Sent(err)
}
