package cluster

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"time"
)

// API keys of the calls the probe makes.
const (
	apiCreateTable  = 1005
	apiDropTable    = 1006
	apiGetMetadata  = 1012
	apiLookup       = 1017
	apiAuthenticate = 1038
)

// answerLimit is the largest answer the probe takes, in bytes.
const answerLimit = 16 << 20

// serverError is what a server answered instead of a result.
type serverError struct {
	code    uint64
	message string
}

func (e *serverError) Error() string { return fmt.Sprintf("fluss error %d: %s", e.code, e.message) }

// probeConn is a connection for one request at a time.
type probeConn struct {
	conn net.Conn
	id   uint32
}

// dialProbe connects and, when a user is given, authenticates with SASL PLAIN.
func dialProbe(ctx context.Context, addr, user, password string) (*probeConn, error) {
	conn, err := (&net.Dialer{Timeout: 2 * time.Second}).DialContext(ctx, "tcp", addr)
	if err != nil {
		return nil, err
	}
	p := &probeConn{conn: conn}
	if user == "" {
		return p, nil
	}
	body := appendText(nil, 1, "PLAIN")
	body = appendText(body, 2, "\x00"+user+"\x00"+password)
	if _, err := p.call(ctx, apiAuthenticate, body); err != nil {
		p.close()
		return nil, fmt.Errorf("authenticate at %s: %w", addr, err)
	}
	return p, nil
}

func (p *probeConn) close() { p.conn.Close() }

// call sends one request and reads its answer, within 5 s. After an error that is no *serverError the connection is of
// no use any more. All big endian:
//
//	request   int32 bytes that follow | int16 api key | int16 version 0 | int32 id | body
//	answer    int32 bytes that follow | int8 type: 0 result, 1 error | int32 id | body
//	failure   int32 bytes that follow | int8 type 2                  | body
func (p *probeConn) call(ctx context.Context, api uint16, body []byte) ([]byte, error) {
	deadline := time.Now().Add(5 * time.Second)
	if d, ok := ctx.Deadline(); ok && d.Before(deadline) {
		deadline = d
	}
	p.conn.SetDeadline(deadline)
	p.id++
	frame := binary.BigEndian.AppendUint32(nil, uint32(8+len(body)))
	frame = binary.BigEndian.AppendUint16(frame, api)
	frame = binary.BigEndian.AppendUint16(frame, 0)
	frame = binary.BigEndian.AppendUint32(frame, p.id)
	if _, err := p.conn.Write(append(frame, body...)); err != nil {
		return nil, err
	}
	var head [5]byte
	if _, err := io.ReadFull(p.conn, head[:]); err != nil {
		return nil, err
	}
	size := binary.BigEndian.Uint32(head[:])
	if size < 1 || size > answerLimit {
		return nil, fmt.Errorf("answer of %d bytes", size)
	}
	answer := make([]byte, size-1)
	if _, err := io.ReadFull(p.conn, answer); err != nil {
		return nil, err
	}
	return openAnswer(head[4], p.id, answer)
}

func openAnswer(kind byte, id uint32, b []byte) ([]byte, error) {
	if kind != 2 {
		if len(b) < 4 || binary.BigEndian.Uint32(b) != id {
			return nil, fmt.Errorf("answer to another request than %d: % x", id, b[:min(4, len(b))])
		}
		b = b[4:]
	}
	if kind == 0 {
		return b, nil
	}
	e := &serverError{}
	err := eachField(b, func(f field) {
		switch f.number {
		case 1:
			e.code = f.value
		case 2:
			e.message = string(f.bytes)
		}
	})
	if err != nil {
		return nil, err
	}
	return nil, e
}
