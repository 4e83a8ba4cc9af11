package flusstest

// LIST_TABLES, version 0. In the order of the names; the real server sorts nothing.

import (
	"slices"

	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss/internal/wire"
	"github.com/gofluss/fluss/internal/wire/flusspb"
)

func (c *call) listTables(q *flusspb.ListTablesRequest) (proto.Message, error) {
	if err := checkDatabaseExists(q.GetDatabaseName()); err != nil {
		return nil, err
	}
	cl := c.srv.cluster
	cl.mu.RLock()
	defer cl.mu.RUnlock()
	if cl.databases[q.GetDatabaseName()] == nil {
		return nil, refuse(wire.CodeDatabaseNotExist, "Database %s does not exist.", q.GetDatabaseName())
	}
	answer := new(flusspb.ListTablesResponse)
	for path := range cl.tables {
		if path.Database == q.GetDatabaseName() && c.may(opDescribe, tableNamed(path)) {
			answer.TableName = append(answer.TableName, path.Table)
		}
	}
	slices.Sort(answer.TableName)
	return answer, nil
}
