package flusstest

import (
	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss/internal/wire"
)

// call is one request under way.
type call struct {
	srv  *Server
	node *node
	conn *connection
	req  wire.Request
	done func(t wire.ResponseType, body []byte) // sends the answer; called at most once
}

// handler performs a request and answers it through c.done, at once or later from a goroutine of its own. Not calling
// done is silence.
type handler func(c *call)

// method makes a handler of a function over messages. A body that does not parse, or lacks a required field, gets no
// answer, as from the real server.
func method[Q any, P interface {
	*Q
	proto.Message
}](serve func(c *call, q P) (proto.Message, error)) handler {
	return func(c *call) {
		q := P(new(Q))
		if proto.Unmarshal(c.req.Body, q) != nil {
			c.malformed()
			return
		}
		if err := c.authorize(q); err != nil {
			c.finish(nil, err)
			return
		}
		answer, err := serve(c, q)
		c.finish(answer, err)
	}
}

// finish answers with a message or a refusal.
func (c *call) finish(answer proto.Message, err error) {
	switch {
	case err == errSilence:
	case err != nil:
		code, message := codeOf(err)
		c.done(wire.ResponseError, wire.AppendErrorResponse(nil, code, message))
	default:
		c.answer(answer)
	}
}

func (c *call) answer(m proto.Message) {
	body, err := proto.Marshal(m)
	if err != nil {
		panic("flusstest: " + err.Error()) // a required field was forgotten: a bug here
	}
	c.done(wire.ResponseSuccess, body)
}

// malformed is for a body that does not parse or lacks a required field: silence, except in strict mode.
func (c *call) malformed() {
	if c.srv.opt.strict {
		c.finish(nil, refuse(wire.CodeCorruptMessage, "the body is no %s request", c.req.API))
	}
}
