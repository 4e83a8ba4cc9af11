package wire

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
)

const (
	readBuffer = 64 << 10 // bytes

	// skipLimit is the largest body that is skipped, in bytes or in multiples of MaxResponse, whichever is
	// more. A larger one breaks the connection: the calls behind it would wait too long.
	skipLimit  = 256 << 20
	skipFactor = 4

	// maxFailureBody is how much of a server failure is read, in bytes.
	maxFailureBody = 64 << 10
)

// readLoop reads until the socket breaks or the server sends what makes no sense.
func (c *Conn) readLoop() {
	defer close(c.loopDone)
	for {
		if err := c.readFrame(); err != nil {
			c.fail(err)
			return
		}
		if c.mayRest() && !c.rest() {
			return
		}
	}
}

// readFrame reads one response and hands it on.
func (c *Conn) readFrame() error {
	head, err := c.peekHead()
	if err != nil {
		return err
	}
	if head.kind == ResponseFailure {
		return c.readFailure(c.r, head.body)
	}
	c.r.Discard(responseHeader)
	if head.body <= min(c.r.Buffered(), c.cfg.MaxResponse) {
		return c.readBuffered(c.r, head)
	}
	return c.readLarge(c.r, head)
}

// peekHead waits for the head of the next response, and leaves it where it is.
func (c *Conn) peekHead() (responseHead, error) {
	h, err := c.r.Peek(failureHeader)
	if err != nil {
		if err == io.EOF && len(h) == 0 {
			return responseHead{}, errServerClosed
		}
		return responseHead{}, unexpected(err)
	}
	head, err := parseFailureHeader(h)
	if err != nil || head.kind == ResponseFailure {
		return head, err
	}
	if h, err = c.r.Peek(responseHeader); err != nil {
		return head, unexpected(err)
	}
	head.id = int32(binary.BigEndian.Uint32(h[failureHeader:]))
	return head, nil
}

// readBuffered reads a body that is in the buffer already, and nothing for a call that was given up.
func (c *Conn) readBuffered(r *bufio.Reader, head responseHead) error {
	e, err := c.claim(head.id)
	if err != nil {
		return err
	}
	if e.h == nil {
		_, err := r.Discard(head.body)
		return err
	}
	body := make([]byte, head.body)
	io.ReadFull(r, body)
	c.deliver(e, head, body)
	return nil
}

// readLarge reads a body that is still arriving. The call stays where it is meanwhile, so that it can be cancelled;
// its silence is over as long as parts of the body come in.
func (c *Conn) readLarge(r *bufio.Reader, head responseHead) error {
	c.mu.Lock()
	k := c.inflight[head.id]
	issued := k != nil || c.wasIssued(head.id)
	wanted := k != nil && k.h != nil
	if wanted {
		c.arriving = k
		c.progress()
	}
	c.mu.Unlock()
	if !issued {
		return unknownID(head.id)
	}
	if head.body > c.cfg.MaxResponse {
		return c.tooLarge(r, head)
	}
	if !wanted {
		return c.skip(r, head)
	}
	body, err := readBody(r, head.body, c.progress)
	if err != nil {
		return err
	}
	e, err := c.claim(head.id)
	if err != nil {
		return err
	}
	c.deliver(e, head, body)
	return nil
}

// tooLarge fails the call alone and steps over its body.
func (c *Conn) tooLarge(r *bufio.Reader, head responseHead) error {
	e, err := c.claim(head.id)
	if err != nil {
		return err
	}
	c.answer(e, nil, &ErrResponseTooLarge{Size: head.body, Limit: c.cfg.MaxResponse, API: e.key})
	return c.skip(r, head)
}

// skip steps over a body nobody wants and frees the place of a call that was given up.
func (c *Conn) skip(r *bufio.Reader, head responseHead) error {
	if head.body > skipLimit && head.body/skipFactor > c.cfg.MaxResponse {
		return &ProtocolError{Reason: fmt.Sprintf("response body of %d bytes, too much to skip", head.body)}
	}
	if _, err := r.Discard(head.body); err != nil {
		return unexpected(err)
	}
	_, err := c.claim(head.id)
	return err
}

// claim takes the call with that id; the ending has no handler when it was given up or is long over. An id that was
// never given out is an error: with it nothing the server says can be trusted.
func (c *Conn) claim(id int32) (ending, error) {
	c.mu.Lock()
	c.heard++
	c.heardAt = c.now()
	k := c.inflight[id]
	if k == nil {
		issued := c.wasIssued(id)
		c.mu.Unlock()
		if !issued {
			return ending{}, unknownID(id)
		}
		return ending{}, nil
	}
	alone := k.alone
	e := c.take(k)
	c.promote()
	c.noteAnswer(alone)
	mine := c.claimFlush()
	c.mu.Unlock()
	if mine {
		c.goFlush() // not here: were the read loop to write, a server that waits for us to read would stop both
	}
	return e, nil
}

func unknownID(id int32) error {
	return &ProtocolError{Reason: fmt.Sprintf("answer to request %d, which was never sent", id)}
}

// deliver ends the call with its answer.
func (c *Conn) deliver(e ending, head responseHead, body []byte) {
	if head.kind == ResponseError {
		c.answer(e, nil, c.refusal(e.key, body))
		return
	}
	c.answer(e, body, nil)
}

// answer calls the handler on the read loop.
func (c *Conn) answer(e ending, body []byte, err error) {
	c.delivering.Store(true)
	c.end(e, body, err)
	c.delivering.Store(false)
}

// refusal reads the body of an error response.
func (c *Conn) refusal(key APIKey, body []byte) error {
	code, message, err := parseErrorResponse(body)
	if err != nil {
		return err
	}
	if code == CodeNone {
		return &DecodeError{Message: "ErrorResponse", Offset: -1, Reason: "an error with the code of success"}
	}
	return newServerError(key, c.addr, code, message)
}

// readFailure reads a failure of the whole connection, which is the error returned.
func (c *Conn) readFailure(r *bufio.Reader, size int) error {
	r.Discard(failureHeader)
	body, err := readBody(r, min(size, maxFailureBody), nil)
	if err != nil {
		return err
	}
	code, message, err := parseErrorResponse(body)
	if err != nil {
		return err
	}
	return &ServerFailure{Code: code, Message: CleanMessage(code, message)}
}

// parseErrorResponse reads 1 error_code int32, 2 error_message string, optional.
func parseErrorResponse(body []byte) (code ErrorCode, message string, err error) {
	f := fields{b: body}
	var hasCode bool
	for f.next() {
		switch f.tag {
		case 1<<3 | varintType:
			code, hasCode = ErrorCode(f.varint()), true
		case 2<<3 | bytesType:
			message = string(f.bytes())
		default:
			f.skip()
		}
	}
	f.require(hasCode, "error_code")
	return code, message, f.finish("ErrorResponse")
}

// AppendErrorResponse appends an ErrorResponse, as a server does.
func AppendErrorResponse(dst []byte, code ErrorCode, message string) []byte {
	dst = appendVarint(dst, 1, int64(code))
	if message == "" {
		return dst
	}
	return appendBytes(dst, 2, []byte(message))
}
