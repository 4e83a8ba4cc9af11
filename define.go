package fluss

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gofluss/fluss/dialect"
	"github.com/gofluss/fluss/internal/catalog"
)

// define runs DDL and USE.
func (c *conn) define(ctx context.Context, stmt dialect.Statement) error {
	client := c.c.client
	switch s := stmt.(type) {
	case *dialect.Use:
		return c.use(ctx, s.Database)
	case *dialect.CreateDatabase:
		custom, err := optionMap(s.Options)
		if err != nil {
			return err
		}
		json := catalog.EncodeDatabase(&catalog.Database{Comment: s.Comment, CustomProperties: custom})
		return translate(client.CreateDatabase(ctx, s.Name, json, s.IfNotExists), s.Name)
	case *dialect.DropDatabase:
		return translate(client.DropDatabase(ctx, s.Name, s.IfExists, s.Cascade), s.Name)
	case *dialect.CreateTable:
		if s.Like != nil {
			var err error
			if s, err = c.createLike(ctx, s); err != nil {
				return err
			}
		}
		d, err := descriptorOf(s, c.c.cfg.BucketNum)
		if err != nil {
			return err
		}
		path := tablePath(c.database, &s.Table)
		return translate(client.CreateTable(ctx, *path, d, s.IfNotExists), path.String())
	case *dialect.DropTable:
		path := tablePath(c.database, &s.Table)
		return translate(client.DropTable(ctx, *path, s.IfExists), path.String())
	case *dialect.AlterTable:
		return c.alter(ctx, s)
	case *dialect.ForeignKeyChecks:
		return nil
	}
	return &UnsupportedError{Feature: fmt.Sprintf("a %T", stmt)}
}

// use changes the default database until the connection goes back to the pool.
func (c *conn) use(ctx context.Context, database string) error {
	ok, err := c.c.client.DatabaseExists(ctx, database)
	if err != nil {
		return translate(err, database)
	}
	if !ok {
		return &Error{Op: "USE", Message: "database " + database + " does not exist", kind: ErrDatabaseNotExist}
	}
	c.database = database
	return nil
}

func optionMap(list []dialect.Option) (map[string]string, error) {
	m := map[string]string{}
	for _, o := range list {
		if _, twice := m[o.Key]; twice {
			return nil, fmt.Errorf("fluss: option %q is given twice", o.Key)
		}
		m[o.Key] = o.Value
	}
	return m, nil
}

// descriptorOf makes the descriptor of a CREATE TABLE. Options are sorted out as Flink does: table.* are table
// properties, bucket.num, bucket.key and auto-increment.fields are taken out, all others are custom properties.
func descriptorOf(s *dialect.CreateTable, bucketNum int) (*catalog.Descriptor, error) {
	options, err := optionMap(s.Options)
	if err != nil {
		return nil, err
	}
	d := &catalog.Descriptor{Schema: &catalog.Schema{}, Comment: s.Comment, BucketCount: bucketNum,
		Properties: map[string]string{}, CustomProperties: map[string]string{}}
	if err := schemaColumns(s, d.Schema, options); err != nil {
		return nil, err
	}
	for _, c := range s.PartitionedBy {
		if slices.Contains(d.PartitionKeys, c.Name) {
			return nil, fmt.Errorf("fluss: PARTITIONED BY names column %s twice", c.Name)
		}
		d.PartitionKeys = append(d.PartitionKeys, c.Name)
	}
	if err := bucketing(s, d, options); err != nil {
		return nil, err
	}
	if name, ok := options["auto-increment.fields"]; ok {
		d.Schema.AutoIncrement = strings.TrimSpace(name)
		if d.Schema.Index(d.Schema.AutoIncrement) < 0 {
			return nil, fmt.Errorf("fluss: auto-increment.fields: there is no column %q", name)
		}
		delete(options, "auto-increment.fields")
	}
	for k, v := range options {
		if strings.HasPrefix(k, "table.") {
			d.Properties[k] = v
		} else {
			d.CustomProperties[k] = v
		}
	}
	d.Schema.AssignIDs()
	return d, checkFormats(d)
}

// checkFormats refuses the one pair of formats that the server takes and then fails every write to: it hands its
// IndexWalBuilder rows that are not INDEXED any more (KvTablet, Java, v0.9.1-incubating).
func checkFormats(d *catalog.Descriptor) error {
	indexed := func(key string) bool { return strings.EqualFold(d.Properties[key], "indexed") }
	if len(d.Schema.PrimaryKey) == 0 || !indexed("table.kv.format") || !indexed("table.log.format") {
		return nil
	}
	return &UnsupportedError{Feature: "a key table with 'table.kv.format' = 'indexed' and 'table.log.format' = 'indexed'",
		Reason: "Fluss 0.9.1 makes such a table and fails every write to it", Hint: "leave out 'table.log.format', or make it 'arrow' or 'compacted'"}
}

func schemaColumns(s *dialect.CreateTable, schema *catalog.Schema, options map[string]string) error {
	key := s.PrimaryKey
	for i := range s.Columns {
		c := &s.Columns[i]
		t, err := typeOf(&c.Type)
		if err != nil {
			return fmt.Errorf("fluss: column %s: %w", c.Name, err)
		}
		if schema.Index(c.Name) >= 0 {
			return fmt.Errorf("fluss: column %s is defined twice", c.Name)
		}
		if c.PrimaryKey {
			if key != nil {
				return errors.New("fluss: the table has more than one PRIMARY KEY")
			}
			key = []dialect.ColumnName{{Name: c.Name}}
		}
		schema.Columns = append(schema.Columns, catalog.Column{Name: c.Name, Type: *t, Comment: c.Comment, Agg: aggregation(c.Name, options)})
	}
	for _, k := range key {
		i := schema.Index(k.Name)
		switch {
		case i < 0:
			return fmt.Errorf("fluss: PRIMARY KEY: there is no column %s", k.Name)
		case slices.Contains(schema.PrimaryKey, k.Name):
			return fmt.Errorf("fluss: PRIMARY KEY names column %s twice", k.Name)
		}
		schema.Columns[i].Type.NotNull = true
		schema.PrimaryKey = append(schema.PrimaryKey, k.Name)
	}
	return nil
}

// aggregation takes a column's fields.NAME.agg, and the parameters of its function, out of the options.
func aggregation(column string, options map[string]string) *catalog.AggFunction {
	prefix := "fields." + column + "."
	name, ok := options[prefix+"agg"]
	if !ok {
		return nil
	}
	delete(options, prefix+"agg")
	f := &catalog.AggFunction{Name: strings.ToLower(name)}
	for k, v := range options {
		if parameter, ok := strings.CutPrefix(k, prefix+f.Name+"."); ok {
			if f.Parameters == nil {
				f.Parameters = map[string]string{}
			}
			f.Parameters[parameter] = v
			delete(options, k)
		}
	}
	return f
}

// bucketing takes the bucket count and key from DISTRIBUTED BY or from the options.
func bucketing(s *dialect.CreateTable, d *catalog.Descriptor, options map[string]string) error {
	if text, ok := options["bucket.num"]; ok {
		n, err := strconv.Atoi(strings.TrimSpace(text))
		if err != nil || n < 1 {
			return fmt.Errorf("fluss: bucket.num must be a positive number, got %q", text)
		}
		if s.Buckets != 0 && s.Buckets != n {
			return fmt.Errorf("fluss: bucket.num is %d and DISTRIBUTED BY says %d", n, s.Buckets)
		}
		d.BucketCount = n
		delete(options, "bucket.num")
	}
	if s.Buckets != 0 {
		d.BucketCount = s.Buckets
	}
	for _, c := range s.DistributedBy {
		d.BucketKeys = append(d.BucketKeys, c.Name)
	}
	if text, ok := options["bucket.key"]; ok {
		if s.DistributedBy != nil {
			return errors.New("fluss: the bucket key is given twice, by bucket.key and by DISTRIBUTED BY")
		}
		for name := range strings.SplitSeq(text, ",") {
			d.BucketKeys = append(d.BucketKeys, strings.TrimSpace(name))
		}
		delete(options, "bucket.key")
	}
	for _, name := range d.BucketKeys {
		if d.Schema.Index(name) < 0 {
			return fmt.Errorf("fluss: bucket key: there is no column %q", name)
		}
	}
	if d.BucketKeys == nil {
		for _, k := range d.Schema.PrimaryKey {
			if !slices.Contains(d.PartitionKeys, k) {
				d.BucketKeys = append(d.BucketKeys, k)
			}
		}
	}
	return nil
}

// limits of the parameters of types.
const (
	maxDecimalPrecision = 38
	maxTimePrecision    = 9
)

var kinds = func() map[string]catalog.Kind {
	m := map[string]catalog.Kind{}
	for k := catalog.Boolean; k <= catalog.Row; k++ {
		m[k.Word()] = k
	}
	return m
}()

// typeOf fills in the defaults of a type as written and checks its parameters.
func typeOf(s *dialect.TypeSpec) (*catalog.Type, error) {
	kind, ok := kinds[s.Name]
	if !ok {
		return nil, fmt.Errorf("%s is not a type", s.Name)
	}
	t := &catalog.Type{Kind: kind, NotNull: s.NotNull}
	var err error
	switch kind {
	case catalog.Char, catalog.Binary:
		t.Length, err = parameter(s.P, 1, 1, 1<<31-1, "length")
	case catalog.Decimal:
		if t.Precision, err = parameter(s.P, 10, 1, maxDecimalPrecision, "precision"); err == nil {
			t.Scale, err = parameter(s.S, 0, 0, t.Precision, "scale")
		}
	case catalog.Time:
		t.Precision, err = parameter(s.P, 0, 0, maxTimePrecision, "precision")
	case catalog.Timestamp, catalog.TimestampLTZ:
		t.Precision, err = parameter(s.P, 6, 0, maxTimePrecision, "precision")
	case catalog.Array, catalog.Map:
		if t.Elem, err = typeOf(s.Elem); err == nil && kind == catalog.Map {
			if t.Key, err = typeOf(s.Key); err == nil {
				t.Key.NotNull = true
			}
		}
	case catalog.Row:
		err = rowFields(s, t)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Name, err)
	}
	return t, nil
}

func rowFields(s *dialect.TypeSpec, t *catalog.Type) error {
	for i := range s.Fields {
		f := &s.Fields[i]
		ft, err := typeOf(&f.Type)
		if err != nil {
			return fmt.Errorf("field %s: %w", f.Name, err)
		}
		t.Fields = append(t.Fields, catalog.Field{Name: f.Name, Type: *ft, Comment: f.Comment, ID: -1})
	}
	return nil
}

// parameter returns def for -1, which stands for a parameter that was left out.
func parameter(v, def, lo, hi int, what string) (int, error) {
	if v == -1 {
		v = def
	}
	if v < lo || v > hi {
		return 0, fmt.Errorf("%s must be %d to %d, got %d", what, lo, hi, v)
	}
	return v, nil
}
