package flusstest

// LIST_DATABASES, version 0. In the order of the names; the real server sorts nothing.

import (
	"maps"
	"slices"

	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss/internal/wire/flusspb"
)

func (c *call) listDatabases(q *flusspb.ListDatabasesRequest) (proto.Message, error) {
	cl := c.srv.cluster
	cl.mu.RLock()
	defer cl.mu.RUnlock()
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(cl.databases)), func(name string) bool { return !c.may(opDescribe, databaseNamed(name)) })
	if !q.GetIncludeSummary() {
		return &flusspb.ListDatabasesResponse{DatabaseName: names}, nil
	}
	count := map[string]int32{}
	for path := range cl.tables {
		count[path.Database]++
	}
	answer := new(flusspb.ListDatabasesResponse)
	for _, name := range names {
		answer.DatabaseSummary = append(answer.DatabaseSummary, &flusspb.PbDatabaseSummary{
			DatabaseName: &name, CreatedTime: &cl.databases[name].created, TableCount: proto.Int32(count[name]),
		})
	}
	return answer, nil
}
