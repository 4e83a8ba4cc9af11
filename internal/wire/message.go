package wire

import (
	"fmt"

	"google.golang.org/protobuf/encoding/protowire"
)

// DecodeError says that a body is not the message it should be. The answer came, so Sent is true.
type DecodeError struct {
	Message string // such as LookupResponse
	Offset  int    // in the body, bytes; -1 when not known
	Reason  string
}

func (e *DecodeError) Error() string {
	if e.Offset < 0 {
		return fmt.Sprintf("malformed %s: %s", e.Message, e.Reason)
	}
	return fmt.Sprintf("malformed %s at byte %d: %s", e.Message, e.Offset, e.Reason)
}

// Sent is true: the call was answered.
func (e *DecodeError) Sent() bool { return true }

// Wire types as the low bits of a tag.
const (
	varintType = uint64(protowire.VarintType)
	bytesType  = uint64(protowire.BytesType)
)

// fields walks over the fields of one message. After the first error every read gives zero and next is false.
// As in the generated code, a known field number with another wire type is an unknown field.
type fields struct {
	b    []byte
	pos  int
	base int    // offset of b[0] in the body
	tag  uint64 // number<<3 | wire type of the field at pos
	err  *DecodeError
}

// next moves to the next field and leaves its tag in f.tag.
func (f *fields) next() bool {
	if f.err != nil || f.pos >= len(f.b) {
		return false
	}
	tag := f.varint()
	if num, _ := protowire.DecodeTag(tag); f.err == nil && !num.IsValid() {
		f.fail("field number out of range")
	}
	f.tag = tag
	return f.err == nil
}

// varint reads a varint value.
func (f *fields) varint() uint64 {
	if f.err != nil {
		return 0
	}
	v, n := protowire.ConsumeVarint(f.b[f.pos:])
	if n < 0 {
		f.fail("varint cut off or too long")
		return 0
	}
	f.pos += n
	return v
}

// bytes reads a length and that many bytes. The result aliases the body, its capacity ends at its length, and
// it is never nil: nil stands for an absent field.
func (f *fields) bytes() []byte {
	n := f.varint()
	if f.err != nil {
		return nil
	}
	if n > uint64(len(f.b)-f.pos) {
		f.fail("length beyond the end")
		return nil
	}
	start := f.pos
	f.pos += int(n)
	return f.b[start:f.pos:f.pos]
}

// message reads a nested message for a walk of its own.
func (f *fields) message() fields {
	b := f.bytes()
	return fields{b: b, base: f.base + f.pos - len(b), err: f.err}
}

// skip steps over the value of an unknown field.
func (f *fields) skip() {
	if f.err != nil {
		return
	}
	num, typ := protowire.DecodeTag(f.tag)
	n := protowire.ConsumeFieldValue(num, typ, f.b[f.pos:])
	if n < 0 {
		f.fail(protowire.ParseError(n).Error())
		return
	}
	f.pos += n
}

// countAfter tells how many fields with that tag stand behind the one at hand, to allocate for all at once. It
// stops at damage; each field it counts takes at least two bytes.
func (f *fields) countAfter(tag uint64) int {
	c := *f
	c.skip()
	n := 0
	for c.next() {
		if c.tag == tag {
			n++
		}
		c.skip()
	}
	return n
}

// room makes room in dst for the entry at hand and for those that follow under its tag. Entries that grow a slice one after
// the other would take several times what they take at once.
func room[R any](dst []R, f *fields) []R {
	if len(dst) < cap(dst) {
		return dst
	}
	// Not slices.Grow: with the race detector on it takes the memory twice.
	return append(make([]R, 0, len(dst)+1+f.countAfter(f.tag)), dst...)
}

// require notes a missing required field.
func (f *fields) require(ok bool, name string) {
	if !ok && f.err == nil {
		f.fail("required field " + name + " is missing")
	}
}

func (f *fields) fail(reason string) {
	f.err = &DecodeError{Offset: f.base + f.pos, Reason: reason}
}

// finish returns the first error with the message's name.
func (f *fields) finish(message string) error {
	if f.err == nil {
		return nil
	}
	f.err.Message = message
	return f.err
}

// BucketStatus is what every entry of a per-bucket answer has. Entries come in no particular order.
type BucketStatus struct {
	Partition int64 // -1 when absent: the table is not partitioned
	Bucket    int32
	Code      ErrorCode // CodeNone when absent
	Message   string    // as in ServerError, "" without an error
}

// Err gives the entry's error as a *ServerError, nil for success.
func (s *BucketStatus) Err(api APIKey, server string) error {
	if s.Code == CodeNone {
		return nil
	}
	return newServerError(api, server, s.Code, s.Message)
}

// finishStatus puts the message in order once the whole entry was read.
func (s *BucketStatus) finishStatus(raw []byte) {
	if s.Code != CodeNone {
		s.Message = CleanMessage(s.Code, string(raw))
	}
}

// statusField reads one of the four fields most entries share: 1 partition_id, 2 bucket_id, 3 error_code,
// 4 error_message. It reports whether the field at hand was one of them.
func (f *fields) statusField(s *BucketStatus, raw *[]byte, hasBucket *bool) bool {
	switch f.tag {
	case 1<<3 | varintType:
		s.Partition = int64(f.varint())
	case 2<<3 | varintType:
		s.Bucket, *hasBucket = int32(f.varint()), true
	case 3<<3 | varintType:
		s.Code = ErrorCode(f.varint())
	case 4<<3 | bytesType:
		*raw = f.bytes()
	default:
		return false
	}
	return true
}

// sizeVarint is the length of a signed number as protobuf writes int32 and int64: negatives take ten bytes.
func sizeVarint(v int64) int { return protowire.SizeVarint(uint64(v)) }

// appendVarint appends field num, which is below 16, with a number.
func appendVarint(dst []byte, num int, v int64) []byte {
	return protowire.AppendVarint(append(dst, byte(num<<3)|byte(varintType)), uint64(v))
}

// appendLength appends the tag of field num, which is below 16, and the length of the bytes that follow.
func appendLength(dst []byte, num, n int) []byte {
	return protowire.AppendVarint(append(dst, byte(num<<3)|byte(bytesType)), uint64(n))
}

// appendBytes appends field num, which is below 16, with bytes.
func appendBytes(dst []byte, num int, b []byte) []byte {
	return append(appendLength(dst, num, len(b)), b...)
}

// sizeBytes is what appendBytes adds for n bytes.
func sizeBytes(n int) int { return 1 + protowire.SizeBytes(n) }

// appendBucketHead appends 1 partition_id, unless it is negative, and 2 bucket_id.
func appendBucketHead(dst []byte, partition int64, bucket int32) []byte {
	if partition >= 0 {
		dst = appendVarint(dst, 1, partition)
	}
	return appendVarint(dst, 2, int64(bucket))
}

// sizeBucketHead is what appendBucketHead adds.
func sizeBucketHead(partition int64, bucket int32) int {
	n := 1 + sizeVarint(int64(bucket))
	if partition >= 0 {
		n += 1 + sizeVarint(partition)
	}
	return n
}

// appendPacked appends field num, which is below 16, with packed numbers; an empty list adds nothing.
func appendPacked(dst []byte, num int, list []int32) []byte {
	if len(list) == 0 {
		return dst
	}
	n := 0
	for _, v := range list {
		n += sizeVarint(int64(v))
	}
	dst = appendLength(dst, num, n)
	for _, v := range list {
		dst = protowire.AppendVarint(dst, uint64(int64(v)))
	}
	return dst
}
