package wire

// AppendLimitScanRequest appends a LimitScanRequest:
//
//	2  table_id int64, 3 partition_id int64 (left out when partition < 0), 4 bucket_id int32, 5 limit int32
func AppendLimitScanRequest(dst []byte, table, partition int64, bucket, limit int32) []byte {
	dst = appendVarint(dst, 2, table)
	if partition >= 0 {
		dst = appendVarint(dst, 3, partition)
	}
	dst = appendVarint(dst, 4, int64(bucket))
	return appendVarint(dst, 5, int64(limit))
}

// LimitScanResult is the answer to a LIMIT_SCAN. Records alias the body.
type LimitScanResult struct {
	Code    ErrorCode // CodeNone when absent
	Message string    // as in ServerError, "" without an error
	IsLog   bool      // Records are log batches, not one value batch
	Records []byte    // nil when absent
}

// ParseLimitScanResponse reads a LimitScanResponse:
//
//	1  error_code int32, 2 error_message string, 3 is_log_table bool, 4 records bytes; all optional
func ParseLimitScanResponse(body []byte) (r LimitScanResult, err error) {
	f := fields{b: body}
	var message []byte
	for f.next() {
		switch f.tag {
		case 1<<3 | varintType:
			r.Code = ErrorCode(f.varint())
		case 2<<3 | bytesType:
			message = f.bytes()
		case 3<<3 | varintType:
			r.IsLog = f.varint() != 0
		case 4<<3 | bytesType:
			r.Records = f.bytes()
		default:
			f.skip()
		}
	}
	if r.Code != CodeNone {
		r.Message = CleanMessage(r.Code, string(message))
	}
	return r, f.finish("LimitScanResponse")
}
