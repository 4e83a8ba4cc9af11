package wire

import "strconv"

// APIKey names a request of the protocol. Source: ApiKeys (Java, v0.9.1-incubating).
type APIKey int16

// The APIs of 0.9.1. Those marked private are between servers: a server lists them in ApiVersions, a client
// never calls them.
const (
	APIVersions                   APIKey = 1000
	APICreateDatabase             APIKey = 1001
	APIDropDatabase               APIKey = 1002
	APIListDatabases              APIKey = 1003
	APIDatabaseExists             APIKey = 1004
	APICreateTable                APIKey = 1005
	APIDropTable                  APIKey = 1006
	APIGetTableInfo               APIKey = 1007
	APIListTables                 APIKey = 1008
	APIListPartitionInfos         APIKey = 1009
	APITableExists                APIKey = 1010
	APIGetTableSchema             APIKey = 1011
	APIGetMetadata                APIKey = 1012
	APIUpdateMetadata             APIKey = 1013 // private
	APIProduceLog                 APIKey = 1014
	APIFetchLog                   APIKey = 1015
	APIPutKV                      APIKey = 1016
	APILookup                     APIKey = 1017
	APINotifyLeaderAndISR         APIKey = 1018 // private
	APIStopReplica                APIKey = 1019 // private
	APIAdjustISR                  APIKey = 1020 // private
	APIListOffsets                APIKey = 1021
	APICommitKVSnapshot           APIKey = 1022 // private
	APIGetLatestKVSnapshots       APIKey = 1023
	APIGetKVSnapshotMetadata      APIKey = 1024
	APIGetFilesystemSecurityToken APIKey = 1025
	APIInitWriter                 APIKey = 1026
	APICommitRemoteLogManifest    APIKey = 1027 // private
	APINotifyRemoteLogOffsets     APIKey = 1028 // private
	APINotifyKVSnapshotOffset     APIKey = 1029 // private
	APICommitLakeTableSnapshot    APIKey = 1030 // private
	APINotifyLakeTableOffset      APIKey = 1031 // private
	APIGetLakeSnapshot            APIKey = 1032
	APILimitScan                  APIKey = 1033
	APIPrefixLookup               APIKey = 1034
	APIGetDatabaseInfo            APIKey = 1035
	APICreatePartition            APIKey = 1036
	APIDropPartition              APIKey = 1037
	APIAuthenticate               APIKey = 1038
	APICreateACLs                 APIKey = 1039
	APIListACLs                   APIKey = 1040
	APIDropACLs                   APIKey = 1041
	APILakeTieringHeartbeat       APIKey = 1042 // private
	APIControlledShutdown         APIKey = 1043 // private
	APIAlterTable                 APIKey = 1044
	APIDescribeClusterConfigs     APIKey = 1045
	APIAlterClusterConfigs        APIKey = 1046
	APIAddServerTag               APIKey = 1047
	APIRemoveServerTag            APIKey = 1048
	APIRebalance                  APIKey = 1049
	APIListRebalanceProgress      APIKey = 1050
	APICancelRebalance            APIKey = 1051
	APIPrepareLakeTableSnapshot   APIKey = 1052 // private
	APIRegisterProducerOffsets    APIKey = 1053
	APIGetProducerOffsets         APIKey = 1054
	APIDeleteProducerOffsets      APIKey = 1055
	APIAcquireKVSnapshotLease     APIKey = 1056
	APIReleaseKVSnapshotLease     APIKey = 1057
	APIDropKVSnapshotLease        APIKey = 1058
	APIGetTableStats              APIKey = 1059
)

// firstAPI and lastAPI bound the keys known here; the table is indexed by key-firstAPI.
const (
	firstAPI = APIVersions
	lastAPI  = APIGetTableStats
)

// Server types as ApiVersions tells them.
const (
	CoordinatorServer = 1
	TabletServer      = 2
)

// role says who answers an API, a bit for each server type.
type role uint8

const (
	coordinator role = 1 << CoordinatorServer
	tablet      role = 1 << TabletServer
	both             = coordinator | tablet
)

// apiInfo is a line of the API table. maxVersion is the highest version spoken here; the lowest is always 0.
// Version 1 of PUT_KV, LOOKUP and PREFIX_LOOKUP has the same messages as 0 and declares that the client knows
// the newer key encoding.
type apiInfo struct {
	name       string
	maxVersion int16
	servers    role
	private    bool
}

var apis = [lastAPI - firstAPI + 1]apiInfo{
	APIVersions - firstAPI:                   {name: "API_VERSIONS", servers: both},
	APICreateDatabase - firstAPI:             {name: "CREATE_DATABASE", servers: coordinator},
	APIDropDatabase - firstAPI:               {name: "DROP_DATABASE", servers: coordinator},
	APIListDatabases - firstAPI:              {name: "LIST_DATABASES", servers: both},
	APIDatabaseExists - firstAPI:             {name: "DATABASE_EXISTS", servers: both},
	APICreateTable - firstAPI:                {name: "CREATE_TABLE", servers: coordinator},
	APIDropTable - firstAPI:                  {name: "DROP_TABLE", servers: coordinator},
	APIGetTableInfo - firstAPI:               {name: "GET_TABLE_INFO", servers: both},
	APIListTables - firstAPI:                 {name: "LIST_TABLES", servers: both},
	APIListPartitionInfos - firstAPI:         {name: "LIST_PARTITION_INFOS", servers: both},
	APITableExists - firstAPI:                {name: "TABLE_EXISTS", servers: both},
	APIGetTableSchema - firstAPI:             {name: "GET_TABLE_SCHEMA", servers: both},
	APIGetMetadata - firstAPI:                {name: "GET_METADATA", servers: both},
	APIUpdateMetadata - firstAPI:             {name: "UPDATE_METADATA", servers: tablet, private: true},
	APIProduceLog - firstAPI:                 {name: "PRODUCE_LOG", servers: tablet},
	APIFetchLog - firstAPI:                   {name: "FETCH_LOG", servers: tablet},
	APIPutKV - firstAPI:                      {name: "PUT_KV", servers: tablet, maxVersion: 1},
	APILookup - firstAPI:                     {name: "LOOKUP", servers: tablet, maxVersion: 1},
	APINotifyLeaderAndISR - firstAPI:         {name: "NOTIFY_LEADER_AND_ISR", servers: tablet, private: true},
	APIStopReplica - firstAPI:                {name: "STOP_REPLICA", servers: tablet, private: true},
	APIAdjustISR - firstAPI:                  {name: "ADJUST_ISR", servers: coordinator, private: true},
	APIListOffsets - firstAPI:                {name: "LIST_OFFSETS", servers: tablet},
	APICommitKVSnapshot - firstAPI:           {name: "COMMIT_KV_SNAPSHOT", servers: coordinator, private: true},
	APIGetLatestKVSnapshots - firstAPI:       {name: "GET_LATEST_KV_SNAPSHOTS", servers: both},
	APIGetKVSnapshotMetadata - firstAPI:      {name: "GET_KV_SNAPSHOT_METADATA", servers: both},
	APIGetFilesystemSecurityToken - firstAPI: {name: "GET_FILESYSTEM_SECURITY_TOKEN", servers: both},
	APIInitWriter - firstAPI:                 {name: "INIT_WRITER", servers: tablet},
	APICommitRemoteLogManifest - firstAPI:    {name: "COMMIT_REMOTE_LOG_MANIFEST", servers: coordinator, private: true},
	APINotifyRemoteLogOffsets - firstAPI:     {name: "NOTIFY_REMOTE_LOG_OFFSETS", servers: tablet, private: true},
	APINotifyKVSnapshotOffset - firstAPI:     {name: "NOTIFY_KV_SNAPSHOT_OFFSET", servers: tablet, private: true},
	APICommitLakeTableSnapshot - firstAPI:    {name: "COMMIT_LAKE_TABLE_SNAPSHOT", servers: coordinator, private: true},
	APINotifyLakeTableOffset - firstAPI:      {name: "NOTIFY_LAKE_TABLE_OFFSET", servers: tablet, private: true},
	APIGetLakeSnapshot - firstAPI:            {name: "GET_LAKE_SNAPSHOT", servers: both},
	APILimitScan - firstAPI:                  {name: "LIMIT_SCAN", servers: tablet},
	APIPrefixLookup - firstAPI:               {name: "PREFIX_LOOKUP", servers: tablet, maxVersion: 1},
	APIGetDatabaseInfo - firstAPI:            {name: "GET_DATABASE_INFO", servers: both},
	APICreatePartition - firstAPI:            {name: "CREATE_PARTITION", servers: coordinator},
	APIDropPartition - firstAPI:              {name: "DROP_PARTITION", servers: coordinator},
	APIAuthenticate - firstAPI:               {name: "AUTHENTICATE", servers: both},
	APICreateACLs - firstAPI:                 {name: "CREATE_ACLS", servers: coordinator},
	APIListACLs - firstAPI:                   {name: "LIST_ACLS", servers: both},
	APIDropACLs - firstAPI:                   {name: "DROP_ACLS", servers: coordinator},
	APILakeTieringHeartbeat - firstAPI:       {name: "LAKE_TIERING_HEARTBEAT", servers: coordinator, private: true},
	APIControlledShutdown - firstAPI:         {name: "CONTROLLED_SHUTDOWN", servers: coordinator, private: true},
	APIAlterTable - firstAPI:                 {name: "ALTER_TABLE", servers: coordinator},
	APIDescribeClusterConfigs - firstAPI:     {name: "DESCRIBE_CLUSTER_CONFIGS", servers: both},
	APIAlterClusterConfigs - firstAPI:        {name: "ALTER_CLUSTER_CONFIGS", servers: coordinator},
	APIAddServerTag - firstAPI:               {name: "ADD_SERVER_TAG", servers: coordinator},
	APIRemoveServerTag - firstAPI:            {name: "REMOVE_SERVER_TAG", servers: coordinator},
	APIRebalance - firstAPI:                  {name: "REBALANCE", servers: coordinator},
	APIListRebalanceProgress - firstAPI:      {name: "LIST_REBALANCE_PROGRESS", servers: coordinator},
	APICancelRebalance - firstAPI:            {name: "CANCEL_REBALANCE", servers: coordinator},
	APIPrepareLakeTableSnapshot - firstAPI:   {name: "PREPARE_LAKE_TABLE_SNAPSHOT", servers: coordinator, private: true},
	APIRegisterProducerOffsets - firstAPI:    {name: "REGISTER_PRODUCER_OFFSETS", servers: coordinator},
	APIGetProducerOffsets - firstAPI:         {name: "GET_PRODUCER_OFFSETS", servers: coordinator},
	APIDeleteProducerOffsets - firstAPI:      {name: "DELETE_PRODUCER_OFFSETS", servers: coordinator},
	APIAcquireKVSnapshotLease - firstAPI:     {name: "ACQUIRE_KV_SNAPSHOT_LEASE", servers: coordinator},
	APIReleaseKVSnapshotLease - firstAPI:     {name: "RELEASE_KV_SNAPSHOT_LEASE", servers: coordinator},
	APIDropKVSnapshotLease - firstAPI:        {name: "DROP_KV_SNAPSHOT_LEASE", servers: coordinator},
	APIGetTableStats - firstAPI:              {name: "GET_TABLE_STATS", servers: tablet},
}

// info returns the table's line for k, nil when k is not in it.
func (k APIKey) info() *apiInfo {
	if k < firstAPI || k > lastAPI {
		return nil
	}
	return &apis[k-firstAPI]
}

// String returns the name as the Java sources spell it, such as PREFIX_LOOKUP, or the number of an unknown key.
func (k APIKey) String() string {
	if i := k.info(); i != nil {
		return i.name
	}
	return "API " + strconv.Itoa(int(k))
}

// MaxVersion is the highest version spoken here; false for an unknown key. The lowest is always 0.
func (k APIKey) MaxVersion() (int16, bool) {
	i := k.info()
	if i == nil {
		return 0, false
	}
	return i.maxVersion, true
}

// Public says whether a client may call k.
func (k APIKey) Public() bool {
	i := k.info()
	return i != nil && !i.private
}

// ServedBy says whether a 0.9.1 server of that type (CoordinatorServer, TabletServer) answers k. The other type
// keeps silent.
func (k APIKey) ServedBy(serverType int) bool {
	i := k.info()
	return i != nil && i.servers&(1<<serverType) != 0
}

// APIKeys returns every key in the table in ascending order, private ones included.
func APIKeys() []APIKey {
	keys := make([]APIKey, len(apis))
	for i := range keys {
		keys[i] = firstAPI + APIKey(i)
	}
	return keys
}
