package flusstest

// CREATE_TABLE, version 0. The rules are in cluster_table.go, cluster_check.go and cluster_property.go. A table leads its
// buckets at once, see ElectionTime. Left out: what a lake itself refuses.

import (
	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/wire/flusspb"
)

func (c *call) createTable(q *flusspb.CreateTableRequest) (proto.Message, error) {
	err := c.srv.cluster.createTable(tablePath(q.TablePath), q.TableJson, q.GetIgnoreIfExists())
	return new(flusspb.CreateTableResponse), err
}

func tablePath(p *flusspb.PbTablePath) catalog.TablePath {
	return catalog.TablePath{Database: p.GetDatabaseName(), Table: p.GetTableName()}
}

func pbTablePath(p catalog.TablePath) *flusspb.PbTablePath {
	return &flusspb.PbTablePath{DatabaseName: &p.Database, TableName: &p.Table}
}
