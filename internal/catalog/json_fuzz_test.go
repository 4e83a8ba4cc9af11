package catalog

import (
	"bytes"
	"testing"

	"github.com/gofluss/fluss/internal/fuzzbound"
)

// Properties: no text makes a reader panic or take much memory; what it accepts is written to a text that reads back to the same text.

func FuzzDecodeSchema(f *testing.F) {
	for _, c := range readTables(f).Tables {
		f.Add([]byte(c.SchemaJSON))
	}
	fuzzbound.Fuzz(f, func(t *testing.T, text []byte) {
		var s *Schema
		var err error
		fuzzbound.CheckTree(t, len(text), func() { s, err = DecodeSchema(text, 3) })
		if err != nil {
			return
		}
		first := EncodeSchema(s)
		again, err := DecodeSchema(first, 3)
		if err != nil {
			t.Fatalf("%s: %v", first, err)
		}
		if second := EncodeSchema(again); !bytes.Equal(first, second) {
			t.Fatalf("first %s\nthen  %s", first, second)
		}
	})
}

func FuzzDecodeDescriptor(f *testing.F) {
	for _, c := range readTables(f).Tables {
		f.Add([]byte(c.JSON))
	}
	fuzzbound.Fuzz(f, func(t *testing.T, text []byte) {
		var d Descriptor
		var err error
		fuzzbound.CheckTree(t, len(text), func() { d, err = DecodeDescriptor(text) })
		if err != nil {
			return
		}
		first := EncodeDescriptor(&d)
		again, err := DecodeDescriptor(first)
		if err != nil {
			t.Fatalf("%s: %v", first, err)
		}
		if second := EncodeDescriptor(&again); !bytes.Equal(first, second) {
			t.Fatalf("first %s\nthen  %s", first, second)
		}
		if table, err := NewTable(TablePath{"d", "t"}, 1, d); err == nil {
			_ = table.PrefixLookup()
		}
	})
}
