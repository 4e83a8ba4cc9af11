package fluss

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gofluss/fluss/dialect"
	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/route"
	"github.com/gofluss/fluss/internal/row"
)

// alter runs ALTER TABLE. Statements planned before look at the table again: this Connector's at once, those of others
// when they meet a row of the newer schema, or after a moment when they write.
func (c *conn) alter(ctx context.Context, s *dialect.AlterTable) error {
	path := tablePath(c.database, &s.Table)
	if s.Table.Suffix != "" {
		return &UnsupportedError{Feature: "ALTER TABLE of " + path.Table + "$" + s.Table.Suffix, Reason: "it is no table of its own", Hint: "alter " + path.String()}
	}
	t, err := c.c.client.FreshTable(ctx, *path)
	if err != nil {
		return translate(err, path.String())
	}
	switch {
	case s.AddColumns != nil:
		err = c.addColumns(ctx, t, s.AddColumns)
	case s.Set != nil || s.Reset != nil:
		err = c.alterProperties(ctx, t, s)
	case s.AddPartition != nil:
		var values []string
		if values, err = fullPartition(t, s.AddPartition); err == nil {
			err = c.c.client.CreatePartition(ctx, t, values, s.IfNotExists)
		}
	case s.DropPartition != nil:
		var values []string
		if values, err = fullPartition(t, s.DropPartition); err == nil {
			err = c.c.client.DropPartition(ctx, t, values, s.IfExists)
		}
	}
	return translate(err, path.String())
}

// reservedColumns are names that CREATE TABLE refuses and ADD COLUMN of 0.9.1 lets through.
var reservedColumns = []string{"__offset", "__timestamp", "__bucket", "_change_type", "_log_offset", "_commit_timestamp"}

// addColumns refuses in words of its own what the server would refuse: it only appends nullable columns.
func (c *conn) addColumns(ctx context.Context, t *catalog.Table, defs []dialect.ColumnDef) error {
	columns := make([]catalog.Column, len(defs))
	for i := range defs {
		def := &defs[i]
		ty, err := typeOf(&def.Type)
		if err != nil {
			return fmt.Errorf("column %s: %w", def.Name, err)
		}
		if ty.NotNull {
			return &UnsupportedError{Feature: "ADD COLUMN " + def.Name + " " + ty.Name() + " NOT NULL", Reason: "the rows that are there have no value for it, and Fluss has no default values",
				Hint: "leave out NOT NULL"}
		}
		if t.Schema.Index(def.Name) >= 0 {
			return &Error{Op: "ALTER TABLE", Table: t.Path.String(), Message: fmt.Sprintf("%s has a column %s already", t.Path, def.Name), kind: ErrColumnExists}
		}
		if slices.Contains(reservedColumns, def.Name) {
			return fmt.Errorf("the column name %s is reserved for a pseudo column", def.Name)
		}
		if slices.ContainsFunc(columns[:i], func(c catalog.Column) bool { return c.Name == def.Name }) {
			return fmt.Errorf("column %s is added twice", def.Name)
		}
		columns[i] = catalog.Column{Name: def.Name, Type: *ty, Comment: def.Comment}
	}
	return c.c.client.AddColumns(ctx, t.Path, columns)
}

func (c *conn) alterProperties(ctx context.Context, t *catalog.Table, s *dialect.AlterTable) error {
	var list []route.Property
	for i := range s.Set {
		list = append(list, route.Property{Key: s.Set[i].Key, Value: &s.Set[i].Value})
	}
	for _, key := range s.Reset {
		list = append(list, route.Property{Key: key})
	}
	if len(list) == 0 {
		return fmt.Errorf("ALTER TABLE %s names no option", t.Path)
	}
	for i := range list {
		if err := alterable(list[i].Key); err != nil {
			return err
		}
	}
	return c.c.client.AlterProperties(ctx, t.Path, list)
}

// alterable refuses options that are no properties of a table but shape it when it is created.
func alterable(key string) error {
	switch {
	case key == "bucket.num", key == "bucket.key", key == "auto-increment.fields", strings.HasPrefix(key, "fields.") && strings.HasSuffix(key, ".agg"):
		return &UnsupportedError{Feature: "changing " + key, Reason: "it is decided when the table is created", Hint: "create another table and copy the rows"}
	}
	return nil
}

// fullPartition orders the values of a PARTITION clause that must name every partition column, as text of the
// partition's name.
func fullPartition(t *catalog.Table, spec []dialect.Option) ([]string, error) {
	given, err := partitionValues(t, spec)
	if err != nil {
		return nil, err
	}
	values := make([]string, len(t.PartitionKeys))
	for i, name := range t.PartitionKeys {
		v, ok := given[name]
		if !ok {
			return nil, fmt.Errorf("PARTITION must name all of %s: %s is missing", strings.Join(t.PartitionKeys, ", "), name)
		}
		values[i] = v
	}
	return values, nil
}

// partitionValues turns a PARTITION clause into texts of partition names, by column. A value may be written as the
// column's type has it or as it stands in the name.
func partitionValues(t *catalog.Table, spec []dialect.Option) (map[string]string, error) {
	if !t.IsPartitioned() {
		return nil, &UnsupportedError{Feature: "PARTITION", Reason: t.Path.String() + " is not partitioned", Hint: "PARTITIONED BY is said when the table is created"}
	}
	out := map[string]string{}
	for _, o := range spec {
		i := slices.Index(t.PartitionKeys, o.Key)
		if i < 0 {
			return nil, fmt.Errorf("%s is partitioned by %s, not by %s", t.Path, strings.Join(t.PartitionKeys, ", "), o.Key)
		}
		if _, twice := out[o.Key]; twice {
			return nil, fmt.Errorf("PARTITION names %s twice", o.Key)
		}
		ty := t.Schema.Columns[t.PartitionCols[i]].Type
		var d row.Datum // a value of BINARY or BYTES is hex either way
		if err := row.ParsePartitionValue(&ty, o.Value, &d); err != nil {
			if bad := row.BindText(&d, &ty, row.LiteralString, o.Value, &row.BindOptions{}); bad != nil || ty.Kind == catalog.Bytes || ty.Kind == catalog.Binary {
				return nil, &ValueError{Table: t.Path.String(), Column: o.Key, Err: cmp.Or(bad, err)}
			}
		}
		text, err := row.AppendPartitionValue(nil, &ty, &d)
		if err == nil {
			err = row.CheckPartitionValue(string(text))
		}
		if err != nil {
			return nil, &ValueError{Table: t.Path.String(), Column: o.Key, Err: err}
		}
		out[o.Key] = string(text)
	}
	return out, nil
}
