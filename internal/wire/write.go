package wire

import "slices"

// RecordsBucket is the part of a write that goes to one bucket: exactly one batch. A request names a bucket once;
// of a bucket named twice the server keeps only the last.
type RecordsBucket struct {
	Partition int64 // < 0: the table is not partitioned
	Bucket    int32
	Records   []byte
}

// size is the length of the bucket's message.
func (b *RecordsBucket) size() int {
	return sizeBucketHead(b.Partition, b.Bucket) + sizeBytes(len(b.Records))
}

// maxWriteHead bounds what the plain fields of a write request take: five numbers.
const maxWriteHead = 5 * 11

func sizeRecords(buckets []RecordsBucket) int {
	n := 0
	for i := range buckets {
		n += sizeBytes(buckets[i].size())
	}
	return n
}

// appendRecords appends field num, repeated: 1 partition_id int64, 2 bucket_id int32, 3 records bytes.
func appendRecords(dst []byte, num int, buckets []RecordsBucket) []byte {
	for i := range buckets {
		b := &buckets[i]
		dst = appendLength(dst, num, b.size())
		dst = appendBucketHead(dst, b.Partition, b.Bucket)
		dst = appendBytes(dst, 3, b.Records)
	}
	return dst
}

// AppendPutKVRequest appends a PutKvRequest:
//
//	1  acks            int32: -1 all in-sync replicas, 1, 0
//	2  table_id        int64
//	3  timeout_ms      int32: how long the server waits for replicas
//	4  target_columns  int32, packed: positions of a partial update; none for whole rows
//	5  buckets_req     1 partition_id, 2 bucket_id, 3 records
//	6  agg_mode        int32: 0 through the merge engine, 1 past it; < 0: left out, which means 0
func AppendPutKVRequest(
	dst []byte, acks int32, table int64, timeoutMillis int32, target []int32, aggMode int32, buckets []RecordsBucket,
) []byte {
	dst = slices.Grow(dst, maxWriteHead+10*len(target)+sizeRecords(buckets))
	dst = appendVarint(dst, 1, int64(acks))
	dst = appendVarint(dst, 2, table)
	dst = appendVarint(dst, 3, int64(timeoutMillis))
	dst = appendPacked(dst, 4, target)
	dst = appendRecords(dst, 5, buckets)
	if aggMode >= 0 {
		dst = appendVarint(dst, 6, int64(aggMode))
	}
	return dst
}

// PutKVResult is one bucket's answer.
type PutKVResult struct {
	BucketStatus
	LogEndOffset int64 // offset after the change log's last record; -1 when absent
}

// ParsePutKVResponse appends the entries of a PutKvResponse to dst:
//
//	1  buckets_resp  1 partition_id, 2 bucket_id, 3 error_code, 4 error_message, 5 log_end_offset int64
func ParsePutKVResponse(dst []PutKVResult, body []byte) ([]PutKVResult, error) {
	f := fields{b: body}
	for f.next() {
		if f.tag != 1<<3|bytesType {
			f.skip()
			continue
		}
		dst = room(dst, &f)
		var r PutKVResult
		e := f.message()
		r.LogEndOffset = e.writeResult(&r.BucketStatus)
		f.err = e.err
		dst = append(dst, r)
	}
	return dst, f.finish("PutKvResponse")
}

// AppendProduceLogRequest appends a ProduceLogRequest:
//
//	1  acks         int32: -1 all in-sync replicas, 1, 0
//	2  table_id     int64
//	3  timeout_ms   int32: how long the server waits for replicas
//	4  buckets_req  1 partition_id, 2 bucket_id, 3 records
func AppendProduceLogRequest(dst []byte, acks int32, table int64, timeoutMillis int32, buckets []RecordsBucket) []byte {
	dst = slices.Grow(dst, maxWriteHead+sizeRecords(buckets))
	dst = appendVarint(dst, 1, int64(acks))
	dst = appendVarint(dst, 2, table)
	dst = appendVarint(dst, 3, int64(timeoutMillis))
	return appendRecords(dst, 4, buckets)
}

// ProduceLogResult is one bucket's answer.
type ProduceLogResult struct {
	BucketStatus
	BaseOffset int64 // offset of the first record; -1 when absent or nothing was appended
}

// ParseProduceLogResponse appends the entries of a ProduceLogResponse to dst:
//
//	1  buckets_resp  1 partition_id, 2 bucket_id, 3 error_code, 4 error_message, 5 base_offset int64
func ParseProduceLogResponse(dst []ProduceLogResult, body []byte) ([]ProduceLogResult, error) {
	f := fields{b: body}
	for f.next() {
		if f.tag != 1<<3|bytesType {
			f.skip()
			continue
		}
		dst = room(dst, &f)
		var r ProduceLogResult
		e := f.message()
		r.BaseOffset = e.writeResult(&r.BucketStatus)
		f.err = e.err
		dst = append(dst, r)
	}
	return dst, f.finish("ProduceLogResponse")
}

// writeResult reads an entry of either answer and returns its offset, -1 when absent.
func (f *fields) writeResult(s *BucketStatus) int64 {
	s.Partition = -1
	offset := int64(-1)
	var message []byte
	var hasBucket bool
	for f.next() {
		switch {
		case f.statusField(s, &message, &hasBucket):
		case f.tag == 5<<3|varintType:
			offset = int64(f.varint())
		default:
			f.skip()
		}
	}
	f.require(hasBucket, "bucket_id")
	s.finishStatus(message)
	return offset
}
