package wire

import (
	"slices"

	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss/internal/wire/flusspb"
)

// FetchBucket is the part of a fetch that goes to one bucket.
type FetchBucket struct {
	Partition int64 // < 0: the table is not partitioned
	Bucket    int32
	Offset    int64 // first offset wanted; -2 the earliest there is
	MaxBytes  int32
}

// FetchRequest is a FETCH_LOG of one table.
type FetchRequest struct {
	MaxBytes   int32 // of the whole answer; its first batch comes whole even when it is larger
	WaitMillis int32 // how long to wait for MinBytes; < 0: absent
	MinBytes   int32 // < 0: absent, the answer comes at once
	Table      int64
	Projection []int32 // ascending top-level column positions; none for all columns
	Buckets    []FetchBucket
}

// AppendFetchLogRequest appends a FetchLogRequest:
//
//	1  follower_server_id  int32: -1 for a client
//	2  max_bytes           int32
//	3  tables_req          1 table_id int64, 2 projection_pushdown_enabled bool, 3 projected_fields int32, packed,
//	                       4 buckets_req: 1 partition_id, 2 bucket_id, 3 fetch_offset int64, 4 max_fetch_bytes int32
//	4  max_wait_ms         int32
//	5  min_bytes           int32
func AppendFetchLogRequest(dst []byte, r *FetchRequest) []byte {
	table := r.tableSize()
	dst = slices.Grow(dst, 4*11+sizeBytes(table))
	dst = appendVarint(dst, 1, -1)
	dst = appendVarint(dst, 2, int64(r.MaxBytes))
	dst = appendLength(dst, 3, table)
	dst = appendVarint(dst, 1, r.Table)
	dst = appendVarint(dst, 2, int64(min(len(r.Projection), 1)))
	dst = appendPacked(dst, 3, r.Projection)
	for i := range r.Buckets {
		b := &r.Buckets[i]
		dst = appendLength(dst, 4, b.size())
		dst = appendBucketHead(dst, b.Partition, b.Bucket)
		dst = appendVarint(dst, 3, b.Offset)
		dst = appendVarint(dst, 4, int64(b.MaxBytes))
	}
	if r.WaitMillis >= 0 {
		dst = appendVarint(dst, 4, int64(r.WaitMillis))
	}
	if r.MinBytes >= 0 {
		dst = appendVarint(dst, 5, int64(r.MinBytes))
	}
	return dst
}

// tableSize is the length of the only table's message.
func (r *FetchRequest) tableSize() int {
	n := 1 + sizeVarint(r.Table) + 2
	if len(r.Projection) > 0 {
		packed := 0
		for _, v := range r.Projection {
			packed += sizeVarint(int64(v))
		}
		n += sizeBytes(packed)
	}
	for i := range r.Buckets {
		n += sizeBytes(r.Buckets[i].size())
	}
	return n
}

// size is the length of the bucket's message.
func (b *FetchBucket) size() int {
	return sizeBucketHead(b.Partition, b.Bucket) + 2 + sizeVarint(b.Offset) + sizeVarint(int64(b.MaxBytes))
}

// FetchResult is one bucket's answer.
type FetchResult struct {
	BucketStatus
	Table         int64
	HighWatermark int64  // end of the readable log, exclusive; -1 when absent
	Records       []byte // log batches, the last one maybe cut off; aliases the body; nil when absent
	Remote        *flusspb.PbRemoteLogFetchInfo
}

// ParseFetchLogResponse appends the entries of a FetchLogResponse, those of all its tables, to dst:
//
//	1  tables_resp  1 table_id int64, 2 buckets_resp: 1 partition_id, 2 bucket_id, 3 error_code, 4 error_message,
//	                5 high_watermark int64, 6 log_start_offset int64 (not used: always 0),
//	                7 remote_log_fetch_info message, 8 records bytes
func ParseFetchLogResponse(dst []FetchResult, body []byte) ([]FetchResult, error) {
	f := fields{b: body}
	for f.next() {
		if f.tag != 1<<3|bytesType {
			f.skip()
			continue
		}
		t := f.message()
		dst = t.fetchTable(dst)
		f.err = t.err
	}
	return dst, f.finish("FetchLogResponse")
}

// fetchTable reads a table's entries; the table's id may stand behind them.
func (f *fields) fetchTable(dst []FetchResult) []FetchResult {
	first := len(dst)
	var table int64
	var hasTable bool
	for f.next() {
		switch f.tag {
		case 1<<3 | varintType:
			table, hasTable = int64(f.varint()), true
		case 2<<3 | bytesType:
			dst = room(dst, f)
			var r FetchResult
			e := f.message()
			e.fetchResult(&r)
			f.err = e.err
			dst = append(dst, r)
		default:
			f.skip()
		}
	}
	f.require(hasTable, "table_id")
	for i := first; i < len(dst); i++ {
		dst[i].Table = table
	}
	return dst
}

func (f *fields) fetchResult(r *FetchResult) {
	r.Partition, r.HighWatermark = -1, -1
	var message []byte
	var hasBucket bool
	for f.next() {
		switch {
		case f.statusField(&r.BucketStatus, &message, &hasBucket):
		case f.tag == 5<<3|varintType:
			r.HighWatermark = int64(f.varint())
		case f.tag == 7<<3|bytesType:
			f.remoteInfo(r)
		case f.tag == 8<<3|bytesType:
			r.Records = f.bytes()
		default:
			f.skip()
		}
	}
	f.require(hasBucket, "bucket_id")
	if r.Remote != nil {
		f.require(proto.CheckInitialized(r.Remote) == nil, "in remote_log_fetch_info")
	}
	r.finishStatus(message)
}

// remoteInfo reads the rare nested message with the generated code. Parts of it may come in several fields.
func (f *fields) remoteInfo(r *FetchResult) {
	b := f.bytes()
	if f.err != nil {
		return
	}
	if r.Remote == nil {
		r.Remote = new(flusspb.PbRemoteLogFetchInfo)
	}
	if err := (proto.UnmarshalOptions{Merge: true, AllowPartial: true}).Unmarshal(b, r.Remote); err != nil {
		f.fail("remote_log_fetch_info: " + err.Error())
	}
}
