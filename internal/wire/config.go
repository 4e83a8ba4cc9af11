package wire

import (
	"context"
	"crypto/tls"
	"net"
	"time"
)

// Config says how to make a Conn. Zero fields take the default given. It is copied by Dial; what its pointers lead
// to must not change any more.
type Config struct {
	// Dial opens the transport, nil: a net.Dialer. network is always "tcp".
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)

	// TLS wraps the transport, nil: plain. An empty ServerName becomes the host of the address.
	TLS *tls.Config

	// SASL authenticates by PLAIN, nil: not at all. There is no way back to a connection without.
	SASL *Credentials

	ClientName    string // told to the server, which ignores it
	ClientVersion string

	MaxResponse int // limit of an answer's body in bytes, 64 MiB
	MaxRequest  int // limit of a request's whole frame in bytes, MaxRequestFrame
	MaxInFlight int // frames that may await an answer at a time, 48; further calls wait in order

	ConnectTimeout time.Duration // transport, TLS and handshake together, 10s
	WriteTimeout   time.Duration // a write that makes no progress for so long breaks the connection, 10s

	// OnQuiet, if any, is told of a connection that owes answers while nothing at all is heard of its server: when a
	// fifteenth of a call's time limit has passed, and every Quiet from then on. Calls without a limit do not count. It
	// runs on a goroutine of its own and must not block.
	OnQuiet func(*Conn)
	Quiet   time.Duration // 200ms

	// OnCall, if any, is told of every call when it ends, those of the handshake included, on whatever goroutine
	// ends it. It must not block.
	OnCall func(CallInfo)
}

// CallInfo is what OnCall gets to know of a call.
type CallInfo struct {
	API           APIKey
	Addr          string
	RequestBytes  int // the whole frame
	ResponseBytes int // the body; 0 without an answer, the size told by one that was too large
	Duration      time.Duration
	Err           error
}

// Credentials are a user name and a password. They print as a mask.
type Credentials struct {
	User, Password string
}

// String masks both parts.
func (Credentials) String() string { return "credentials(***)" }

// GoString masks both parts.
func (Credentials) GoString() string { return "credentials(***)" }

// Handler receives the answer of a call.
type Handler interface {
	// Answered is called exactly once per call: on the connection's read loop, or on the goroutine that found
	// the connection broken or the call overdue; from within Start when the call cannot be made. It must not
	// block and must not call Close. No lock is held while it runs, and it may call Start.
	//
	// It owns body. An error is a *ServerError for a refusal; Sent tells of any other error whether the request
	// may have reached the server.
	Answered(body []byte, err error)
}

// withDefaults fills in the defaults.
func (c Config) withDefaults() Config {
	def := func(v *int, d int) {
		if *v <= 0 {
			*v = d
		}
	}
	def(&c.MaxResponse, 64<<20)
	def(&c.MaxRequest, MaxRequestFrame)
	def(&c.MaxInFlight, 48)
	if c.ConnectTimeout <= 0 {
		c.ConnectTimeout = 10 * time.Second
	}
	if c.WriteTimeout <= 0 {
		c.WriteTimeout = 10 * time.Second
	}
	if c.Quiet <= 0 {
		c.Quiet = 200 * time.Millisecond
	}
	if c.Dial == nil {
		c.Dial = new(net.Dialer).DialContext
	}
	return c
}
