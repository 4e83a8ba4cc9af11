package flusstest

// TABLE_EXISTS, version 0.

import (
	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss/internal/wire/flusspb"
)

func (c *call) tableExists(q *flusspb.TableExistsRequest) (proto.Message, error) {
	if err := checkExists(tablePath(q.TablePath)); err != nil {
		return nil, err
	}
	cl := c.srv.cluster
	cl.mu.RLock()
	defer cl.mu.RUnlock()
	return &flusspb.TableExistsResponse{Exists: proto.Bool(cl.tables[tablePath(q.TablePath)] != nil)}, nil
}
