package flusstest

// CREATE_DATABASE, version 0.

import (
	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/wire"
	"github.com/gofluss/fluss/internal/wire/flusspb"
)

func (c *call) createDatabase(q *flusspb.CreateDatabaseRequest) (proto.Message, error) {
	name := q.GetDatabaseName()
	if err := checkDatabaseName(name); err != nil {
		return nil, err
	}
	var d catalog.Database
	if q.DatabaseJson != nil {
		var err error
		if d, err = catalog.DecodeDatabase(q.DatabaseJson); err != nil {
			return nil, refuseJava("java.io.UncheckedIOException", "%v", err)
		}
		if d.CustomProperties == nil {
			return nil, refuseJava(nullPointerException, noJSONField)
		}
	}
	cl := c.srv.cluster
	cl.mu.Lock()
	defer cl.mu.Unlock()
	if cl.databases[name] != nil {
		if q.GetIgnoreIfExists() {
			return new(flusspb.CreateDatabaseResponse), nil
		}
		return nil, refuse(wire.CodeDatabaseAlreadyExist, "Database %s already exists.", name)
	}
	cl.databases[name] = &database{descriptor: d, created: cl.millis()}
	return new(flusspb.CreateDatabaseResponse), nil
}
