package differential

import (
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"slices"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/record"
	"github.com/gofluss/fluss/internal/row"
	"github.com/gofluss/fluss/internal/row/rowtest"
	"github.com/gofluss/fluss/internal/wire"
)

// storedValue is a schema id and a row.
func (r *reader) storedValue(b []byte) any {
	t := r.request.table
	id, stored, err := record.ReadValue(b)
	if err != nil || t == nil {
		return hex.EncodeToString(b)
	}
	return fmt.Sprintf("%d %s %x", id, t.rowText(int(id), stored), stored)
}

func (t *table) rowText(schemaID int, stored []byte) string {
	s := t.schema(schemaID)
	if s == nil {
		return "no schema"
	}
	values := make([]row.Datum, len(s.Columns))
	if err := row.NewCodec(t.kvFormat(), s.Types()).Decode(values, slices.Clone(stored)); err != nil {
		return "no row"
	}
	return rowtest.FormatRow(s.Types(), values)
}

// records is what FETCH_LOG and LIMIT_SCAN answer.
func (r *reader) records(b []byte) any {
	t := r.request.table
	if t == nil || len(b) == 0 {
		return fmt.Sprint(len(b), " bytes")
	}
	if r.request.api == wire.APILimitScan && t.latest.IsKeyTable() {
		return t.valueBatch(b)
	}
	return t.logBatches(b, r.request.projection, r.request.first)
}

func (t *table) valueBatch(b []byte) any {
	batch, err := record.ReadValueBatch(b)
	if err != nil {
		return hex.EncodeToString(b)
	}
	list := []any{}
	for it := batch.Records(); it.Next(); {
		list = append(list, fmt.Sprintf("%d %s %x", it.SchemaID, t.rowText(int(it.SchemaID), it.Row), it.Row))
	}
	return list
}

// logBatches takes batches apart. The bytes of those that a client sent are compared, but for the time; those that a
// server made, as a change log or for a projection, by their rows: servers compress and align in their own ways.
func (t *table) logBatches(b []byte, projection []int32, first bool) any {
	list := []any{}
	for len(b) > 0 {
		batch, rest, err := record.NextLogBatch(b)
		if err != nil {
			if t.ownBytes() || projection != nil {
				return append(list, "some bytes of another")
			}
			return append(list, fmt.Sprintf("%d bytes of another", len(b)))
		}
		if list = append(list, t.logBatch(&batch, projection)); first {
			return list
		}
		b = rest
	}
	return list
}

// ownBytes says that the server makes the table's batches itself, in a format with room for variety.
func (t *table) ownBytes() bool {
	return t.latest.IsKeyTable() && t.latest.LogFormat == catalog.LogArrow
}

func (t *table) logBatch(b *record.LogBatch, projection []int32) any {
	tree := map[string]any{
		"offset": fmt.Sprint(b.BaseOffset), "magic": fmt.Sprint(b.Magic), "schema": fmt.Sprint(b.SchemaID),
		"append_only": fmt.Sprint(b.AppendOnly), "last_delta": fmt.Sprint(b.LastOffsetDelta), "count": fmt.Sprint(b.Count),
		"writer": fmt.Sprint(b.WriterID, "/", b.Sequence), "time": fmt.Sprint(b.CommitMillis > 0), "epoch": fmt.Sprint(b.LeaderEpoch),
	}
	if projection == nil {
		tree["crc"] = fmt.Sprint(b.CheckCRC() == nil)
		if !t.latest.IsKeyTable() {
			tree["bytes"] = fmt.Sprintf("%d with sum %08x", len(b.Bytes), crc32.ChecksumIEEE(b.Payload))
		}
	}
	tree["rows"] = t.logRows(b, projection)
	return tree
}

func (t *table) logRows(b *record.LogBatch, projection []int32) any {
	s := t.schema(int(b.SchemaID))
	if s == nil {
		return "no schema"
	}
	var positions []int
	for _, p := range projection {
		positions = append(positions, int(p))
	}
	d, err := record.NewLogDecoder(t.latest, s, positions)
	if err != nil {
		return "no decoder"
	}
	rows, err := d.Decode(b)
	if err != nil {
		return "no rows"
	}
	columns := d.Columns()
	types := make([]*catalog.Type, len(columns))
	values := make([]row.Datum, len(columns))
	list := []any{}
	for i := range rows.Len() {
		for c := range columns {
			types[c] = &columns[c].Type
			rows.Datum(&values[c], c, i)
		}
		list = append(list, fmt.Sprintf("%d %s %s", rows.Offset(i), rows.Change(i), rowtest.FormatRow(types, values)))
	}
	return list
}
