package flusstest

// GET_DATABASE_INFO, version 0.

import (
	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/wire"
	"github.com/gofluss/fluss/internal/wire/flusspb"
)

func (c *call) getDatabaseInfo(q *flusspb.GetDatabaseInfoRequest) (proto.Message, error) {
	if q.GetDatabaseName() == "" {
		return nil, refuseJava(flussRuntime, "Fail to get database ''.")
	}
	cl := c.srv.cluster
	cl.mu.RLock()
	defer cl.mu.RUnlock()
	d := cl.databases[q.GetDatabaseName()]
	if d == nil {
		return nil, refuse(wire.CodeDatabaseNotExist, "Database '%s' does not exist.", q.GetDatabaseName())
	}
	return &flusspb.GetDatabaseInfoResponse{
		DatabaseJson: catalog.EncodeDatabase(&d.descriptor), CreatedTime: &d.created, ModifiedTime: &d.created,
	}, nil
}
