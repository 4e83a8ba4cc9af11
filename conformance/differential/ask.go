package differential

import (
	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss/internal/wire"
	"github.com/gofluss/fluss/internal/wire/flusspb"
)

// ask compares what the servers know of a table.
func (w *world) ask(t *table) error {
	path := t.pbPath()
	switch w.IntN(10) {
	case 0:
		return w.call(w.tablet(t, wire.APIGetTableInfo, &flusspb.GetTableInfoRequest{TablePath: path}))
	case 1:
		request := &flusspb.GetTableSchemaRequest{TablePath: path}
		if w.one(2) {
			request.SchemaId = proto.Int32(pick(w.dice, int32(1), 2, 3, 0, -1, 99))
		}
		return w.call(w.tablet(t, wire.APIGetTableSchema, request))
	case 2:
		request := &flusspb.MetadataRequest{TablePath: []*flusspb.PbTablePath{path}}
		for _, p := range t.partitions {
			if p.symbol >= 0 && w.one(2) {
				request.PartitionsId = append(request.PartitionsId, p.symbol)
			}
		}
		return w.call(w.tablet(t, wire.APIGetMetadata, request))
	case 3:
		request := &flusspb.ListPartitionInfosRequest{TablePath: path}
		if len(t.partitions) > 0 && t.partitions[0].symbol >= 0 && w.one(2) {
			request.PartialPartitionSpec = spec(t.latest.PartitionKeys[0], t.partitions[0].values[0])
		}
		return w.call(w.tablet(t, wire.APIListPartitionInfos, request))
	case 4:
		return w.call(w.tablet(t, wire.APIListTables, &flusspb.ListTablesRequest{DatabaseName: &w.database}))
	case 5:
		return w.call(w.tablet(t, wire.APITableExists, &flusspb.TableExistsRequest{TablePath: path}))
	case 6:
		request := &flusspb.InitWriterRequest{}
		if w.one(2) {
			request.TablePath = append(request.TablePath, path)
		}
		return w.call(w.tablet(t, wire.APIInitWriter, request))
	case 7:
		request := &flusspb.GetLatestKvSnapshotsRequest{TablePath: path}
		if w.one(3) {
			request.PartitionName = proto.String("nope")
		}
		return w.call(w.tablet(t, wire.APIGetLatestKVSnapshots, request))
	case 8:
		return w.call(w.tablet(t, wire.APIGetLakeSnapshot, &flusspb.GetLakeSnapshotRequest{TablePath: path}))
	}
	return w.call(w.tablet(t, wire.APIGetFilesystemSecurityToken, &flusspb.GetFileSystemSecurityTokenRequest{}))
}
