package wire

import "slices"

// KeyBucket is the part of a lookup that goes to one bucket. A request names a bucket once.
type KeyBucket struct {
	Partition int64 // < 0: the table is not partitioned
	Bucket    int32
	Keys      [][]byte
}

// AppendLookupRequest appends a LookupRequest:
//
//	1  table_id     int64
//	2  buckets_req  1 partition_id int64, 2 bucket_id int32, 3 keys bytes, repeated
func AppendLookupRequest(dst []byte, table int64, buckets []KeyBucket) []byte {
	total := 1 + sizeVarint(table)
	for i := range buckets {
		total += sizeBytes(buckets[i].size())
	}
	dst = appendVarint(slices.Grow(dst, total), 1, table)
	for i := range buckets {
		b := &buckets[i]
		dst = appendLength(dst, 2, b.size())
		dst = appendBucketHead(dst, b.Partition, b.Bucket)
		for _, key := range b.Keys {
			dst = appendBytes(dst, 3, key)
		}
	}
	return dst
}

// size is the length of the bucket's message.
func (b *KeyBucket) size() int {
	n := sizeBucketHead(b.Partition, b.Bucket)
	for _, key := range b.Keys {
		n += sizeBytes(len(key))
	}
	return n
}

// LookupResult is one bucket's answer. Values has one element per key in the order of the request, nil where
// the key is not there; the elements alias the body.
type LookupResult struct {
	BucketStatus
	Values [][]byte
}

// ParseLookupResponse appends the entries of a LookupResponse to dst, and uses the Values of the elements behind its length
// again:
//
//	1  buckets_resp  1 partition_id, 2 bucket_id, 3 error_code, 4 error_message, 5 values: 1 values bytes, optional
func ParseLookupResponse(dst []LookupResult, body []byte) ([]LookupResult, error) {
	f := fields{b: body}
	for f.next() {
		if f.tag != 1<<3|bytesType {
			f.skip()
			continue
		}
		dst = room(dst, &f)
		dst = dst[:len(dst)+1]
		r := &dst[len(dst)-1]
		r.BucketStatus, r.Values = BucketStatus{}, r.Values[:0]
		e := f.message()
		e.lookupResult(r)
		f.err = e.err
	}
	return dst, f.finish("LookupResponse")
}

func (f *fields) lookupResult(r *LookupResult) {
	const values = 5<<3 | bytesType
	r.Partition = -1
	var message []byte
	var hasBucket bool
	for f.next() {
		switch {
		case f.statusField(&r.BucketStatus, &message, &hasBucket):
		case f.tag == values:
			if cap(r.Values) == 0 {
				r.Values = make([][]byte, 0, 1+f.countAfter(values))
			}
			v := f.message()
			r.Values = append(r.Values, v.value())
			f.err = v.err
		default:
			f.skip()
		}
	}
	f.require(hasBucket, "bucket_id")
	r.finishStatus(message)
}

// value reads a PbValue: its bytes, never nil when present, or nil when the field is absent.
func (f *fields) value() (v []byte) {
	for f.next() {
		if f.tag == 1<<3|bytesType {
			v = f.bytes()
		} else {
			f.skip()
		}
	}
	return v
}
