package flusstest

// INIT_WRITER, version 0. Ids count up from 0 over the whole cluster; the tables named are not looked at.

import (
	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss/internal/wire/flusspb"
)

func (c *call) initWriter(*flusspb.InitWriterRequest) (proto.Message, error) {
	cl := c.srv.cluster
	cl.mu.Lock()
	defer cl.mu.Unlock()
	id := cl.nextWriter
	cl.nextWriter++
	return &flusspb.InitWriterResponse{WriterId: &id}, nil
}
