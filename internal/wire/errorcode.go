package wire

import "strconv"

// ErrorCode is what a server says went wrong. Source: Errors (Java, v0.9.1-incubating); from 64 on main.
type ErrorCode int32

const (
	CodeUnknownServerError           ErrorCode = -1
	CodeNone                         ErrorCode = 0
	CodeNetwork                      ErrorCode = 1
	CodeUnsupportedVersion           ErrorCode = 2
	CodeCorruptMessage               ErrorCode = 3
	CodeDatabaseNotExist             ErrorCode = 4
	CodeDatabaseNotEmpty             ErrorCode = 5
	CodeDatabaseAlreadyExist         ErrorCode = 6
	CodeTableNotExist                ErrorCode = 7
	CodeTableAlreadyExist            ErrorCode = 8
	CodeSchemaNotExist               ErrorCode = 9
	CodeLogStorage                   ErrorCode = 10
	CodeKVStorage                    ErrorCode = 11
	CodeNotLeaderOrFollower          ErrorCode = 12
	CodeRecordTooLarge               ErrorCode = 13
	CodeCorruptRecord                ErrorCode = 14
	CodeInvalidTable                 ErrorCode = 15
	CodeInvalidDatabase              ErrorCode = 16
	CodeInvalidReplicationFactor     ErrorCode = 17
	CodeInvalidRequiredAcks          ErrorCode = 18
	CodeLogOffsetOutOfRange          ErrorCode = 19
	CodeNonPrimaryKeyTable           ErrorCode = 20
	CodeUnknownTableOrBucket         ErrorCode = 21
	CodeInvalidUpdateVersion         ErrorCode = 22
	CodeInvalidCoordinator           ErrorCode = 23
	CodeFencedLeaderEpoch            ErrorCode = 24
	CodeRequestTimeout               ErrorCode = 25
	CodeStorage                      ErrorCode = 26
	CodeOperationNotAttempted        ErrorCode = 27
	CodeNotEnoughReplicasAfterAppend ErrorCode = 28
	CodeNotEnoughReplicas            ErrorCode = 29
	CodeSecurityToken                ErrorCode = 30
	CodeOutOfOrderSequence           ErrorCode = 31
	CodeDuplicateSequence            ErrorCode = 32
	CodeUnknownWriterID              ErrorCode = 33
	CodeInvalidColumnProjection      ErrorCode = 34
	CodeInvalidTargetColumn          ErrorCode = 35
	CodePartitionNotExists           ErrorCode = 36
	CodeTableNotPartitioned          ErrorCode = 37
	CodeInvalidTimestamp             ErrorCode = 38
	CodeInvalidConfig                ErrorCode = 39
	CodeLakeStorageNotConfigured     ErrorCode = 40
	CodeKVSnapshotNotExist           ErrorCode = 41
	CodePartitionAlreadyExists       ErrorCode = 42
	CodePartitionSpecInvalid         ErrorCode = 43
	CodeLeaderNotAvailable           ErrorCode = 44
	CodePartitionMaxNum              ErrorCode = 45
	CodeAuthenticate                 ErrorCode = 46
	CodeSecurityDisabled             ErrorCode = 47
	CodeAuthorization                ErrorCode = 48
	CodeBucketMaxNum                 ErrorCode = 49
	CodeFencedTieringEpoch           ErrorCode = 50
	CodeRetriableAuthenticate        ErrorCode = 51
	CodeInvalidServerRackInfo        ErrorCode = 52
	CodeLakeSnapshotNotExist         ErrorCode = 53
	CodeLakeTableAlreadyExist        ErrorCode = 54
	CodeIneligibleReplica            ErrorCode = 55
	CodeInvalidAlterTable            ErrorCode = 56
	CodeDeletionDisabled             ErrorCode = 57
	CodeServerNotExist               ErrorCode = 58
	CodeServerTagAlreadyExist        ErrorCode = 59
	CodeServerTagNotExist            ErrorCode = 60
	CodeRebalanceFailure             ErrorCode = 61
	CodeNoRebalanceInProgress        ErrorCode = 62
	CodeInvalidProducerID            ErrorCode = 63

	// Of the release after 0.9.1.
	CodeConfig                              ErrorCode = 64
	CodeNotCoordinatorLeader                ErrorCode = 65
	CodeScannerExpired                      ErrorCode = 66
	CodeUnknownScannerID                    ErrorCode = 67
	CodeInvalidScanRequest                  ErrorCode = 68
	CodeTooManyScanners                     ErrorCode = 69
	CodeDiskWriteLocked                     ErrorCode = 70
	CodeInsufficientKVLeaderReplicaCapacity ErrorCode = 71
	CodeStorageBackpressure                 ErrorCode = 72
	CodeHistoricalPartitionThrottled        ErrorCode = 73
)

// RetryKind says what may help against an error.
type RetryKind uint8

const (
	RetryNo      RetryKind = iota // the same request gets the same answer
	RetryPlain                    // the same request may succeed a moment later
	RetryRefresh                  // the same request may succeed through fresh metadata
)

func (c ErrorCode) info() *errorInfo {
	i := int(c) - int(firstCode)
	if i < 0 || i >= len(errorCodes) {
		return nil
	}
	return &errorCodes[i]
}

// Name returns the name as the Java sources spell it, odd spellings included; an unknown code gives CODE_n.
func (c ErrorCode) Name() string {
	if i := c.info(); i != nil {
		return i.name
	}
	return "CODE_" + strconv.Itoa(int(c))
}

// Text returns the text a server leaves out of an answer when it has nothing to add to it.
func (c ErrorCode) Text() string {
	if i := c.info(); i != nil {
		return i.text
	}
	return ""
}

// Retry says what may help. Unknown codes are not worth a retry.
func (c ErrorCode) Retry() RetryKind {
	if i := c.info(); i != nil {
		return i.retry
	}
	return RetryNo
}

// Ambiguous says whether a write answered with c may be stored nevertheless. Unknown codes may mean anything.
func (c ErrorCode) Ambiguous() bool {
	i := c.info()
	return i == nil || i.ambiguous
}

// String returns name and number, such as TABLE_NOT_EXIST (7).
func (c ErrorCode) String() string {
	return c.Name() + " (" + strconv.Itoa(int(c)) + ")"
}
