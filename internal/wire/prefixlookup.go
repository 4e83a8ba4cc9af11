package wire

// AppendPrefixLookupRequest appends a PrefixLookupRequest, whose layout is that of a LookupRequest with bucket key
// prefixes in place of the keys.
func AppendPrefixLookupRequest(dst []byte, table int64, buckets []KeyBucket) []byte {
	return AppendLookupRequest(dst, table, buckets)
}

// PrefixLookupResult is one bucket's answer. Lists has one element per prefix in the order of the request: the
// rows found, in the order of their keys' bytes, none for an empty list. The rows alias the body.
type PrefixLookupResult struct {
	BucketStatus
	Lists [][][]byte
}

// ParsePrefixLookupResponse appends the entries of a PrefixLookupResponse to dst:
//
//	1  buckets_resp  1 partition_id, 2 bucket_id, 3 error_code, 4 error_message, 5 value_lists: 1 values bytes, repeated
func ParsePrefixLookupResponse(dst []PrefixLookupResult, body []byte) ([]PrefixLookupResult, error) {
	f := fields{b: body}
	for f.next() {
		if f.tag != 1<<3|bytesType {
			f.skip()
			continue
		}
		dst = room(dst, &f)
		var r PrefixLookupResult
		e := f.message()
		e.prefixResult(&r)
		f.err = e.err
		dst = append(dst, r)
	}
	return dst, f.finish("PrefixLookupResponse")
}

func (f *fields) prefixResult(r *PrefixLookupResult) {
	const lists = 5<<3 | bytesType
	r.Partition = -1
	var message []byte
	var hasBucket bool
	for f.next() {
		switch {
		case f.statusField(&r.BucketStatus, &message, &hasBucket):
		case f.tag == lists:
			if r.Lists == nil {
				r.Lists = make([][][]byte, 0, 1+f.countAfter(lists))
			}
			v := f.message()
			r.Lists = append(r.Lists, v.valueList())
			f.err = v.err
		default:
			f.skip()
		}
	}
	f.require(hasBucket, "bucket_id")
	r.finishStatus(message)
}

// valueList reads a PbValueList.
func (f *fields) valueList() (list [][]byte) {
	const values = 1<<3 | bytesType
	for f.next() {
		if f.tag != values {
			f.skip()
			continue
		}
		if list == nil {
			list = make([][]byte, 0, 1+f.countAfter(values))
		}
		list = append(list, f.bytes())
	}
	return list
}
