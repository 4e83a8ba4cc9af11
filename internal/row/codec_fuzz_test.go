package row_test

import (
	"bytes"
	"database/sql/driver"
	"reflect"
	"strings"
	"testing"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/fuzzbound"
	"github.com/gofluss/fluss/internal/row"
)

// Properties of every decoder here: no input makes it panic, it allocates no more than a multiple of the input, and
// what it accepts encodes to bytes that decode and encode to the same bytes.

// fuzzGroups are the types that a fuzz input is read as; its first byte picks one.
func fuzzGroups(f *testing.F) (types [][]*catalog.Type, fixture rowsFixture) {
	readFixture(f, "rows.json", &fixture)
	for _, g := range fixture.Groups {
		types = append(types, readSchema(f, g.Schema).Types())
	}
	return types, fixture
}

// decodeFactor is how many bytes a byte of a row can turn into: eight NULL fields of a nested row, for each depth.
const decodeFactor = 8 * 80

func fuzzRows(f *testing.F, format row.Format, golden func(rowCase) string) {
	types, fixture := fuzzGroups(f)
	var codecs []*row.Codec
	for i, g := range fixture.Groups {
		codecs = append(codecs, row.NewCodec(format, types[i]))
		for _, c := range g.Cases {
			f.Add(append([]byte{byte(i)}, mustHex(f, golden(c))...))
		}
	}
	fuzzbound.Fuzz(f, func(t *testing.T, in []byte) {
		if len(in) == 0 {
			return
		}
		c := codecs[int(in[0])%len(codecs)]
		n := len(types[int(in[0])%len(codecs)])
		data := make([]row.Datum, n)
		var err error
		fuzzbound.CheckWith(t, len(in), func() int {
			err = c.Decode(data, in[1:])
			return deepSize(data)
		})
		if size, limit := deepSize(data), 80*n+decodeFactor*8*len(in); size > limit {
			t.Fatalf("%d bytes from %d, more than %d", size, len(in), limit)
		}
		some := make([]row.Datum, n)
		if errSome := c.DecodeColumns(some, in[1:], []int{n - 1}); err == nil && errSome != nil {
			t.Fatalf("the row decodes, its last column does not: %v", errSome)
		}
		checkValueReader(t, c, types[int(in[0])%len(codecs)], in[1:], data, err)
		if err != nil {
			return
		}
		if err := c.Check(data); err != nil {
			t.Fatal(err)
		}
		first := c.Append(nil, data)
		again := make([]row.Datum, n)
		if err := c.Decode(again, first); err != nil {
			t.Fatalf("%x: %v", first, err)
		}
		if second := c.Append(nil, again); !bytes.Equal(first, second) {
			t.Fatalf("first %x\nthen  %x", first, second)
		}
	})
}

// checkValueReader holds a ValueReader against what Decode gave.
func checkValueReader(t *testing.T, c *row.Codec, types []*catalog.Type, in []byte, want []row.Datum, wantErr error) {
	t.Helper()
	out := []int{0} // all columns, the first one twice
	for i := range types {
		out = append(out, i)
	}
	r := row.NewValueReader(c, types, out)
	if r == nil {
		return
	}
	var arena row.Arena
	got := make([]driver.Value, len(out))
	err := r.Read(got, in, &arena, nil)
	if !reflect.DeepEqual(err, wantErr) {
		t.Fatalf("values: %v, Decode: %v", err, wantErr)
	}
	for i, at := range out {
		if err != nil {
			break
		}
		if v := row.Value(&want[at], types[at], nil); !sameValue(got[i], v) {
			t.Fatalf("column %d, %s: got %T %v, want %v", at, types[at].Name(), got[i], got[i], v)
		}
	}
}

// deepSize is about what the lists in data take in memory.
func deepSize(data []row.Datum) int {
	n := 80 * cap(data)
	for i := range data {
		n += deepSize(data[i].L)
	}
	return n
}

func FuzzDecodeCompacted(f *testing.F) {
	fuzzRows(f, row.Compacted, func(c rowCase) string { return c.Compacted })
}

func FuzzDecodeIndexed(f *testing.F) {
	fuzzRows(f, row.Indexed, func(c rowCase) string { return c.Indexed })
}

func FuzzParsePartitionValue(f *testing.F) {
	var fixture valuesFixture
	readFixture(f, "values.json", &fixture)
	named := partitionTypes(f)
	var types []*catalog.Type
	for i, g := range fixture.Names {
		types = append(types, named[g.Type])
		for _, c := range g.Cases {
			f.Add(byte(i), c.Partition)
		}
	}
	fuzzbound.Fuzz(f, func(t *testing.T, pick byte, text string) {
		typ := types[int(pick)%len(types)]
		var d, again row.Datum
		var err error
		fuzzbound.Check(t, len(text), func() { err = row.ParsePartitionValue(typ, text, &d) })
		if err != nil {
			return
		}
		first, err := row.AppendPartitionValue(nil, typ, &d)
		if err != nil {
			t.Fatalf("%s: %q: %v", typ, text, err)
		}
		if strings.HasPrefix(string(first), "+") { // a year beyond 9999 without its era
			return
		}
		if err := row.ParsePartitionValue(typ, string(first), &again); err != nil {
			t.Fatalf("%s: %q gives %q: %v", typ, text, first, err)
		}
		second, err := row.AppendPartitionValue(nil, typ, &again)
		if err != nil || !bytes.Equal(first, second) {
			t.Fatalf("%s: %q gives %q, then %q, %v", typ, text, first, second, err)
		}
	})
}
