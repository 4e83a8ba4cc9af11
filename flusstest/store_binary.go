package flusstest

import (
	"bytes"
	"slices"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/row"
)

// readBack gives the values of a row as the real server reads them to log them: from an INDEXED row it takes a CHAR or a
// BINARY without the zeros at its end. A row-based change log then holds the shorter value. An ARROW one copies a CHAR with
// its padding, but has no room for a short BINARY, and the write is refused. Source: IndexedRow.getChar and getBinary (Java, v0.9.1-incubating).
func (h *shape) readBack(values []row.Datum) ([]row.Datum, error) {
	if h.table.KVFormat != catalog.KVIndexed {
		return values, nil
	}
	whole := values
	for i := range h.schema.Columns {
		kind := h.schema.Columns[i].Type.Kind
		if kind != catalog.Binary && kind != catalog.Char || whole[i].Null {
			continue
		}
		short := bytes.TrimRight(whole[i].B, "\x00")
		if len(short) == len(whole[i].B) {
			continue
		}
		if h.table.LogFormat == catalog.LogArrow {
			if kind == catalog.Binary {
				return nil, brokenf(indexOutOfBounds, "")
			}
			continue
		}
		if &values[0] == &whole[0] {
			values = slices.Clone(whole)
		}
		values[i].B = short
	}
	return values, nil
}
