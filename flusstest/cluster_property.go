package flusstest

import (
	"slices"
	"strconv"
	"strings"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/wire"
)

// valueKind says what a property's text must be.
type valueKind uint8

const (
	anyText valueKind = iota
	numberValue
	boolValue
	durationValue
	wordValue
)

// property is a table property the server knows. words are the values of kind wordValue, in upper case.
type property struct {
	kind  valueKind
	words []string
	class string // the Java class named when a word is not known
}

// properties has every table property of 0.9.1. Source: ConfigOptions (Java, v0.9.1-incubating).
var properties = map[string]property{
	"table.replication.factor":                {kind: numberValue},
	"table.log.format":                        {kind: wordValue, words: []string{"INDEXED", "ARROW", "COMPACTED"}, class: "org.apache.fluss.metadata.LogFormat"},
	"table.log.arrow.compression.type":        {kind: wordValue, words: []string{"NONE", "LZ4_FRAME", "ZSTD"}, class: "org.apache.fluss.compression.ArrowCompressionType"},
	"table.log.arrow.compression.zstd.level":  {kind: numberValue},
	"table.kv.format":                         {kind: wordValue, words: []string{"COMPACTED", "INDEXED"}, class: "org.apache.fluss.metadata.KvFormat"},
	"table.kv.format-version":                 {kind: numberValue},
	"table.auto-partition.enabled":            {kind: boolValue},
	"table.auto-partition.key":                {},
	"table.auto-partition.time-unit":          {kind: wordValue, words: []string{"YEAR", "QUARTER", "MONTH", "DAY", "HOUR"}, class: "org.apache.fluss.config.AutoPartitionTimeUnit"},
	"table.auto-partition.time-zone":          {},
	"table.auto-partition.num-precreate":      {kind: numberValue},
	"table.auto-partition.num-retention":      {kind: numberValue},
	"table.log.ttl":                           {kind: durationValue},
	"table.log.tiered.local-segments":         {kind: numberValue},
	"table.datalake.enabled":                  {kind: boolValue},
	"table.datalake.format":                   {kind: wordValue, words: []string{"PAIMON", "LANCE", "ICEBERG"}, class: "org.apache.fluss.metadata.DataLakeFormat"},
	"table.datalake.freshness":                {kind: durationValue},
	"table.datalake.auto-compaction":          {kind: boolValue},
	"table.datalake.auto-expire-snapshot":     {kind: boolValue},
	"table.merge-engine":                      {kind: wordValue, words: []string{"FIRST_ROW", "VERSIONED", "AGGREGATION"}, class: "org.apache.fluss.metadata.MergeEngineType"},
	"table.merge-engine.versioned.ver-column": {},
	"table.delete.behavior":                   {kind: wordValue, words: []string{"ALLOW", "IGNORE", "DISABLE"}, class: "org.apache.fluss.metadata.DeleteBehavior"},
	"table.auto-increment.cache-size":         {kind: numberValue},
	"table.changelog.image":                   {kind: wordValue, words: []string{"FULL", "WAL"}, class: "org.apache.fluss.metadata.ChangelogImage"},
}

// alterable are the table properties that ALTER_TABLE may change; custom ones always.
var alterable = []string{"table.datalake.enabled", "table.datalake.freshness", "table.log.tiered.local-segments"}

// settings reads a descriptor's properties with their defaults.
type settings map[string]string

func (s settings) word(key, def string) string {
	if v, ok := s[key]; ok {
		return strings.ToUpper(strings.TrimSpace(v))
	}
	return def
}

func (s settings) number(key string, def int) int {
	if n, err := strconv.Atoi(strings.TrimSpace(s[key])); err == nil {
		return n
	}
	return def
}

// fits says whether a property is absent or has a value it can have.
func (s settings) fits(key string) bool {
	v, set := s[key]
	return !set || properties[key].checkValue(key, v) == nil
}

func (s settings) enabled(key string) bool { return s.word(key, "FALSE") == "TRUE" }

// checkValue refuses a value its property cannot have, with code 39.
func (p property) checkValue(key, value string) error {
	why := ""
	switch text := strings.TrimSpace(value); p.kind {
	case numberValue:
		size := 32
		if key == cacheProperty {
			size = 64
		}
		if _, err := strconv.ParseInt(value, 10, size); err != nil {
			why = unparsable(key, value)
		}
	case boolValue:
		if t := strings.ToUpper(text); t != "TRUE" && t != "FALSE" {
			why = unparsable(key, value)
		}
	case durationValue:
		if !isDuration(text) {
			why = unparsable(key, value)
		}
	case wordValue:
		if !slices.Contains(p.words, strings.ToUpper(value)) {
			why = unparsable(key, value)
		}
	}
	if why != "" {
		return refuse(wire.CodeInvalidConfig, "Invalid value for config '%s'. Reason: %s", key, why)
	}
	return nil
}

// isDuration knows texts like "7d", "10 min" and "500ms".
func isDuration(text string) bool {
	digits := strings.TrimLeft(text, "0123456789")
	if digits == text {
		return false
	}
	switch strings.TrimSpace(strings.ToLower(digits)) {
	case "d", "day", "days", "h", "hour", "hours", "m", "min", "minute", "minutes", "s", "sec", "secs", "second",
		"seconds", "ms", "milli", "millis", "millisecond", "milliseconds", "us", "µs", "micro", "micros", "microsecond",
		"microseconds", "ns", "nano", "nanos", "nanosecond", "nanoseconds":
		return true
	}
	return false
}

// reserved are the column names no table may use.
var reserved = []string{"__offset", "__timestamp", "__bucket", "_change_type", "_log_offset", "_commit_timestamp"}

// checkProperties refuses what the coordinator refuses of a descriptor whose defaults are filled in, in its order.
// Source: TableDescriptorValidation (Java, v0.9.1-incubating).
func (c *cluster) checkProperties(d *catalog.Descriptor) error {
	for key, value := range d.Properties {
		p, known := properties[key]
		switch {
		case !known && strings.HasPrefix(key, "table."):
			return refuse(wire.CodeInvalidConfig, "'%s' is not a recognized Fluss table property in the current cluster version. You may be using an older Fluss cluster that does not support this property.", key)
		case !known:
			return refuse(wire.CodeInvalidConfig, "'%s' is not a Fluss table property. Please use '.customProperty(..)' to set custom properties.", key)
		}
		if err := p.checkValue(key, value); err != nil {
			return err
		}
	}
	if limit := c.srv.opt.totalBucket; d.BucketCount > limit {
		return refuse(wire.CodeBucketMaxNum, "Bucket count %d exceeds the maximum limit %d.", d.BucketCount, limit)
	}
	for _, check := range []func(*catalog.Descriptor, settings) error{
		checkKeyTypes, checkFormats, checkMergeEngine, checkDeleteBehavior, checkPartitioning,
	} {
		if err := check(d, d.Properties); err != nil {
			return err
		}
	}
	var taken []string
	for _, name := range namesOfColumns(d.Schema) {
		if slices.Contains(reserved, name) {
			taken = append(taken, name)
		}
	}
	if len(taken) > 0 {
		return refuse(wire.CodeInvalidTable, "%s cannot be used as column names, because they are reserved system columns in Fluss. Please use other names for these columns. The reserved system columns are: %s",
			strings.Join(taken, ", "), strings.Join(reserved, ", "))
	}
	return nil
}

func checkKeyTypes(d *catalog.Descriptor, _ settings) error {
	for _, list := range []struct {
		what, small string
		names       []string
	}{{"Bucket", "bucket", d.BucketKeys}, {"Primary", "primary", d.Schema.PrimaryKey}} {
		for _, name := range list.names {
			if t := &d.Schema.Columns[d.Schema.Index(name)].Type; t.IsNested() {
				return refuse(wire.CodeInvalidTable, "%s key column '%s' has unsupported data type %s. Currently, %s key column does not support types: [ARRAY, MAP, ROW].",
					list.what, name, javaType(t), list.small)
			}
		}
	}
	return nil
}

func checkFormats(d *catalog.Descriptor, s settings) error {
	log, kv := s.word("table.log.format", "ARROW"), s.word("table.kv.format", "COMPACTED")
	switch level := s.number("table.log.arrow.compression.zstd.level", 3); {
	case s.number("table.replication.factor", 1) <= 0: // of a partitioned table; another was refused before
		return refuse(wire.CodeInvalidConfig, "'table.replication.factor' must be greater than 0.")
	case len(d.Schema.PrimaryKey) > 0 && kv == "COMPACTED" && log == "INDEXED":
		return refuse(wire.CodeInvalidConfig, "Currently, Primary Key Table supports ARROW or COMPACTED log format when kv format is COMPACTED.")
	case level < 1 || level > 22:
		return refuse(wire.CodeInvalidConfig, "Invalid ZSTD compression level: %d. Expected a value between 1 and 22.", level)
	case s.number("table.log.tiered.local-segments", 2) <= 0:
		return refuse(wire.CodeInvalidConfig, "'table.log.tiered.local-segments' must be greater than 0.")
	}
	return nil
}

func checkMergeEngine(d *catalog.Descriptor, s settings) error {
	engine := s.word("table.merge-engine", "")
	if engine == "" {
		return nil
	}
	if len(d.Schema.PrimaryKey) == 0 {
		return refuse(wire.CodeInvalidConfig, "Merge engine is only supported in primary key table.")
	}
	if engine == "AGGREGATION" {
		if s.word("table.changelog.image", "FULL") == "WAL" {
			return refuse(wire.CodeInvalidConfig, "Table with 'AGGREGATION' merge engine does not support 'WAL' changelog image mode. Aggregation merge engine tables require FULL changelog image mode for correct UNDO recovery. Please set 'table.changelog.image' to 'FULL' or remove the setting.")
		}
		return checkAggregates(d.Schema)
	}
	if engine != "VERSIONED" {
		return nil
	}
	name, set := s["table.merge-engine.versioned.ver-column"]
	i := d.Schema.Index(name)
	switch {
	case !set:
		return refuse(wire.CodeInvalidConfig, "'table.merge-engine.versioned.ver-column' must be set for versioned merge engine.")
	case i < 0:
		return refuse(wire.CodeInvalidConfig, "The version column '%s' for versioned merge engine doesn't exist in schema.", name)
	}
	switch t := &d.Schema.Columns[i].Type; t.Kind {
	case catalog.Int, catalog.BigInt, catalog.Timestamp, catalog.TimestampLTZ:
	default:
		return refuse(wire.CodeInvalidConfig, "The version column '%s' for versioned merge engine must be one type of [INT, BIGINT, TIMESTAMP, TIMESTAMP_LTZ], but got %s.", name, javaType(t))
	}
	return nil
}

func checkDeleteBehavior(d *catalog.Descriptor, s settings) error {
	behavior := s.word("table.delete.behavior", "")
	if behavior != "" && len(d.Schema.PrimaryKey) == 0 {
		return refuse(wire.CodeInvalidConfig, "The 'table.delete.behavior' configuration is only supported for primary key tables.")
	}
	if engine := s.word("table.merge-engine", ""); behavior == "ALLOW" && (engine == "FIRST_ROW" || engine == "VERSIONED") {
		return refuse(wire.CodeInvalidConfig, "Table with '%s' merge engine does not support delete operations. The 'table.delete.behavior' config must be set to 'ignore' or 'disable', but got 'allow'.", engine)
	}
	return nil
}

func checkPartitioning(d *catalog.Descriptor, s settings) error {
	auto := s.enabled("table.auto-partition.enabled")
	if len(d.PartitionKeys) == 0 {
		if auto {
			return refuse(wire.CodeInvalidConfig, "Currently, auto partition is only supported for partitioned table, please set table property 'table.auto-partition.enabled' to false.")
		}
		return nil
	}
	for _, name := range d.PartitionKeys {
		if t := &d.Schema.Columns[d.Schema.Index(name)].Type; t.IsNested() || t.Kind == catalog.Decimal {
			return refuse(wire.CodeInvalidTable, "Currently, partitioned table supported partition key type are [CHAR, STRING, BOOLEAN, BINARY, BYTES, TINYINT, SMALLINT, INTEGER, DATE, TIME_WITHOUT_TIME_ZONE, BIGINT, FLOAT, DOUBLE, TIMESTAMP_WITHOUT_TIME_ZONE, TIMESTAMP_WITH_LOCAL_TIME_ZONE], but got partition key '%s' with data type %s.", name, javaType(t))
		}
	}
	if !auto {
		return nil
	}
	if len(d.PartitionKeys) == 1 {
		return nil
	}
	switch key := s["table.auto-partition.key"]; {
	case strings.TrimSpace(key) == "":
		return refuse(wire.CodeInvalidTable, "Currently, auto partitioned table must set one auto partition key when it has multiple partition keys. Please set table property 'table.auto-partition.key'.")
	case !slices.Contains(d.PartitionKeys, key):
		return refuse(wire.CodeInvalidTable, "The specified key for auto partitioned table is not a partition key. Your key '%s' is not in key list %s", key, javaList(d.PartitionKeys))
	case s.number("table.auto-partition.num-precreate", 2) > 0:
		return refuse(wire.CodeInvalidTable, "For a partitioned table with multiple partition keys, auto pre-create is unsupported and this value must be set to 0, but is %d", s.number("table.auto-partition.num-precreate", 2))
	}
	return nil
}
