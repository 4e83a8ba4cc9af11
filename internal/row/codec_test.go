package row_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"strings"
	"testing"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/row"
)

func TestDecodeDamaged(t *testing.T) {
	tests := []struct {
		name, types string
		format      row.Format
		hex         string
		column, at  int
		reason      string
	}{
		{"no null bits", "INT", row.Compacted, "", 0, 0, "the row ends early"},
		{"no field", "INT,INT", row.Compacted, "0005", 1, 2, "the row ends early"},
		{"varint of 6 bytes", "INT", row.Compacted, "00808080808001", 0, 1, "a varint is too long for its type"},
		{"varint of 33 bits", "INT", row.Compacted, "00ffffffff1f", 0, 1, "a varint is too long for its type"},
		{"varint of 11 bytes", "BIGINT", row.Compacted, "008080808080808080808001", 0, 1, "a varint is too long for its type"},
		{"length over the end", "STRING", row.Compacted, "000461", 0, 1, "a length is negative or runs over the end"},
		{"negative length", "STRING", row.Compacted, "00ffffffff0f", 0, 1, "a length is negative or runs over the end"},
		{"nanoseconds", "TIMESTAMP(9)", row.Compacted, "0001c0843d", 0, 1, "nanoseconds of the millisecond are not within 0 and 999999"},
		{"empty decimal", "DECIMAL(38,0)", row.Compacted, "0000", 0, 1, "a decimal is empty or longer than 16 bytes"},
		{"long decimal", "DECIMAL(38,0)", row.Compacted, "0011" + strings.Repeat("11", 17), 0, 1, "a decimal is empty or longer than 16 bytes"},
		{"trailing", "INT", row.Compacted, "000500", 1, 2, "bytes remain behind the last column"},
		{"count beyond the bytes", "ARRAY<INT>", row.Compacted, "0008ffffff7f00000000", 0, 1, "an element count is negative or larger than the bytes allow"},
		{"negative count", "ARRAY<INT>", row.Compacted, "0008ffffffff00000000", 0, 1, "an element count is negative or larger than the bytes allow"},
		{"element outside", "ARRAY<BYTES>", row.Compacted, "0010" + "01000000" + "00000000" + "0800000009000000", 0, 1, "an element lies outside its array"},
		{"inline of 8 bytes", "ARRAY<BYTES>", row.Compacted, "0010" + "01000000" + "00000000" + "0000000000000088", 0, 1, "an element lies outside its array"},
		{"keys without values", "MAP<INT,INT>", row.Compacted, "001c" + "10000000" + "01000000" + "00000000" + "0700000000000000" + "0000000000000000", 0, 1, "an element count is negative or larger than the bytes allow"},
		{"key array over the end", "MAP<INT,INT>", row.Compacted, "00040100 0000", 0, 1, "a length is negative or runs over the end"},
		{"row in a row cut", "ROW<a INT,b INT>", row.Compacted, "00020005", 0, 1, "the row ends early"},
		{"no length list", "STRING", row.Indexed, "000000", 0, 0, "the row ends early"},
		{"negative length", "STRING", row.Indexed, "00ffffffff", 0, 5, "a length is negative or runs over the end"},
		{"fixed field over the end", "INT,CHAR(4)", row.Indexed, "0001000000616263", 1, 5, "a length is negative or runs over the end"},
		{"nanoseconds", "TIMESTAMP(6)", row.Indexed, "000100000000000000ffffffff", 0, 13, "nanoseconds of the millisecond are not within 0 and 999999"},
		{"trailing", "INT", row.Indexed, "000500000000", 1, 5, "bytes remain behind the last column"},
	}
	for _, tt := range tests {
		var types []*catalog.Type
		for _, name := range splitTop(tt.types) {
			types = append(types, vectorType(t, name))
		}
		src := mustHex(t, strings.ReplaceAll(tt.hex, " ", ""))
		err := row.NewCodec(tt.format, types).Decode(make([]row.Datum, len(types)), src)
		e, ok := errors.AsType[*row.DecodeError](err)
		if !ok {
			t.Errorf("%s %s: got %v", tt.format, tt.name, err)
			continue
		}
		if want := (row.DecodeError{Format: tt.format, Column: tt.column, Offset: tt.at, Reason: tt.reason}); *e != want {
			t.Errorf("%s %s: got %v, want %v", tt.format, tt.name, e, &want)
		}
	}
}

// TestDecodeShared gives an array whose elements all lead to the same long inner array: read one by one they would
// take the square of the input.
func TestDecodeShared(t *testing.T) {
	const n = 1000
	slots := binary.LittleEndian.AppendUint32(nil, n)
	slots = append(slots, make([]byte, n/32*4+4)...)
	from := len(slots) + 8*n
	inner := binary.LittleEndian.AppendUint32(nil, n)
	inner = append(inner, make([]byte, n/32*4+4+n)...)
	for range n {
		slots = binary.LittleEndian.AppendUint32(slots, uint32(len(inner)))
		slots = binary.LittleEndian.AppendUint32(slots, uint32(from))
	}
	body := append(slots, inner...)
	src := append(binary.AppendUvarint([]byte{0}, uint64(len(body))), body...)
	c := row.NewCodec(row.Compacted, []*catalog.Type{vectorType(t, "ARRAY<ARRAY<TINYINT>>")})
	err := c.Decode(make([]row.Datum, 1), src)
	if err == nil || !strings.HasSuffix(err.Error(), "nested values overlap") {
		t.Errorf("got %v", err)
	}
}

// TestDecodeLoose holds what is read though this package would not write it.
func TestDecodeLoose(t *testing.T) {
	tests := []struct{ name, types, hex, again string }{
		{"true as 2", "BOOLEAN", "0002", "0001"},
		{"decimal with sign bytes to spare", "DECIMAL(38,0)", "0003ffff80", "000180"},
		{"null bits behind the last column", "INT", "fe05", "0005"},
		{"varint with bytes to spare", "INT", "00858000", "0005"},
	}
	for _, tt := range tests {
		c := row.NewCodec(row.Compacted, []*catalog.Type{vectorType(t, tt.types)})
		data := make([]row.Datum, 1)
		if err := c.Decode(data, mustHex(t, tt.hex)); err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		if got := c.Append(nil, data); !bytes.Equal(got, mustHex(t, tt.again)) {
			t.Errorf("%s: got %x, want %s", tt.name, got, tt.again)
		}
	}
}

// TestAliasing holds that decoded bytes lie in the row and cannot be appended into it.
func TestAliasing(t *testing.T) {
	types := []*catalog.Type{{Kind: catalog.Bytes}, {Kind: catalog.Bytes}}
	for _, format := range []row.Format{row.Compacted, row.Indexed} {
		c := row.NewCodec(format, types)
		src := c.Append(nil, []row.Datum{{B: []byte("ab")}, {B: []byte("cd")}})
		data := make([]row.Datum, 2)
		if err := c.Decode(data, src); err != nil {
			t.Fatal(err)
		}
		_ = append(data[0].B, "zz"...)
		if string(data[1].B) != "cd" {
			t.Errorf("%s: an append to one column changed the next: %q", format, data[1].B)
		}
		src[len(src)-1] = 'D'
		if string(data[1].B) != "cD" {
			t.Errorf("%s: the column was copied", format)
		}
	}
}

func TestNewKeyEncoderRefuses(t *testing.T) {
	column := func(name string, k catalog.Kind) catalog.Column {
		return catalog.Column{Name: name, Type: catalog.Type{Kind: k, Elem: &catalog.Type{Kind: catalog.Int}}}
	}
	schema := &catalog.Schema{Columns: []catalog.Column{column("i", catalog.Int), column("a", catalog.Array), column("b", catalog.Boolean)}}
	tests := []struct {
		bucketKey  []string
		properties map[string]string
		want       string
	}{
		{nil, nil, "table d.t: the key has no columns"},
		{[]string{"a"}, nil, `table d.t: column "a" of type ARRAY<INT> cannot be part of a key`},
		{[]string{"i", "b"}, map[string]string{"table.datalake.format": "iceberg"}, "table d.t: a key of an iceberg table has exactly one column, not 2"},
		{[]string{"b"}, map[string]string{"table.datalake.format": "ICEBERG"}, "table d.t: a key of an iceberg table cannot be of type BOOLEAN"},
		{[]string{"i"}, map[string]string{"table.datalake.format": "hudi"}, `table d.t: table.datalake.format = "hudi" is not known to this client`},
	}
	for _, tt := range tests {
		d := catalog.Descriptor{Schema: schema, BucketKeys: tt.bucketKey, Properties: tt.properties}
		table, err := catalog.NewTable(catalog.TablePath{Database: "d", Table: "t"}, 1, d)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := row.NewBucketKeyEncoder(table); err == nil || err.Error() != tt.want {
			t.Errorf("%v %v: got %v, want %s", tt.bucketKey, tt.properties, err, tt.want)
		}
		if _, err := row.NewKeyEncoder(table); err == nil {
			t.Errorf("%v: a log table has a primary key encoder", tt.bucketKey)
		}
	}
}
