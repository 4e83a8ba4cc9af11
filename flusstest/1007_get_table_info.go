package flusstest

// GET_TABLE_INFO, version 0.

import (
	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss/internal/wire/flusspb"
)

func (c *call) getTableInfo(q *flusspb.GetTableInfoRequest) (proto.Message, error) {
	cl := c.srv.cluster
	cl.mu.RLock()
	defer cl.mu.RUnlock()
	t, err := cl.find(tablePath(q.TablePath))
	if err != nil {
		return nil, err
	}
	return &flusspb.GetTableInfoResponse{
		TableId:      &t.id,
		SchemaId:     proto.Int32(int32(t.now.Schema.ID)),
		TableJson:    cl.described(t),
		CreatedTime:  &t.now.CreatedMillis,
		ModifiedTime: &t.now.ModifiedMillis,
	}, nil
}
