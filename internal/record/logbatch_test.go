package record

import (
	"encoding/binary"
	"errors"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/gofluss/fluss/internal/row"
)

// oneBatch is a batch of n bench rows.
func oneBatch(t testing.TB, n int, magic uint8) []byte {
	t.Helper()
	e, err := NewLogEncoder(benchTable(0))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range benchRows(n) {
		if err := e.Append(r); err != nil {
			t.Fatal(err)
		}
	}
	return e.Finish(nil, LogHeader{WriterID: 7, Sequence: 3, Magic: magic, BaseOffset: 100})
}

func put32(at int, v int32) func([]byte) []byte {
	return func(b []byte) []byte {
		binary.LittleEndian.PutUint32(b[at:], uint32(v))
		return b
	}
}

func TestNextLogBatchDamage(t *testing.T) {
	tests := []struct {
		name   string
		magic  uint8
		damage func([]byte) []byte
		want   string // in the CorruptError; "" for ErrTruncated
	}{
		{"length 0", 0, put32(8, 0), "log batch length 0"},
		{"length -1", 0, put32(8, -1), "log batch length -1"},
		{"length minimum", 0, put32(8, math.MinInt32), "log batch length -2147483648"},
		{"length 2^31-1", 0, put32(8, math.MaxInt32), "log batch length 2147483647"},
		{"one byte short of the header", 0, put32(8, 35), "log batch length 35"},
		{"one byte short of the header, magic 1", 1, put32(8, 39), "shorter than its header"},
		{"longer than what is there", 0, put32(8, 1<<20), ""},
		{"magic 9", 0, func(b []byte) []byte { b[12] = 9; return b }, "magic 9 is not known"},
		{"magic 9 in a cut batch", 0, func(b []byte) []byte { b[12] = 9; return b[:13] }, "magic 9 is not known"},
		{"count -1", 0, put32(44, -1), "counts -1 records"},
		{"count beyond the offsets", 0, put32(44, 6), "counts 6 records over 5 offsets"},
		{"count beyond the offsets, magic 1", 1, put32(48, 6), "counts 6 records over 5 offsets"},
		{"negative delta", 0, put32(28, -1), "spans -1"},
		{"negative base offset", 0, put32(4, -1), "offset -"},
		{"offsets beyond int64", 0, func(b []byte) []byte { StampLogBatch(b, math.MaxInt64-2, 0); return b }, "spans 4"},
		{"11 bytes", 0, func(b []byte) []byte { return b[:11] }, ""},
		{"12 bytes", 0, func(b []byte) []byte { return b[:12] }, ""},
		{"header alone", 0, func(b []byte) []byte { return b[:48] }, ""},
	}
	for _, test := range tests {
		b := test.damage(oneBatch(t, 5, test.magic))
		_, _, err := NextLogBatch(b)
		var corrupt *CorruptError
		switch {
		case test.want == "" && err != ErrTruncated:
			t.Errorf("%s: %v, want ErrTruncated", test.name, err)
		case test.want != "" && (!errors.As(err, &corrupt) || !strings.Contains(corrupt.Reason, test.want)):
			t.Errorf("%s: %v, want %q", test.name, err, test.want)
		}
	}
	if _, _, err := NextLogBatch(nil); err != io.EOF {
		t.Errorf("nothing: %v, want EOF", err)
	}
}

// TestEveryPrefixIsTruncated cuts two batches everywhere.
func TestEveryPrefixIsTruncated(t *testing.T) {
	for _, magic := range []uint8{0, 1} {
		first := oneBatch(t, 5, magic)
		b := append(first[:len(first):len(first)], oneBatch(t, 3, magic)...)
		for n := 1; n < len(b); n++ {
			rest := b[:n]
			var err error
			batches := 0
			for err == nil {
				if _, rest, err = NextLogBatch(rest); err == nil {
					batches++
				}
			}
			want := ErrTruncated
			if n == len(first) {
				want = io.EOF
			}
			if wantBatches := n / len(first); batches != wantBatches || err != want {
				t.Fatalf("%d of %d bytes: %d batches, %v; want %d, %v", n, len(b), batches, err, wantBatches, want)
			}
		}
	}
}

func TestCheckCRCFindsEveryFlip(t *testing.T) {
	for _, magic := range []uint8{0, 1} {
		b := oneBatch(t, 2, magic)
		shift, _ := magicShift(magic)
		for at := bodyAt + shift; at < len(b); at++ {
			b[at] ^= 1
			if lb, _, err := NextLogBatch(b); err == nil && lb.CheckCRC() == nil {
				t.Fatalf("flip at %d is not seen", at)
			}
			b[at] ^= 1
		}
		StampLogBatch(b, 1<<40, 1700000000000)
		lb, _, err := NextLogBatch(b)
		if err != nil || lb.CheckCRC() != nil || lb.BaseOffset != 1<<40 || lb.CommitMillis != 1700000000000 {
			t.Errorf("stamped: %+v, %v", lb, err)
		}
	}
}

func TestEmptyBatchTakesOneOffset(t *testing.T) {
	table := benchTable(0)
	e, err := NewLogEncoder(table)
	if err != nil {
		t.Fatal(err)
	}
	b := e.Finish(nil, LogHeader{BaseOffset: 42})
	lb, rest, err := NextLogBatch(b)
	if err != nil || len(rest) != 0 || lb.Count != 0 || lb.NextOffset() != 43 || len(b) != logHeaderSize {
		t.Fatalf("%+v, %v", lb, err)
	}
	d, err := NewLogDecoder(table, table.Schema, nil)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := d.Decode(&lb)
	if err != nil || rows.Len() != 0 || rows.Column(0) != nil {
		t.Errorf("%d rows, %v", rows.Len(), err)
	}
	if a, err := rows.Arrow(); err != nil || a.NumRows() != 0 || a.NumCols() != 6 {
		t.Errorf("Arrow: %v", err)
	}
}

func TestKVDamage(t *testing.T) {
	whole := AppendKVBatch(nil, KVHeader{SchemaID: 1, Count: 2}, AppendKVRecord(AppendKVRecord(nil, []byte("k"), []byte("row")), []byte("k"), nil))
	tests := []struct {
		name   string
		damage func([]byte) []byte
		want   string
	}{
		{"length 0", put32(0, 0), "length 0"},
		{"length -1", put32(0, -1), "length -1"},
		{"length 2^31-1", put32(0, math.MaxInt32), "length 2147483647"},
		{"length below the header", put32(0, 23), "length 23"},
		{"magic 1", func(b []byte) []byte { b[4] = 1; return b }, "magic 1"},
		{"count -1", put32(24, -1), "counts -1"},
		{"one record too many", put32(24, 3), "1 more records announced"},
		{"one record too few", put32(24, 1), "bytes behind the last record"},
		{"record length -1", put32(28, -1), "record of -1 bytes"},
		{"record length beyond", put32(28, 1000), "record of 1000 bytes"},
		{"key length beyond", func(b []byte) []byte { b[32] = 9; return b }, "key length"},
		{"key length of ten bytes", func(b []byte) []byte { copy(b[32:], "\xff\xff\xff\xff\xff"); return b }, "key length"},
	}
	for _, test := range tests {
		b, err := ReadKVBatch(test.damage(append([]byte(nil), whole...)))
		if err == nil {
			it := b.Records()
			for it.Next() {
			}
			err = it.Err()
		}
		var corrupt *CorruptError
		if !errors.As(err, &corrupt) || !strings.Contains(corrupt.Reason, test.want) {
			t.Errorf("%s: %v, want %q", test.name, err, test.want)
		}
	}
}

func TestValueBatchDamage(t *testing.T) {
	whole := AppendValueBatch(nil, 1, AppendValueRecord(nil, 1, []byte("row")))
	tests := []struct {
		name   string
		damage func([]byte) []byte
		want   string
	}{
		{"length 0", put32(0, 0), "length 0"},
		{"length -1", put32(0, -1), "length -1"},
		{"length 2^31-1", put32(0, math.MaxInt32), "length 2147483647"},
		{"magic 1", func(b []byte) []byte { b[4] = 1; return b }, "magic 1"},
		{"count -1", put32(5, -1), "counts -1"},
		{"one record too many", put32(5, 2), "1 more records announced"},
		{"count 0", put32(5, 0), "bytes behind the last record"},
		{"record of 1 byte", func([]byte) []byte { return AppendValueBatch(nil, 1, []byte{1, 0, 0, 0, 7}) }, "no schema id"},
		{"a byte behind", func(b []byte) []byte { return append(b, 0) }, "value batch length"},
	}
	for _, test := range tests {
		b, err := ReadValueBatch(test.damage(append([]byte(nil), whole...)))
		if err == nil {
			it := b.Records()
			for it.Next() {
			}
			err = it.Err()
		}
		var corrupt *CorruptError
		if !errors.As(err, &corrupt) || !strings.Contains(corrupt.Reason, test.want) {
			t.Errorf("%s: %v, want %q", test.name, err, test.want)
		}
	}
}

func TestMixedChangeTypesRefused(t *testing.T) {
	e, err := NewLogEncoder(benchTable(0))
	if err != nil {
		t.Fatal(err)
	}
	r := benchRows(1)[0]
	if err := e.Append(r); err != nil {
		t.Fatal(err)
	}
	if err := e.AppendChange(Insert, r); err == nil || e.Count() != 1 {
		t.Errorf("%v, %d rows", err, e.Count())
	}
	if err := e.Append([]row.Datum{{}}); err == nil {
		t.Error("a short row is taken")
	}
}
