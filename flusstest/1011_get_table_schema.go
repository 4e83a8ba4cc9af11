package flusstest

// GET_TABLE_SCHEMA, version 0.

import (
	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/wire"
	"github.com/gofluss/fluss/internal/wire/flusspb"
)

func (c *call) getTableSchema(q *flusspb.GetTableSchemaRequest) (proto.Message, error) {
	cl := c.srv.cluster
	cl.mu.RLock()
	defer cl.mu.RUnlock()
	path := tablePath(q.TablePath)
	t := cl.tables[path]
	var s *catalog.Schema
	switch {
	case namesNoPath(path) && q.SchemaId == nil:
		return nil, refuseJava(flussRuntime, "Failed to get latest schema id of table %s", path)
	case namesNoPath(path):
		return nil, refuseJava(flussRuntime, "Fail to get schema of %d for table %s", q.GetSchemaId(), path)
	case t == nil:
	case q.SchemaId == nil:
		s = t.latest()
	default:
		s = t.byID(int(q.GetSchemaId()))
	}
	if s == nil {
		return nil, refuse(wire.CodeSchemaNotExist, "Schema for table %s with schema id %d does not exist.", path, q.GetSchemaId())
	}
	return &flusspb.GetTableSchemaResponse{SchemaId: proto.Int32(int32(s.ID)), SchemaJson: catalog.EncodeSchema(s)}, nil
}
