package flusstest

// GET_METADATA, version 0. All servers tell the same at the same moment, unless StaleMetadata is on.

import (
	"strings"

	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/wire"
	"github.com/gofluss/fluss/internal/wire/flusspb"
)

func (c *call) getMetadata(q *flusspb.MetadataRequest) (proto.Message, error) {
	cl := c.srv.cluster
	cl.mu.RLock()
	defer cl.mu.RUnlock()
	answer := new(flusspb.MetadataResponse)
	if n := c.srv.coordinator; n.running() {
		host, port := n.hostPort()
		answer.CoordinatorServer = serverNode(server{n.id, host, port})
	}
	for _, s := range cl.aliveServers() {
		answer.TabletServers = append(answer.TabletServers, serverNode(s))
	}
	for _, p := range q.TablePath {
		if !c.may(opDescribe, tableNamed(tablePath(p))) {
			continue // left out in silence
		}
		t := cl.tables[tablePath(p)]
		if t == nil {
			return nil, unknownTable(q.TablePath, tablePath(p))
		}
		answer.TableMetadata = append(answer.TableMetadata, cl.tableMetadata(t))
	}
	for _, p := range q.PartitionsPath {
		path := catalog.TablePath{Database: p.GetDatabaseName(), Table: p.GetTableName()}
		if !c.may(opDescribe, tableNamed(path)) {
			continue
		}
		var found *partition
		if t := cl.tables[path]; t != nil {
			found = t.partitions[p.GetPartitionName()]
		}
		if found == nil {
			return nil, refuse(wire.CodePartitionNotExists, "Table partition '%s(p=%s)' does not exist.", path, p.GetPartitionName())
		}
		answer.PartitionMetadata = append(answer.PartitionMetadata, cl.partitionMetadata(found))
	}
	for _, id := range q.PartitionsId {
		found := cl.partitionByID(id)
		if found == nil {
			return nil, refuse(wire.CodePartitionNotExists, "The partition id '%d' does not exist or you don't have permission to access it.", id)
		}
		if c.may(opDescribe, tableNamed(found.table.path)) {
			answer.PartitionMetadata = append(answer.PartitionMetadata, cl.partitionMetadata(found))
		}
	}
	return answer, nil
}

// unknownTable is the odd refusal of metadata for a table that is not there: a stack trace, not code 7.
func unknownTable(paths []*flusspb.PbTablePath, missing catalog.TablePath) error {
	var names []string
	for _, p := range paths {
		names = append(names, tablePath(p).String())
	}
	return refuseJava(flussRuntime,
		"Failed to get tables '%s'.\nCaused by: org.apache.fluss.exception.TableNotExistException: Table '%s' does not exist.", javaList(names), missing)
}

func serverNode(s server) *flusspb.PbServerNode {
	return &flusspb.PbServerNode{NodeId: &s.id, Host: &s.host, Port: &s.port}
}

func (c *cluster) tableMetadata(t *table) *flusspb.PbTableMetadata {
	return &flusspb.PbTableMetadata{
		TablePath:      pbTablePath(t.path),
		TableId:        &t.id,
		SchemaId:       proto.Int32(int32(t.now.Schema.ID)),
		TableJson:      c.described(t),
		BucketMetadata: c.bucketMetadata(t, catalog.NoPartition),
		CreatedTime:    &t.now.CreatedMillis,
		ModifiedTime:   &t.now.ModifiedMillis,
	}
}

func (c *cluster) partitionMetadata(p *partition) *flusspb.PbPartitionMetadata {
	name := strings.Clone(p.name)
	return &flusspb.PbPartitionMetadata{
		TableId: &p.table.id, PartitionName: &name, PartitionId: &p.id, BucketMetadata: c.bucketMetadata(p.table, p.id),
	}
}

// bucketMetadata leaves leader and epoch out while there is no leader.
func (c *cluster) bucketMetadata(t *table, partitionID int64) []*flusspb.PbBucketMetadata {
	var list []*flusspb.PbBucketMetadata
	for _, b := range c.bucketsOf(t, partitionID) {
		m := &flusspb.PbBucketMetadata{BucketId: &b.key.ID, ReplicaId: b.replicas}
		if l := c.told(b); l.leader != noLeader {
			m.LeaderId, m.LeaderEpoch = &l.leader, &l.epoch
		}
		list = append(list, m)
	}
	return list
}

func (c *cluster) partitionByID(id int64) *partition {
	for _, t := range c.tablesByID {
		for _, p := range t.partitions {
			if p.id == id {
				return p
			}
		}
	}
	return nil
}
