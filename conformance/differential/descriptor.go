package differential

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gofluss/fluss/internal/catalog"
)

// descriptor makes a table that a server accepts, perhaps with partitions.
func (d dice) descriptor(partitions bool) catalog.Descriptor {
	desc := catalog.Descriptor{
		Schema: new(catalog.Schema), Properties: map[string]string{}, CustomProperties: map[string]string{},
		Comment: pick(d, "", "", "made by chance"), BucketCount: pick(d, 0, 1, 1, 2, 3),
	}
	if d.one(8) {
		desc.CustomProperties["owner"] = "differential"
	}
	if d.one(3) {
		d.logTable(&desc, partitions)
	} else {
		d.keyTable(&desc, partitions)
	}
	desc.Schema.AssignIDs()
	d.someFormats(&desc)
	return desc
}

func (d dice) logTable(desc *catalog.Descriptor, partitions bool) {
	s := desc.Schema
	if d.one(4) && partitions {
		d.partitionColumns(desc)
	}
	for i := range 1 + d.IntN(6) {
		t := d.anyType(2)
		t.NotNull = d.one(8)
		s.Columns = append(s.Columns, catalog.Column{Name: fmt.Sprint("c", i), Type: t})
	}
	if first := len(desc.PartitionKeys); d.one(3) && !s.Columns[first].Type.IsNested() {
		desc.BucketKeys = []string{s.Columns[first].Name}
		desc.BucketCount = max(desc.BucketCount, 1)
	}
}

// partitionColumns go first; their values are those of partitionValue.
func (d dice) partitionColumns(desc *catalog.Descriptor) {
	for i := range pick(d, 1, 1, 2) {
		t := catalog.Type{Kind: pick(d, catalog.String, catalog.String, catalog.Int, catalog.Date, catalog.Boolean)}
		desc.Schema.Columns = append(desc.Schema.Columns, catalog.Column{Name: fmt.Sprint("p", i), Type: t})
		desc.PartitionKeys = append(desc.PartitionKeys, fmt.Sprint("p", i))
	}
}

func (d dice) keyTable(desc *catalog.Descriptor, partitions bool) {
	s := desc.Schema
	if d.one(4) && partitions {
		d.partitionColumns(desc)
	}
	keys := pick(d, 1, 1, 2, 3)
	for i := range keys {
		s.Columns = append(s.Columns, catalog.Column{Name: fmt.Sprint("k", i), Type: d.scalar()})
	}
	for i := range s.Columns {
		s.PrimaryKey = append(s.PrimaryKey, s.Columns[i].Name)
	}
	if d.one(6) { // the order of the key is its own
		slices.Reverse(s.PrimaryKey)
	}
	if keys > 1 && d.one(2) { // perhaps no prefix of the key
		desc.BucketKeys = []string{fmt.Sprint("k", d.IntN(keys))}
	}
	if desc.BucketCount > 0 && desc.BucketKeys == nil {
		for _, k := range s.PrimaryKey {
			if !slices.Contains(desc.PartitionKeys, k) {
				desc.BucketKeys = append(desc.BucketKeys, k)
			}
		}
	}
	engine := pick(d, "", "", "", "", "first_row", "versioned", "aggregation", "aggregation")
	if engine != "" {
		desc.Properties["table.merge-engine"] = engine
	}
	if engine == "versioned" {
		t := catalog.Type{Kind: pick(d, catalog.Int, catalog.BigInt, catalog.Timestamp, catalog.TimestampLTZ)}
		if t.Kind == catalog.Timestamp || t.Kind == catalog.TimestampLTZ {
			t.Precision = pick(d, 0, 3, 6, 9)
		}
		s.Columns = append(s.Columns, catalog.Column{Name: "version", Type: t})
		desc.Properties["table.merge-engine.versioned.ver-column"] = "version"
	}
	for i := range d.IntN(6) {
		s.Columns = append(s.Columns, d.valueColumn(i, engine))
	}
	if engine == "" && d.one(5) {
		s.Columns = append(s.Columns, catalog.Column{Name: "auto", Type: catalog.Type{Kind: pick(d, catalog.Int, catalog.BigInt)}})
		s.AutoIncrement = "auto"
	}
	d.keyProperties(desc, engine)
}

func (d dice) valueColumn(i int, engine string) catalog.Column {
	c := catalog.Column{Name: fmt.Sprint("c", i), Type: d.anyType(2)}
	c.Type.NotNull = d.one(20)
	if engine == "aggregation" && !d.one(5) {
		c.Agg = d.function(&c.Type)
	}
	return c
}

func (d dice) function(t *catalog.Type) *catalog.AggFunction {
	names := []string{"last_value", "last_value_ignore_nulls", "first_value", "first_value_ignore_nulls"}
	switch t.Kind {
	case catalog.Boolean:
		names = append(names, "bool_and", "bool_or")
	case catalog.TinyInt, catalog.SmallInt, catalog.Int, catalog.BigInt, catalog.Float, catalog.Double, catalog.Decimal:
		names = append(names, "sum", "product", "max", "min", "sum")
	case catalog.String, catalog.Char:
		names = append(names, "listagg", "string_agg", "max", "min")
	case catalog.Date, catalog.Time, catalog.Timestamp, catalog.TimestampLTZ:
		names = append(names, "max", "min")
	}
	f := &catalog.AggFunction{Name: pick(d, names...)}
	if strings.HasSuffix(f.Name, "agg") && d.one(2) {
		f.Parameters = map[string]string{"delimiter": pick(d, "|", "--", " ")}
	}
	return f
}

func (d dice) keyProperties(desc *catalog.Descriptor, engine string) {
	if d.one(4) && engine != "aggregation" {
		desc.Properties["table.changelog.image"] = pick(d, "WAL", "full", "wal")
	}
	behaviors := []string{"", "", "ignore", "disable", "ALLOW"}
	if engine == "first_row" || engine == "versioned" {
		behaviors = behaviors[:4]
	}
	if b := pick(d, behaviors...); b != "" {
		desc.Properties["table.delete.behavior"] = b
	}
	if d.one(6) {
		desc.Properties["table.kv.format"] = pick(d, "indexed", "compacted")
	}
	if d.one(10) {
		desc.Properties["table.kv.format-version"] = "1"
	}
}

func (d dice) someFormats(desc *catalog.Descriptor) {
	if d.one(3) {
		desc.Properties["table.log.format"] = pick(d, "compacted", "arrow", "COMPACTED")
		if len(desc.Schema.PrimaryKey) == 0 {
			desc.Properties["table.log.format"] = pick(d, "compacted", "indexed", "INDEXED")
		}
	}
	if d.one(3) {
		desc.Properties["table.log.arrow.compression.type"] = pick(d, "none", "lz4_frame", "zstd", "NONE")
	}
	if d.one(8) {
		desc.Properties["table.log.arrow.compression.zstd.level"] = pick(d, "1", "9")
	}
	if d.one(10) {
		desc.Properties["table.log.ttl"] = pick(d, "2 d", "12h")
	}
}
