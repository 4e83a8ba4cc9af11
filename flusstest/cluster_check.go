package flusstest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/wire"
)

// checkSchema refuses what no table can have, in the words of the Java builder, all with code 15. It makes the columns
// of the primary key NOT NULL. Source: Schema.normalizeColumns (Java, v0.9.1-incubating).
func checkSchema(s *catalog.Schema) error {
	bad := func(format string, args ...any) error { return refuse(wire.CodeInvalidTable, format, args...) }
	names := namesOfColumns(s)
	if err := checkFieldIDs(s); err != nil {
		return err
	}
	if twice := duplicates(names); len(twice) > 0 {
		return bad("Table column %s must not contain duplicate fields. Found: %s", javaList(names), javaList(twice))
	}
	if len(s.PrimaryKey) == 0 {
		if s.AutoIncrement != "" {
			return bad("Auto increment column can only be used in primary-key table.")
		}
		return checkBlankNames(names)
	}
	key := fmt.Sprintf("CONSTRAINT PK_%s PRIMARY KEY (%s)", strings.Join(s.PrimaryKey, "_"), strings.Join(s.PrimaryKey, ", "))
	if twice := duplicates(s.PrimaryKey); len(twice) > 0 {
		return bad("Primary key constraint %s must not contain duplicate columns. Found: %s", key, javaList(twice))
	}
	for _, name := range s.PrimaryKey {
		if s.Index(name) < 0 {
			return bad("Table column %s should include all primary key constraint %s", javaList(names), javaList(s.PrimaryKey))
		}
	}
	if err := checkAutoIncrement(s, names); err != nil {
		return err
	}
	for _, name := range s.PrimaryKey {
		c := &s.Columns[s.Index(name)]
		if c.Agg != nil {
			return bad("Cannot set aggregation function for primary key column '%s'. Primary key columns automatically use 'primary-key' aggregation.", name)
		}
		c.Type.NotNull = true
	}
	return checkBlankNames(names)
}

func checkBlankNames(names []string) error {
	for _, name := range names {
		if strings.TrimSpace(name) == "" {
			return refuse(wire.CodeInvalidTable, "Field names must contain at least one non-whitespace character.")
		}
	}
	return nil
}

func checkAutoIncrement(s *catalog.Schema, names []string) error {
	if s.AutoIncrement == "" {
		return nil
	}
	i := s.Index(s.AutoIncrement)
	switch {
	case i < 0:
		return refuse(wire.CodeInvalidTable, "Auto increment column %s does not exist in table columns %s.", s.AutoIncrement, javaList(names))
	case slices.Contains(s.PrimaryKey, s.AutoIncrement):
		return refuse(wire.CodeInvalidTable, "Auto increment column can not be used as the primary key.")
	case s.Columns[i].Type.Kind != catalog.Int && s.Columns[i].Type.Kind != catalog.BigInt:
		return refuse(wire.CodeInvalidTable, "The data type of auto increment column must be INT or BIGINT.")
	}
	return nil
}

// checkFieldIDs demands that the ids of columns and nested fields are unique and not above the highest one.
func checkFieldIDs(s *catalog.Schema) error {
	var ids []int
	for i := range s.Columns {
		ids = append(ids, s.Columns[i].ID)
		ids = appendFieldIDs(ids, &s.Columns[i].Type)
	}
	if len(ids) == 0 {
		return nil
	}
	highest := slices.Max(ids)
	slices.Sort(ids)
	if unique := len(slices.Compact(slices.Clone(ids))); unique != len(ids) {
		return refuse(wire.CodeInvalidTable, "All field IDs (including nested fields) must be unique. Found %d unique IDs but expected %d.", unique, len(ids))
	}
	if s.HighestFieldID < highest {
		return refuse(wire.CodeInvalidTable, "Highest field ID (%d) must be greater than or equal to the maximum field ID (%d) including nested fields. Current columns is %s", s.HighestFieldID, highest, javaColumns(s))
	}
	return nil
}

func appendFieldIDs(ids []int, t *catalog.Type) []int {
	if t.Key != nil {
		ids = appendFieldIDs(ids, t.Key)
	}
	if t.Elem != nil {
		ids = appendFieldIDs(ids, t.Elem)
	}
	for i := range t.Fields {
		ids = append(ids, t.Fields[i].ID)
		ids = appendFieldIDs(ids, &t.Fields[i].Type)
	}
	return ids
}

func namesOfColumns(s *catalog.Schema) []string {
	names := make([]string, len(s.Columns))
	for i := range s.Columns {
		names[i] = s.Columns[i].Name
	}
	return names
}

// duplicates returns the names that occur more than once, each once.
func duplicates(names []string) []string {
	var twice []string
	for i, name := range names {
		if slices.Contains(names[:i], name) && !slices.Contains(twice, name) {
			twice = append(twice, name)
		}
	}
	return twice
}

// checkKeys checks partition and bucket keys and fills in the bucket key of a key table that names none.
// Source: TableDescriptor (Java, v0.9.1-incubating).
func checkKeys(d *catalog.Descriptor) error {
	bad := func(format string, args ...any) error { return refuse(wire.CodeInvalidTable, format, args...) }
	primary := d.Schema.PrimaryKey
	for _, name := range d.BucketKeys {
		if slices.Contains(d.PartitionKeys, name) {
			return bad("Bucket key %s shouldn't include any column in partition keys %s.", javaList(d.BucketKeys), javaList(d.PartitionKeys))
		}
		if len(primary) > 0 && !slices.Contains(primary, name) {
			return bad("Bucket keys must be a subset of primary keys excluding partition keys for primary-key tables. The primary keys are %s, the partition keys are %s, but the user-defined bucket keys are %s.",
				javaList(primary), javaList(d.PartitionKeys), javaList(d.BucketKeys))
		}
	}
	if len(primary) > 0 && len(d.BucketKeys) == 0 {
		for _, name := range primary {
			if !slices.Contains(d.PartitionKeys, name) {
				d.BucketKeys = append(d.BucketKeys, name)
			}
		}
		if len(d.BucketKeys) == 0 {
			return bad("Primary Key constraint %s should not be same with partition fields %s.", javaList(primary), javaList(d.PartitionKeys))
		}
	}
	for _, name := range d.PartitionKeys {
		if len(primary) > 0 && !slices.Contains(primary, name) {
			return bad("Partitioned Primary Key Table requires partition key %s is a subset of the primary key %s.", javaList(d.PartitionKeys), javaList(primary))
		}
		if d.Schema.Index(name) < 0 {
			return bad("Partition key '%s' does not exist in the schema.", name)
		}
	}
	for _, name := range d.BucketKeys {
		if d.Schema.Index(name) < 0 {
			return bad("Bucket key '%s' does not exist in the schema.", name)
		}
	}
	return nil
}
