package infoschema

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gofluss/fluss/dialect"
	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/plan"
)

// fakeCatalog counts what it is asked.
type fakeCatalog struct {
	tables map[catalog.TablePath]*catalog.Table
	asked  int
	fails  error
}

func (f *fakeCatalog) Databases(context.Context) ([]string, error) {
	var out []string
	for p := range f.tables {
		if !slices.Contains(out, p.Database) {
			out = append(out, p.Database)
		}
	}
	return out, f.fails
}

func (f *fakeCatalog) Tables(_ context.Context, database string) ([]string, error) {
	var out []string
	for p := range f.tables {
		if p.Database == database {
			out = append(out, p.Table)
		}
	}
	return out, nil
}

func (f *fakeCatalog) Table(_ context.Context, path catalog.TablePath) (*catalog.Table, error) {
	f.asked++
	return f.tables[path], nil
}

func (f *fakeCatalog) Partitions(context.Context, *catalog.Table) ([]Partition, error) {
	return []Partition{{7, "2026$eu", []string{"2026", "eu"}}, {9, "2027$us", []string{"2027", "us"}}}, nil
}

func col(name string, t catalog.Type) catalog.Column { return catalog.Column{Name: name, Type: t} }

func newFake(t *testing.T) *fakeCatalog {
	t.Helper()
	f := &fakeCatalog{tables: map[catalog.TablePath]*catalog.Table{}}
	add := func(db, name string, d catalog.Descriptor) {
		path := catalog.TablePath{Database: db, Table: name}
		d.BucketCount = 1
		made, err := catalog.NewTable(path, int64(len(f.tables)), d)
		if err != nil {
			t.Fatal(err)
		}
		f.tables[path] = made
	}
	id := col("id", catalog.Type{Kind: catalog.Int, NotNull: true})
	name := col("name", catalog.Type{Kind: catalog.String})
	name.Comment = "who"
	add("shop", "people", catalog.Descriptor{Comment: "c", Schema: &catalog.Schema{PrimaryKey: []string{"id"}, AutoIncrement: "uid", Columns: []catalog.Column{
		id, name, col("uid", catalog.Type{Kind: catalog.BigInt}), col("balance", catalog.Type{Kind: catalog.Decimal, Precision: 15, Scale: 2}),
		col("code", catalog.Type{Kind: catalog.Char, Length: 5}), col("ok", catalog.Type{Kind: catalog.Boolean}), col("at", catalog.Type{Kind: catalog.Timestamp, Precision: 3}),
		col("tags", catalog.Type{Kind: catalog.Array, Elem: &catalog.Type{Kind: catalog.Int}})}}})
	add("shop", "events", catalog.Descriptor{PartitionKeys: []string{"dt", "region"}, Schema: &catalog.Schema{Columns: []catalog.Column{
		id, col("dt", catalog.Type{Kind: catalog.String}), col("region", catalog.Type{Kind: catalog.String})}}})
	add("fluss", "other", catalog.Descriptor{Schema: &catalog.Schema{Columns: []catalog.Column{id}}})
	return f
}

func run(t *testing.T, f *fakeCatalog, query string, args ...any) (names []string, rows []string, err error) {
	t.Helper()
	stmt, err := dialect.Parse(query, dialect.Options{})
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	s := stmt.(*dialect.Select)
	if !Is(s.From, "shop") {
		t.Fatalf("%s: not of information_schema", query)
	}
	named := make([]driver.NamedValue, len(args))
	for i := range args {
		named[i] = driver.NamedValue{Ordinal: i + 1, Value: args[i]}
	}
	result, err := Select(context.Background(), f, Session{Database: "shop", Version: "5.7"}, s, named)
	if err != nil {
		return nil, nil, err
	}
	for _, c := range result.Columns {
		names = append(names, c.Name)
	}
	for _, r := range result.Rows {
		if len(r) != len(result.Columns) {
			t.Errorf("%s: %d values, %d columns", query, len(r), len(result.Columns))
		}
		line := make([]string, len(r))
		for i, v := range r {
			if line[i] = fmt.Sprint(v); v == nil {
				line[i] = "NULL"
			}
			checkKind(t, query, &result.Columns[i], v)
		}
		rows = append(rows, strings.Join(line, "|"))
	}
	return names, rows, nil
}

// checkKind checks that a value is what its column says.
func checkKind(t *testing.T, query string, c *plan.Output, v any) {
	t.Helper()
	ok := v == nil && !c.Type.NotNull
	switch v.(type) {
	case int64:
		ok = c.Type.Kind == catalog.BigInt
	case string:
		ok = c.Type.Kind == catalog.String
	case float64:
		ok = c.Type.Kind == catalog.Double
	}
	if !ok {
		t.Errorf("%s: %T in column %s of type %s", query, v, c.Name, c.Type)
	}
}

// The statements that gorm, bun, goose, usql and Grafana send.
func TestToolQueries(t *testing.T) {
	for _, c := range []struct {
		tool, query string
		args        []any
		names       string
		want        []string
	}{
		{"gorm", "SELECT SCHEMA_NAME from Information_schema.SCHEMATA where SCHEMA_NAME LIKE ? ORDER BY SCHEMA_NAME=? DESC,SCHEMA_NAME limit 1", []any{"%", "shop"}, "SCHEMA_NAME", []string{"shop"}},
		{"gorm", "SELECT count(*) FROM information_schema.tables WHERE table_schema = ? AND table_name = ? AND table_type = ?", []any{"shop", "people", "BASE TABLE"}, "count(*)", []string{"1"}},
		{"gorm", "SELECT count(*) FROM information_schema.tables WHERE table_schema = ? AND table_name = ? AND table_type = ?", []any{"shop", "nope", "BASE TABLE"}, "count(*)", []string{"0"}},
		{"gorm", "SELECT column_name, column_default, is_nullable = 'YES', data_type, character_maximum_length, column_type, column_key, extra, column_comment, numeric_precision, numeric_scale , datetime_precision FROM information_schema.columns WHERE table_schema = ? AND table_name = ? ORDER BY ORDINAL_POSITION",
			[]any{"shop", "people"}, "column_name column_default is_nullable = 'YES' data_type character_maximum_length column_type column_key extra column_comment numeric_precision numeric_scale datetime_precision", []string{
				"id|NULL|0|int|NULL|int|PRI|||10|0|NULL", "name|NULL|1|longtext|NULL|longtext|||who|NULL|NULL|NULL", "uid|NULL|1|bigint|NULL|bigint||auto_increment||19|0|NULL",
				"balance|NULL|1|decimal|NULL|decimal(15,2)||||15|2|NULL", "code|NULL|1|char|5|char(5)||||NULL|NULL|NULL", "ok|NULL|1|tinyint|NULL|tinyint(1)||||3|0|NULL",
				"at|NULL|1|datetime|NULL|datetime(3)||||NULL|NULL|3", "tags|NULL|1|json|NULL|json||||NULL|NULL|NULL"}},
		{"gorm", "SELECT TABLE_NAME FROM information_schema.tables where TABLE_SCHEMA=?", []any{"shop"}, "TABLE_NAME", []string{"events", "people"}},
		{"gorm", "SELECT count(*) FROM INFORMATION_SCHEMA.columns WHERE table_schema = ? AND table_name = ? AND column_name = ?", []any{"shop", "people", "uid"}, "count(*)", []string{"1"}},
		{"gorm", "SELECT TABLE_NAME, COLUMN_NAME, INDEX_NAME, NON_UNIQUE FROM information_schema.STATISTICS WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ? ORDER BY INDEX_NAME, SEQ_IN_INDEX", []any{"shop", "people"}, "", []string{"people|id|PRIMARY|0"}},
		{"gorm", "SELECT count(*) FROM INFORMATION_SCHEMA.table_constraints WHERE constraint_schema = ? AND table_name = ? AND constraint_name = ?", []any{"shop", "people", "fk"}, "", []string{"0"}},
		{"gorm", "SELECT table_schema, table_name, table_type, table_comment FROM information_schema.tables WHERE table_schema = ? AND table_name = ?", []any{"shop", "people"}, "", []string{"shop|people|BASE TABLE|c"}},
		{"goose", "SELECT 1 FROM information_schema.tables WHERE (database() IS NULL OR table_schema = database()) AND table_name = 'people'", nil, "1", []string{"1"}},
		{"usql", "SELECT table_catalog, table_schema, table_name, column_name, ordinal_position, column_type, COALESCE(column_default, ''), COALESCE(is_nullable, '') AS is_nullable, COALESCE(character_maximum_length, numeric_precision, datetime_precision, 0), COALESCE(numeric_scale, 0), 10, COALESCE(character_octet_length, 0) FROM information_schema.columns WHERE table_schema LIKE ? AND table_name LIKE ? ORDER BY table_catalog, table_schema, table_name, ordinal_position",
			[]any{"fl%", "%"}, "", []string{"def|fluss|other|id|1|int||NO|10|0|10|0"}},
		{"usql", "SELECT table_catalog, table_schema, table_name, table_type FROM information_schema.tables WHERE table_schema NOT IN (?) AND table_type IN (?, ?) ORDER BY table_catalog, table_schema, table_type, table_name",
			[]any{"fluss", "BASE TABLE", "VIEW"}, "", []string{"def|shop|events|BASE TABLE", "def|shop|people|BASE TABLE"}},
		{"usql", "SELECT schema_name, catalog_name FROM information_schema.schemata WHERE schema_name LIKE ? ORDER BY catalog_name, schema_name", []any{"%"}, "", []string{"fluss|def", "shop|def"}},
		{"grafana", "SELECT table_name FROM information_schema.tables WHERE table_schema = database() ORDER BY table_name", nil, "", []string{"events", "people"}},
		{"sqlx", "SELECT t.table_name AS name FROM information_schema.tables AS t WHERE t.table_schema IN (?) ORDER BY name DESC LIMIT 1 OFFSET 1", []any{[]string{"shop", "fluss"}}, "name", []string{"other"}},
	} {
		names, rows, err := run(t, newFake(t), c.query, c.args...)
		if err != nil || !slices.Equal(rows, c.want) || c.names != "" && strings.Join(names, " ") != c.names {
			t.Errorf("%s: %s\ngot  %s %q, %v\nwant %s %q", c.tool, c.query, names, rows, err, c.names, c.want)
		}
	}
}

func TestTables(t *testing.T) {
	for _, c := range []struct {
		query string
		want  []string
	}{
		{"SELECT * FROM information_schema.schemata WHERE schema_name = 'shop'", []string{"def|shop|utf8mb4|utf8mb4_bin|NULL"}},
		{"SELECT constraint_name, column_name, ordinal_position, referenced_table_name FROM information_schema.key_column_usage", []string{"PRIMARY|id|1|NULL"}},
		{"SELECT partition_name, partition_ordinal_position, partition_method, partition_expression, partition_description, partition_id FROM information_schema.partitions WHERE table_name IN ('events', 'people')",
			[]string{"2026$eu|1|LIST COLUMNS|`dt`,`region`|'2026','eu'|7", "2027$us|2|LIST COLUMNS|`dt`,`region`|'2027','us'|9", "NULL|NULL|NULL|NULL|NULL|NULL"}},
		{"SELECT COUNT(*), COUNT(partition_name) FROM information_schema.partitions", []string{"4|2"}},
		{"SELECT table_name, create_options FROM information_schema.tables WHERE table_schema = 'shop' AND NOT create_options = ''", []string{"events|partitioned"}},
		{"SELECT column_name, fluss_type FROM information_schema.columns WHERE table_name = 'people' AND ordinal_position BETWEEN 7 AND 9", []string{"at|TIMESTAMP(3)", "tags|ARRAY<INT>"}},
		{"SELECT column_name FROM information_schema.columns WHERE table_name = 'people' AND ordinal_position NOT BETWEEN 2 AND 7 ORDER BY 1 DESC", []string{"tags", "id"}},
		{"SELECT column_name FROM information_schema.columns WHERE numeric_scale > '1'", []string{"balance"}},
		{"SELECT column_name FROM information_schema.columns WHERE numeric_precision IS NULL AND column_name NOT LIKE '%e%' AND table_schema = 'shop'", []string{"dt", "at", "tags"}},
		{"SELECT column_name FROM information_schema.columns WHERE numeric_scale IN (NULL, 2) OR column_key = 'PRI' AND table_name <> 'x'", []string{"id", "balance"}},
		{"SELECT column_name FROM information_schema.columns WHERE numeric_scale NOT IN (NULL, 2)", nil},
		{"SELECT UPPER(column_name), CONCAT(table_schema, '.', table_name), IFNULL(numeric_scale, -1), VERSION() FROM information_schema.columns WHERE column_name = 'uid'", []string{"UID|shop.people|0|5.7"}},
		{"SELECT table_name FROM information_schema.tables WHERE table_schema = 'shop' LIMIT 0", nil},
		{"SELECT table_name FROM information_schema.tables WHERE table_schema = 'shop' LIMIT 5 OFFSET 1", []string{"people"}},
		{"SELECT table_name FROM information_schema.tables WHERE NULL", nil},
		{"SELECT tables.table_name FROM information_schema.tables WHERE tables.table_schema = 'fluss'", []string{"other"}},
	} {
		_, rows, err := run(t, newFake(t), c.query)
		if err != nil || !slices.Equal(rows, c.want) {
			t.Errorf("%s\ngot  %q, %v\nwant %q", c.query, rows, err, c.want)
		}
	}
	for _, d := range tableDefs {
		names, rows, err := run(t, newFake(t), "SELECT * FROM information_schema."+d.name)
		if err != nil || len(rows) == 0 || len(names) != len(d.columns) {
			t.Errorf("%s: %d columns, %d rows, %v", d.name, len(names), len(rows), err)
		}
	}
}

// Tables that cannot have the rows asked for are not looked at.
func TestOnlyWhatIsNeeded(t *testing.T) {
	for _, c := range []struct {
		query string
		asked int
	}{
		{"SELECT table_name FROM information_schema.tables WHERE table_type = 'BASE TABLE'", 0},
		{"SELECT table_comment FROM information_schema.tables", 3},
		{"SELECT table_comment FROM information_schema.tables WHERE table_schema = 'shop'", 2},
		{"SELECT column_name FROM information_schema.columns WHERE 'people' = table_name AND column_name LIKE 'n%'", 1},
		{"SELECT column_name FROM information_schema.columns WHERE (table_schema = 'fluss' OR table_name = 'people')", 2},
		{"SELECT column_name FROM information_schema.columns WHERE FALSE", 0},
	} {
		f := newFake(t)
		if _, _, err := run(t, f, c.query); err != nil || f.asked != c.asked {
			t.Errorf("%s: %d tables read, %v, want %d", c.query, f.asked, err, c.asked)
		}
	}
}

func TestRefusals(t *testing.T) {
	for _, c := range []struct{ query, words string }{
		{"SELECT * FROM information_schema.triggers", "information_schema has no table triggers"},
		{"SELECT nope FROM information_schema.tables", "there is no such column"},
		{"SELECT x.table_name FROM information_schema.tables", "there is no table or alias x"},
		{"SELECT table_name, COUNT(*) FROM information_schema.tables", "no GROUP BY"},
		{"SELECT COUNT(*), table_name FROM information_schema.tables", "no GROUP BY"},
		{"SELECT MAX(table_name) FROM information_schema.tables", "MAX"},
		{"SELECT table_name FROM information_schema.tables ORDER BY 2", "1 columns"},
		{"SELECT table_name FROM information_schema.tables LIMIT ?", "LIMIT must be a number"},
		{"SELECT 1 + 1 FROM information_schema.tables", "operator +"},
		{"SELECT table_name FROM information_schema.tables WHERE (table_name, table_schema) IN ((?, 'b'))", "Tuple"},
		{"SELECT /*+ EXACT */ table_name FROM information_schema.tables", "hint"},
	} {
		if _, _, err := run(t, newFake(t), c.query, "x"); err == nil || !strings.Contains(err.Error(), c.words) {
			t.Errorf("%s\ngot  %v\nwant %s", c.query, err, c.words)
		}
	}
	f := newFake(t)
	f.fails = errors.New("away")
	if _, _, err := run(t, f, "SELECT * FROM information_schema.tables"); !errors.Is(err, f.fails) {
		t.Errorf("got %v", err)
	}
}
