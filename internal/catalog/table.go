package catalog

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Descriptor is what CREATE TABLE sends and GET_TABLE_INFO returns: everything about a table but its ids.
type Descriptor struct {
	Schema           *Schema
	Comment          string
	PartitionKeys    []string
	BucketKeys       []string
	BucketCount      int // 0: the server's default
	Properties       map[string]string
	CustomProperties map[string]string
}

// LogFormat is the payload of a table's log batches ("table.log.format").
type LogFormat uint8

// The log formats. The zero value is the default, as in Fluss.
const (
	LogArrow LogFormat = iota
	LogIndexed
	LogCompacted
)

// KVFormat is the row format of a key table's values ("table.kv.format").
type KVFormat uint8

// The kv formats. The zero value is the default, as in Fluss.
const (
	KVCompacted KVFormat = iota
	KVIndexed
)

// Compression is the codec of Arrow buffers ("table.log.arrow.compression.type").
type Compression uint8

// The codecs. The zero value is the default, as in Fluss.
const (
	ZSTD Compression = iota
	LZ4Frame
	NoCompression
)

// Table is one incarnation of a table at one schema version, with what its properties imply worked out once.
type Table struct {
	Path TablePath
	ID   int64
	Descriptor
	CreatedMillis  int64 // milliseconds since the epoch
	ModifiedMillis int64

	PrimaryKey    []int // column positions, in key order; empty for a log table
	PartitionCols []int // column positions; empty when not partitioned
	BucketCols    []int // column positions of the bucket key; empty for a log table without one
	PhysicalKey   []int // PrimaryKey without the partition columns: what the key bytes cover
	AutoIncrement int   // column position, or -1

	LogFormat        LogFormat
	KVFormat         KVFormat
	Compression      Compression
	CompressionLevel int    // zstd level
	MergeEngine      string // "", "first_row", "versioned", "aggregation"
	DeleteBehavior   string // "allow", "ignore", "disable"
	ChangelogImage   string // "full", "wal"
	DatalakeFormat   string // "", "paimon", "iceberg", "lance"
	KVFormatVersion  int    // 1 when the property is absent
}

// NewTable works out what follows from a descriptor. It fails where the descriptor contradicts itself or
// names something that this client does not know and would otherwise get wrong silently.
func NewTable(path TablePath, id int64, d Descriptor) (*Table, error) {
	t := &Table{Path: path, ID: id, Descriptor: d, AutoIncrement: -1}
	var err error
	if t.PrimaryKey, err = t.positions("primary key", d.Schema.PrimaryKey); err != nil {
		return nil, err
	}
	if t.PartitionCols, err = t.positions("partition key", d.PartitionKeys); err != nil {
		return nil, err
	}
	if t.BucketCols, err = t.positions("bucket key", d.BucketKeys); err != nil {
		return nil, err
	}
	for _, p := range t.PrimaryKey {
		if !slices.Contains(t.PartitionCols, p) {
			t.PhysicalKey = append(t.PhysicalKey, p)
		}
	}
	if d.Schema.AutoIncrement != "" {
		if t.AutoIncrement = d.Schema.Index(d.Schema.AutoIncrement); t.AutoIncrement < 0 {
			return nil, fmt.Errorf("table %s: auto-increment column %q is not in the schema", path, d.Schema.AutoIncrement)
		}
	}
	return t, t.readProperties()
}

// IsKeyTable reports whether the table has a primary key. Others are log tables.
func (t *Table) IsKeyTable() bool { return len(t.PrimaryKey) > 0 }

// IsPartitioned reports whether rows live in partitions.
func (t *Table) IsPartitioned() bool { return len(t.PartitionCols) > 0 }

// DefaultBucketKey reports whether the bucket key is the physical primary key, as an ordered list.
func (t *Table) DefaultBucketKey() bool { return slices.Equal(t.BucketCols, t.PhysicalKey) }

// PrefixLookup reports whether the bucket key is a proper prefix of the physical primary key, which is
// what a prefix lookup needs. The keys of a lake have lengths in front and what is long behind all columns: key tables of
// the old format, which have such keys whatever their bucket key, have no prefixes.
func (t *Table) PrefixLookup() bool {
	n := len(t.BucketCols)
	lakeKeys := t.KVFormatVersion == 1 && (t.DatalakeFormat == "paimon" || t.DatalakeFormat == "iceberg")
	return t.IsKeyTable() && !lakeKeys && n > 0 && n < len(t.PhysicalKey) && slices.Equal(t.BucketCols, t.PhysicalKey[:n])
}

func (t *Table) positions(what string, names []string) ([]int, error) {
	var at []int
	for _, name := range names {
		i := t.Schema.Index(name)
		if i < 0 {
			return nil, fmt.Errorf("table %s: %s column %q is not in the schema", t.Path, what, name)
		}
		at = append(at, i)
	}
	return at, nil
}

// readProperties reads the properties that decide how bytes look. Values are compared without case, as the
// server does.
func (t *Table) readProperties() error {
	prop := func(key, def string) string {
		if v, ok := t.Properties[key]; ok {
			return strings.ToLower(v)
		}
		return def
	}
	unknown := func(key string) error {
		return fmt.Errorf("table %s: %s = %q is not known to this client", t.Path, key, t.Properties[key])
	}
	switch prop("table.log.format", "arrow") {
	case "arrow":
		t.LogFormat = LogArrow
	case "indexed":
		t.LogFormat = LogIndexed
	case "compacted":
		t.LogFormat = LogCompacted
	default:
		return unknown("table.log.format")
	}
	switch prop("table.kv.format", "compacted") {
	case "compacted":
		t.KVFormat = KVCompacted
	case "indexed":
		t.KVFormat = KVIndexed
	default:
		return unknown("table.kv.format")
	}
	switch prop("table.log.arrow.compression.type", "zstd") {
	case "zstd":
		t.Compression = ZSTD
	case "lz4_frame":
		t.Compression = LZ4Frame
	case "none":
		t.Compression = NoCompression
	default:
		return unknown("table.log.arrow.compression.type")
	}
	var err error
	if t.CompressionLevel, err = strconv.Atoi(prop("table.log.arrow.compression.zstd.level", "3")); err != nil {
		return unknown("table.log.arrow.compression.zstd.level")
	}
	if t.KVFormatVersion, err = strconv.Atoi(prop("table.kv.format-version", "1")); err != nil {
		return unknown("table.kv.format-version")
	}
	t.MergeEngine = prop("table.merge-engine", "")
	def := "allow"
	if t.MergeEngine != "" {
		def = "ignore"
	}
	t.DeleteBehavior = prop("table.delete.behavior", def)
	t.ChangelogImage = prop("table.changelog.image", "full")
	t.DatalakeFormat = prop("table.datalake.format", "")
	return nil
}
