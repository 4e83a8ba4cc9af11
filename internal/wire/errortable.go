package wire

// errorInfo is a line of the code table. ambiguous: a write answered so may be stored all the same.
//
// retry is that of the Java client except for CORRUPT_MESSAGE and CORRUPT_RECORD, which it repeats in vain: the
// bytes do not get better. NOT_LEADER_OR_FOLLOWER is ambiguous because a leader that lost its leadership after
// it appended, with acks -1, answers so too. UNKNOWN_SERVER_ERROR stands for anything.
type errorInfo struct {
	name      string
	text      string
	retry     RetryKind
	ambiguous bool
}

const firstCode = CodeUnknownServerError

// errorCodes is indexed by code-firstCode.
var errorCodes = [...]errorInfo{
	CodeUnknownServerError - firstCode: {
		name: "UNKNOWN_SERVER_ERROR", ambiguous: true,
		text: "The server experienced an unexpected error when processing the request.",
	},
	CodeNone - firstCode: {name: "NONE"},
	CodeNetwork - firstCode: {
		name: "NETWORK_EXCEPTION", retry: RetryRefresh, ambiguous: true,
		text: "The server disconnected before a response was received.",
	},
	CodeUnsupportedVersion - firstCode: {name: "UNSUPPORTED_VERSION", text: "The version of API is not supported."},
	CodeCorruptMessage - firstCode: {
		name: "CORRUPT_MESSAGE",
		text: "This message has failed its CRC checksum, exceeds the valid size, has a null key for a primary key table, or is otherwise corrupt.",
	},
	CodeDatabaseNotExist - firstCode:     {name: "DATABASE_NOT_EXIST", text: "The database does not exist."},
	CodeDatabaseNotEmpty - firstCode:     {name: "DATABASE_NOT_EMPTY", text: "The database is not empty."},
	CodeDatabaseAlreadyExist - firstCode: {name: "DATABASE_ALREADY_EXIST", text: "The database already exists."},
	CodeTableNotExist - firstCode:        {name: "TABLE_NOT_EXIST", text: "The table does not exist."},
	CodeTableAlreadyExist - firstCode:    {name: "TABLE_ALREADY_EXIST", text: "The table already exists."},
	CodeSchemaNotExist - firstCode:       {name: "SCHEMA_NOT_EXIST", text: "The schema does not exist.", retry: RetryPlain},
	CodeLogStorage - firstCode: {
		name: "LOG_STORAGE_EXCEPTION", retry: RetryPlain, ambiguous: true,
		text: "Exception occur while storage data for log in server.",
	},
	CodeKVStorage - firstCode: {
		name: "KV_STORAGE_EXCEPTION", retry: RetryPlain, ambiguous: true,
		text: "Exception occur while storage data for kv in server.",
	},
	CodeNotLeaderOrFollower - firstCode: {
		name: "NOT_LEADER_OR_FOLLOWER", retry: RetryRefresh, ambiguous: true,
		text: "Not leader or follower.",
	},
	CodeRecordTooLarge - firstCode: {name: "RECORD_TOO_LARGE_EXCEPTION", text: "The record is too large."},
	CodeCorruptRecord - firstCode:  {name: "CORRUPT_RECORD_EXCEPTION", text: "The record is corrupt."},
	CodeInvalidTable - firstCode: {
		name: "INVALID_TABLE_EXCEPTION",
		text: "The client has attempted to perform an operation on an invalid table.",
	},
	CodeInvalidDatabase - firstCode: {
		name: "INVALID_DATABASE_EXCEPTION",
		text: "The client has attempted to perform an operation on an invalid database.",
	},
	CodeInvalidReplicationFactor - firstCode: {
		name: "INVALID_REPLICATION_FACTOR",
		text: "The replication factor is larger then the number of available tablet servers.",
	},
	CodeInvalidRequiredAcks - firstCode: {
		name: "INVALID_REQUIRED_ACKS",
		text: "Produce request specified an invalid value for required acks.",
	},
	CodeLogOffsetOutOfRange - firstCode: {
		name: "LOG_OFFSET_OUT_OF_RANGE_EXCEPTION",
		text: "The log offset is out of range.",
	},
	CodeNonPrimaryKeyTable - firstCode: {
		name: "NON_PRIMARY_KEY_TABLE_EXCEPTION",
		text: "The table is not primary key table.",
	},
	CodeUnknownTableOrBucket - firstCode: {
		name: "UNKNOWN_TABLE_OR_BUCKET_EXCEPTION", retry: RetryRefresh,
		text: "The table or bucket does not exist.",
	},
	CodeInvalidUpdateVersion - firstCode: {
		name: "INVALID_UPDATE_VERSION_EXCEPTION",
		text: "The update version is invalid.",
	},
	CodeInvalidCoordinator - firstCode: {name: "INVALID_COORDINATOR_EXCEPTION", text: "The coordinator is invalid."},
	CodeFencedLeaderEpoch - firstCode:  {name: "FENCED_LEADER_EPOCH_EXCEPTION", text: "The leader epoch is invalid."},
	CodeRequestTimeout - firstCode: {
		name: "REQUEST_TIME_OUT", retry: RetryPlain, ambiguous: true,
		text: "The request time out.",
	},
	CodeStorage - firstCode: {
		name: "STORAGE_EXCEPTION", retry: RetryPlain, ambiguous: true,
		text: "The general storage exception.",
	},
	CodeOperationNotAttempted - firstCode: {
		name: "OPERATION_NOT_ATTEMPTED_EXCEPTION",
		text: "The server did not attempt to execute this operation.",
	},
	CodeNotEnoughReplicasAfterAppend - firstCode: {
		name: "NOT_ENOUGH_REPLICAS_AFTER_APPEND_EXCEPTION", retry: RetryPlain, ambiguous: true,
		text: "Records are written to the server already, but to fewer in-sync replicas than required.",
	},
	CodeNotEnoughReplicas - firstCode: {
		name: "NOT_ENOUGH_REPLICAS_EXCEPTION", retry: RetryPlain,
		text: "Messages are rejected since there are fewer in-sync replicas than required.",
	},
	CodeSecurityToken - firstCode: {
		name: "SECURITY_TOKEN_EXCEPTION",
		text: "Get file access security token exception.",
	},
	CodeOutOfOrderSequence - firstCode: {
		name: "OUT_OF_ORDER_SEQUENCE_EXCEPTION",
		text: "The tablet server received an out of order sequence batch.",
	},
	CodeDuplicateSequence - firstCode: {
		name: "DUPLICATE_SEQUENCE_EXCEPTION",
		text: "The tablet server received a duplicate sequence batch.",
	},
	CodeUnknownWriterID - firstCode: {
		name: "UNKNOWN_WRITER_ID_EXCEPTION", ambiguous: true,
		text: "This exception is raised by the tablet server if it could not locate the writer metadata.",
	},
	CodeInvalidColumnProjection - firstCode: {
		name: "INVALID_COLUMN_PROJECTION",
		text: "The requested column projection is invalid.",
	},
	CodeInvalidTargetColumn - firstCode: {
		name: "INVALID_TARGET_COLUMN",
		text: "The requested target column to write is invalid.",
	},
	CodePartitionNotExists - firstCode: {name: "PARTITION_NOT_EXISTS", text: "The partition does not exist."},
	CodeTableNotPartitioned - firstCode: {
		name: "TABLE_NOT_PARTITIONED_EXCEPTION",
		text: "The table is not partitioned.",
	},
	CodeInvalidTimestamp - firstCode: {name: "INVALID_TIMESTAMP_EXCEPTION", text: "The timestamp is invalid."},
	CodeInvalidConfig - firstCode:    {name: "INVALID_CONFIG_EXCEPTION", text: "The config is invalid."},
	CodeLakeStorageNotConfigured - firstCode: {
		name: "LAKE_STORAGE_NOT_CONFIGURED_EXCEPTION",
		text: "The lake storage is not configured.",
	},
	CodeKVSnapshotNotExist - firstCode:     {name: "KV_SNAPSHOT_NOT_EXIST", text: "The kv snapshot is not exist."},
	CodePartitionAlreadyExists - firstCode: {name: "PARTITION_ALREADY_EXISTS", text: "The partition already exists."},
	CodePartitionSpecInvalid - firstCode: {
		name: "PARTITION_SPEC_INVALID_EXCEPTION",
		text: "The partition spec is invalid.",
	},
	CodeLeaderNotAvailable - firstCode: {
		name: "LEADER_NOT_AVAILABLE_EXCEPTION", retry: RetryRefresh,
		text: "There is no currently available leader for the given partition.",
	},
	CodePartitionMaxNum - firstCode: {
		name: "PARTITION_MAX_NUM_EXCEPTION",
		text: "Exceed the maximum number of partitions.",
	},
	CodeAuthenticate - firstCode:     {name: "AUTHENTICATE_EXCEPTION", text: "Authentication failed."},
	CodeSecurityDisabled - firstCode: {name: "SECURITY_DISABLED_EXCEPTION", text: "Security is disabled."},
	CodeAuthorization - firstCode:    {name: "AUTHORIZATION_EXCEPTION", text: "Authorization failed"},
	CodeBucketMaxNum - firstCode:     {name: "BUCKET_MAX_NUM_EXCEPTION", text: "Exceed the maximum number of buckets"},
	CodeFencedTieringEpoch - firstCode: {
		name: "FENCED_TIERING_EPOCH_EXCEPTION",
		text: "The tiering epoch is invalid.",
	},
	CodeRetriableAuthenticate - firstCode: {
		name: "RETRIABLE_AUTHENTICATE_EXCEPTION",
		text: "Authentication failed with retriable exception.",
	},
	CodeInvalidServerRackInfo - firstCode: {
		name: "INVALID_SERVER_RACK_INFO_EXCEPTION",
		text: "The server rack info is invalid.",
	},
	CodeLakeSnapshotNotExist - firstCode:  {name: "LAKE_SNAPSHOT_NOT_EXIST", text: "The lake snapshot is not exist."},
	CodeLakeTableAlreadyExist - firstCode: {name: "LAKE_TABLE_ALREADY_EXIST", text: "The lake table already exists."},
	CodeIneligibleReplica - firstCode: {
		name: "INELIGIBLE_REPLICA_EXCEPTION",
		text: "The new ISR contains at least one ineligible replica.",
	},
	CodeInvalidAlterTable - firstCode: {name: "INVALID_ALTER_TABLE_EXCEPTION", text: "The alter table is invalid."},
	CodeDeletionDisabled - firstCode: {
		name: "DELETION_DISABLED_EXCEPTION",
		text: "Deletion operations are disabled on this table.",
	},
	CodeServerNotExist - firstCode: {name: "SERVER_NOT_EXIST_EXCEPTION", text: "The server is not exist."},
	CodeServerTagAlreadyExist - firstCode: {
		name: "SEVER_TAG_ALREADY_EXIST_EXCEPTION",
		text: "The server tag already exist.",
	},
	CodeServerTagNotExist - firstCode: {name: "SEVER_TAG_NOT_EXIST_EXCEPTION", text: "The server tag not exist."},
	CodeRebalanceFailure - firstCode:  {name: "REBALANCE_FAILURE_EXCEPTION", text: "The rebalance task failure."},
	CodeNoRebalanceInProgress - firstCode: {
		name: "NO_REBALANCE_IN_PROGRESS_EXCEPTION",
		text: "No rebalance task in progress.",
	},
	CodeInvalidProducerID - firstCode: {
		name: "INVALID_PRODUCER_ID_EXCEPTION",
		text: "The client has attempted to perform an operation with an invalid producer ID.",
	},
	CodeConfig - firstCode: {name: "CONFIG_EXCEPTION", text: "The dynamic config is invalid or can not be changed."},
	CodeNotCoordinatorLeader - firstCode: {
		name: "NOT_COORDINATOR_LEADER_EXCEPTION", retry: RetryRefresh,
		text: "The coordinator is not the leader.",
	},
	CodeScannerExpired - firstCode:     {name: "SCANNER_EXPIRED", text: "The scanner has expired."},
	CodeUnknownScannerID - firstCode:   {name: "UNKNOWN_SCANNER_ID", text: "The scanner id is unknown."},
	CodeInvalidScanRequest - firstCode: {name: "INVALID_SCAN_REQUEST", text: "The scan request is invalid."},
	CodeTooManyScanners - firstCode:    {name: "TOO_MANY_SCANNERS", text: "There are too many open scanners."},
	CodeDiskWriteLocked - firstCode: {
		name: "DISK_WRITE_LOCKED", retry: RetryPlain,
		text: "The disk is too full to write.",
	},
	CodeInsufficientKVLeaderReplicaCapacity - firstCode: {
		name: "INSUFFICIENT_KV_LEADER_REPLICA_CAPACITY",
		text: "The server has no capacity for another leader replica.",
	},
	CodeStorageBackpressure - firstCode: {
		name: "STORAGE_BACKPRESSURE_EXCEPTION", retry: RetryPlain,
		text: "The storage is under pressure.",
	},
	CodeHistoricalPartitionThrottled - firstCode: {
		name: "HISTORICAL_PARTITION_THROTTLED", retry: RetryPlain,
		text: "The historical partition is throttled.",
	},
}
