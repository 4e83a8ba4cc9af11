package differential

import (
	"encoding/json"
	"strings"

	"github.com/gofluss/fluss/internal/catalog"
)

// mutated is the text of a descriptor with one thing changed, mostly to something that a server refuses.
func (d dice) mutated() []byte {
	desc := d.descriptor(true)
	var tree map[string]any
	if err := json.Unmarshal(catalog.EncodeDescriptor(&desc), &tree); err != nil {
		panic(err) // our own text
	}
	if d.one(3) {
		d.mutateProperty(tree["properties"].(map[string]any))
	} else {
		d.mutateSchema(tree)
	}
	text, err := json.Marshal(tree)
	if err != nil {
		panic(err)
	}
	return text
}

func (d dice) mutateProperty(p map[string]any) {
	key := pick(d, "table.replication.factor", "table.log.format", "table.log.arrow.compression.type",
		"table.log.arrow.compression.zstd.level", "table.kv.format", "table.kv.format-version", "table.log.ttl",
		"table.log.tiered.local-segments", "table.merge-engine", "table.merge-engine.versioned.ver-column",
		"table.delete.behavior", "table.changelog.image", "table.auto-increment.cache-size", "table.datalake.freshness",
		"table.auto-partition.enabled", "table.auto-partition.key", "table.auto-partition.time-unit", "table.unknown", "other")
	p[key] = pick(d, "", "0", "-1", "1", "2", "99", "x", "true", "FALSE", "indexed", "Arrow", "first_row", "versioned",
		"aggregation", "allow", "disable", "wal", "5min", "3 days", "k0", "c0", "day", " 1 ", "none", "1.5", "9999999999")
}

func (d dice) mutateSchema(tree map[string]any) {
	schema := tree["schema"].(map[string]any)
	columns := schema["columns"].([]any)
	column := func() map[string]any { return columns[d.IntN(len(columns))].(map[string]any) }
	switch d.IntN(20) {
	case 0:
		columns[0].(map[string]any)["name"] = column()["name"]
	case 1:
		column()["name"] = pick(d, "__offset", "_change_type", "", "a.b", "ä", strings.Repeat("n", 300))
	case 2:
		schema["primary_key"] = []string{pick(d, "nope", "c0", "k0", "")}
	case 3:
		schema["primary_key"] = []string{"k0", "k0"}
	case 4:
		tree["bucket_key"] = []string{pick(d, "nope", "c0", "c1", "k0", "p0")}
		tree["bucket_count"] = 1
	case 5:
		tree["bucket_count"] = 128001 // a million takes all of a small heap; see the documentation of flusstest for 0 and less
		if tree["bucket_key"] == nil {
			tree["bucket_key"] = []string{}
		}
	case 6:
		tree["partition_key"] = []string{pick(d, "nope", "c0", "c1", "k0")}
	case 7:
		column()["data_type"] = map[string]any{"type": pick(d, "VARCHAR", "int", "DECIMAL", "CHAR", "ARRAY", "MAP", "ROW", "")}
	case 8:
		column()["data_type"] = map[string]any{"type": "DECIMAL", "precision": pick(d, 0, 39, 5), "scale": pick(d, -1, 6, 40)}
	case 9:
		column()["data_type"] = map[string]any{"type": pick(d, "CHAR", "BINARY"), "length": pick(d, 0, -1)}
	case 10:
		column()["data_type"] = map[string]any{"type": pick(d, "TIMESTAMP_WITHOUT_TIME_ZONE", "TIME_WITHOUT_TIME_ZONE"), "precision": pick(d, -1, 10)}
	case 11:
		column()["id"] = pick(d, 0, 99)
	case 12:
		schema["highest_field_id"] = pick(d, -1, 0, 99)
	case 13:
		column()["agg_function"] = map[string]any{"type": pick(d, "sum", "listagg", "nope", "MAX", "bool-and", "rbm32")}
	case 14:
		schema["auto_increment_column"] = []string{pick(d, "k0", "c0", "nope")}
	case 15:
		schema["auto_increment_column"] = []string{"c0", "c1"}
	case 16:
		columns[0].(map[string]any)["data_type"] = map[string]any{"type": "ARRAY", "element_type": map[string]any{"type": "INTEGER"}}
	case 17:
		columns[0].(map[string]any)["data_type"] = map[string]any{"type": "DECIMAL", "precision": 5, "scale": 1}
	case 18:
		tree["more"] = "unknown"
		schema["more"] = 1
	case 19:
		for _, c := range columns {
			delete(c.(map[string]any), "id")
		}
		delete(schema, "highest_field_id")
	}
}
