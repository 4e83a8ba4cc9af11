package flusstest

// DATABASE_EXISTS, version 0.

import (
	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss/internal/wire/flusspb"
)

func (c *call) databaseExists(q *flusspb.DatabaseExistsRequest) (proto.Message, error) {
	if err := checkDatabaseExists(q.GetDatabaseName()); err != nil {
		return nil, err
	}
	cl := c.srv.cluster
	cl.mu.RLock()
	defer cl.mu.RUnlock()
	return &flusspb.DatabaseExistsResponse{Exists: proto.Bool(cl.databases[q.GetDatabaseName()] != nil)}, nil
}
