package flusstest

// DROP_DATABASE, version 0. With cascade the tables go too, at once.

import (
	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss/internal/wire"
	"github.com/gofluss/fluss/internal/wire/flusspb"
)

func (c *call) dropDatabase(q *flusspb.DropDatabaseRequest) (proto.Message, error) {
	name := q.GetDatabaseName()
	if err := checkDatabaseExists(name); err != nil {
		return nil, err
	}
	cl := c.srv.cluster
	cl.mu.Lock()
	defer cl.mu.Unlock()
	if cl.databases[name] == nil {
		if q.GetIgnoreIfNotExists() {
			return new(flusspb.DropDatabaseResponse), nil
		}
		return nil, refuse(wire.CodeDatabaseNotExist, "Database %s does not exist.", name)
	}
	var inside []*table
	for path, t := range cl.tables {
		if path.Database == name {
			inside = append(inside, t)
		}
	}
	if len(inside) > 0 && !q.GetCascade() {
		return nil, refuse(wire.CodeDatabaseNotEmpty, "Database %s is not empty.", name)
	}
	for _, t := range inside {
		cl.forget(t)
	}
	delete(cl.databases, name)
	return new(flusspb.DropDatabaseResponse), nil
}
