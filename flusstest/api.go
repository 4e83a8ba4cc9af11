package flusstest

import "github.com/gofluss/fluss/internal/wire"

// API is a request of the Fluss protocol, by its key.
type API int16

// The requests a client may send, by their names in the Fluss sources.
const (
	APIVersions                = API(wire.APIVersions)
	CreateDatabase             = API(wire.APICreateDatabase)
	DropDatabase               = API(wire.APIDropDatabase)
	ListDatabases              = API(wire.APIListDatabases)
	DatabaseExists             = API(wire.APIDatabaseExists)
	CreateTable                = API(wire.APICreateTable)
	DropTable                  = API(wire.APIDropTable)
	GetTableInfo               = API(wire.APIGetTableInfo)
	ListTables                 = API(wire.APIListTables)
	ListPartitionInfos         = API(wire.APIListPartitionInfos)
	TableExists                = API(wire.APITableExists)
	GetTableSchema             = API(wire.APIGetTableSchema)
	GetMetadata                = API(wire.APIGetMetadata)
	ProduceLog                 = API(wire.APIProduceLog)
	FetchLog                   = API(wire.APIFetchLog)
	PutKV                      = API(wire.APIPutKV)
	Lookup                     = API(wire.APILookup)
	ListOffsets                = API(wire.APIListOffsets)
	GetLatestKVSnapshots       = API(wire.APIGetLatestKVSnapshots)
	GetKVSnapshotMetadata      = API(wire.APIGetKVSnapshotMetadata)
	GetFilesystemSecurityToken = API(wire.APIGetFilesystemSecurityToken)
	InitWriter                 = API(wire.APIInitWriter)
	GetLakeSnapshot            = API(wire.APIGetLakeSnapshot)
	LimitScan                  = API(wire.APILimitScan)
	PrefixLookup               = API(wire.APIPrefixLookup)
	GetDatabaseInfo            = API(wire.APIGetDatabaseInfo)
	CreatePartition            = API(wire.APICreatePartition)
	DropPartition              = API(wire.APIDropPartition)
	Authenticate               = API(wire.APIAuthenticate)
	CreateACLs                 = API(wire.APICreateACLs)
	ListACLs                   = API(wire.APIListACLs)
	DropACLs                   = API(wire.APIDropACLs)
	AlterTable                 = API(wire.APIAlterTable)
	DescribeClusterConfigs     = API(wire.APIDescribeClusterConfigs)
	AlterClusterConfigs        = API(wire.APIAlterClusterConfigs)
	AddServerTag               = API(wire.APIAddServerTag)
	RemoveServerTag            = API(wire.APIRemoveServerTag)
	Rebalance                  = API(wire.APIRebalance)
	ListRebalanceProgress      = API(wire.APIListRebalanceProgress)
	CancelRebalance            = API(wire.APICancelRebalance)
	DropKVSnapshotLease        = API(wire.APIDropKVSnapshotLease)
	GetTableStats              = API(wire.APIGetTableStats)
)

// String is the name in the Fluss sources, such as PUT_KV.
func (a API) String() string { return wire.APIKey(a).String() }
