package fluss

import (
	"context"
	"database/sql/driver"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/gofluss/fluss/dialect"
	"github.com/gofluss/fluss/internal/catalog"
)

// showCreateTable answers SHOW CREATE TABLE. The text makes a table with the same descriptor: what the server filled in is
// written out.
func (c *conn) showCreateTable(ctx context.Context, s *dialect.Show) (driver.Rows, error) {
	t, err := c.tableNow(ctx, &s.Table)
	if err != nil {
		return nil, err
	}
	out := &staticRows{columns: textColumns("Table", "Create Table")}
	out.rows = [][]driver.Value{{t.Path.Table, createTableText(t)}}
	return out, nil
}

// tableNow returns the table as the server has it, not as it was when it was last used.
func (c *conn) tableNow(ctx context.Context, n *dialect.TableName) (*catalog.Table, error) {
	path := tablePath(c.database, n)
	if n.Suffix != "" {
		return nil, &UnsupportedError{Feature: "SHOW of " + n.Table + "$" + n.Suffix, Reason: "it is no table of its own", Hint: "name " + path.String()}
	}
	t, err := c.c.client.FreshTable(ctx, *path)
	return t, translate(err, path.String())
}

// setByServer reports whether a new table gets a property by itself: the newest format of keys, and what the cluster tells
// of its lake in every table that is in it, secrets included. CREATE TABLE refuses the latter.
func setByServer(key, value string) bool {
	switch {
	case key == "table.kv.format-version":
		return value == newestKVFormat
	case strings.HasPrefix(key, "table.datalake.paimon."), strings.HasPrefix(key, "table.datalake.iceberg."), strings.HasPrefix(key, "table.datalake.lance."):
		return true
	}
	return false
}

// newestKVFormat is the format version that 0.9.1 gives to a new key table.
const newestKVFormat = "2"

func createTableText(t *catalog.Table) string { return dialect.FormatCreateTable(createTableOf(t)) }

// createTableOf is the statement that makes a table with the same descriptor.
func createTableOf(t *catalog.Table) *dialect.CreateTable {
	s := &dialect.CreateTable{Table: dialect.TableName{Table: t.Path.Table}, Comment: t.Comment, Buckets: t.BucketCount}
	options := maps.Clone(t.CustomProperties)
	if options == nil {
		options = map[string]string{}
	}
	for k, v := range t.Properties {
		if !setByServer(k, v) {
			options[k] = v
		}
	}
	for i := range t.Schema.Columns {
		col := &t.Schema.Columns[i]
		s.Columns = append(s.Columns, dialect.ColumnDef{Name: col.Name, Type: typeSpec(&col.Type), Comment: col.Comment})
		if col.Agg != nil {
			prefix := "fields." + col.Name + "."
			options[prefix+"agg"] = col.Agg.Name
			for k, v := range col.Agg.Parameters {
				options[prefix+strings.ToLower(col.Agg.Name)+"."+k] = v
			}
		}
	}
	if t.Schema.AutoIncrement != "" {
		options["auto-increment.fields"] = t.Schema.AutoIncrement
	}
	s.PrimaryKey, s.PartitionedBy = namesOf(t.Schema.PrimaryKey), namesOf(t.PartitionKeys)
	if s.DistributedBy = namesOf(t.BucketKeys); s.DistributedBy == nil {
		s.Buckets = 0
		options["bucket.num"] = strconv.Itoa(t.BucketCount)
	}
	for _, k := range slices.Sorted(maps.Keys(options)) {
		s.Options = append(s.Options, dialect.Option{Key: k, Value: options[k]})
	}
	return s
}

func namesOf(list []string) []dialect.ColumnName {
	var out []dialect.ColumnName
	for _, n := range list {
		out = append(out, dialect.ColumnName{Name: n})
	}
	return out
}

// typeSpec writes a type as DDL has it, the reverse of typeOf.
func typeSpec(t *catalog.Type) dialect.TypeSpec {
	s := dialect.TypeSpec{Name: t.Kind.Word(), P: -1, S: -1, NotNull: t.NotNull}
	switch t.Kind {
	case catalog.Char, catalog.Binary:
		s.P = t.Length
	case catalog.Decimal:
		s.P, s.S = t.Precision, t.Scale
	case catalog.Time, catalog.Timestamp, catalog.TimestampLTZ:
		s.P = t.Precision
	case catalog.Map:
		key, elem := typeSpec(t.Key), typeSpec(t.Elem)
		s.Key, s.Elem = &key, &elem
	case catalog.Array:
		elem := typeSpec(t.Elem)
		s.Elem = &elem
	case catalog.Row:
		for i := range t.Fields {
			f := &t.Fields[i]
			s.Fields = append(s.Fields, dialect.FieldSpec{Name: f.Name, Type: typeSpec(&f.Type), Comment: f.Comment})
		}
	}
	return s
}
