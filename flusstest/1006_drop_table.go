package flusstest

// DROP_TABLE, version 0. The data is gone at once; late requests get code 21.

import (
	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss/internal/wire/flusspb"
)

func (c *call) dropTable(q *flusspb.DropTableRequest) (proto.Message, error) {
	err := c.srv.cluster.dropTable(tablePath(q.TablePath), q.GetIgnoreIfNotExists())
	return new(flusspb.DropTableResponse), err
}
