package flusstest

import "github.com/gofluss/fluss/internal/wire"

// handlers has every API that is served. An API that is not in it is not told of by API_VERSIONS either.
var handlers map[wire.APIKey]handler

func init() { // not a literal above: the table refers to itself through API_VERSIONS
	handlers = map[wire.APIKey]handler{
		wire.APIVersions:                   method((*call).apiVersions),
		wire.APICreateDatabase:             method((*call).createDatabase),
		wire.APIDropDatabase:               method((*call).dropDatabase),
		wire.APIListDatabases:              method((*call).listDatabases),
		wire.APIDatabaseExists:             method((*call).databaseExists),
		wire.APICreateTable:                method((*call).createTable),
		wire.APIDropTable:                  method((*call).dropTable),
		wire.APIGetTableInfo:               method((*call).getTableInfo),
		wire.APIListTables:                 method((*call).listTables),
		wire.APIListPartitionInfos:         method((*call).listPartitionInfos),
		wire.APITableExists:                method((*call).tableExists),
		wire.APIGetTableSchema:             method((*call).getTableSchema),
		wire.APIGetMetadata:                method((*call).getMetadata),
		wire.APIProduceLog:                 method((*call).produceLog),
		wire.APIFetchLog:                   (*call).fetchLog,
		wire.APIPutKV:                      method((*call).putKV),
		wire.APILookup:                     (*call).lookup,
		wire.APIListOffsets:                method((*call).listOffsets),
		wire.APIGetLatestKVSnapshots:       method((*call).getLatestKVSnapshots),
		wire.APIGetKVSnapshotMetadata:      method((*call).getKVSnapshotMetadata),
		wire.APIGetFilesystemSecurityToken: method((*call).getFilesystemSecurityToken),
		wire.APIInitWriter:                 method((*call).initWriter),
		wire.APIGetLakeSnapshot:            method((*call).getLakeSnapshot),
		wire.APILimitScan:                  method((*call).limitScan),
		wire.APIPrefixLookup:               method((*call).prefixLookup),
		wire.APIGetDatabaseInfo:            method((*call).getDatabaseInfo),
		wire.APICreatePartition:            method((*call).createPartition),
		wire.APIDropPartition:              method((*call).dropPartition),
		wire.APIAuthenticate:               method((*call).authenticate),
		wire.APICreateACLs:                 method((*call).createACLs),
		wire.APIListACLs:                   method((*call).listACLs),
		wire.APIDropACLs:                   method((*call).dropACLs),
		wire.APIAlterTable:                 method((*call).alterTable),
		wire.APIDescribeClusterConfigs:     method((*call).describeClusterConfigs),
		wire.APIAlterClusterConfigs:        method((*call).alterClusterConfigs),
		wire.APIAddServerTag:               method((*call).addServerTag),
		wire.APIRemoveServerTag:            method((*call).removeServerTag),
		wire.APIRebalance:                  method((*call).rebalance),
		wire.APIListRebalanceProgress:      method((*call).listRebalanceProgress),
		wire.APICancelRebalance:            method((*call).cancelRebalance),
		wire.APIDropKVSnapshotLease:        method((*call).dropKVSnapshotLease),
		wire.APIGetTableStats:              method((*call).getTableStats),
	}
}

// dispatch performs a call. What the real server passes over in silence is not answered here either, unless the server
// is strict.
func dispatch(c *call) {
	h := handlers[c.req.API]
	if h == nil || !c.req.API.ServedBy(c.node.kind) {
		if c.srv.opt.strict {
			c.finish(nil, refuse(wire.CodeUnsupportedVersion, "%s is not served here", c.req.API))
		}
		return
	}
	if c.conn.locked() && c.req.API != wire.APIVersions && c.req.API != wire.APIAuthenticate {
		c.finish(nil, errNotAuthenticated)
		return
	}
	h(c)
}
