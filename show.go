package fluss

import (
	"context"
	"database/sql/driver"
	"fmt"
	"slices"
	"strconv"

	"github.com/gofluss/fluss/dialect"
	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/plan"
)

// show answers SHOW.
func (c *conn) show(ctx context.Context, s *dialect.Show) (driver.Rows, error) {
	switch s.Kind {
	case dialect.ShowDatabases:
		names, err := c.c.client.ListDatabases(ctx)
		return c.names("Database", names, s.Like), translate(err, "")
	case dialect.ShowTables:
		return c.showTables(ctx, s)
	case dialect.ShowColumns:
		return c.showColumns(ctx, s)
	case dialect.ShowVariables:
		return c.showVariables(s), nil
	case dialect.ShowCreateTable:
		return c.showCreateTable(ctx, s)
	case dialect.ShowPartitions:
		return c.showPartitions(ctx, s)
	case dialect.ShowBuckets:
		return c.showBuckets(ctx, s)
	case dialect.ShowCluster:
		return c.showCluster(ctx)
	}
	return nil, &UnsupportedError{Feature: "this SHOW"}
}

// names makes rows of one column, sorted, for the names that match the pattern.
func (c *conn) names(column string, list []string, like *string) *staticRows {
	slices.Sort(list)
	out := &staticRows{columns: textColumns(column)}
	for _, n := range list {
		if like == nil || plan.LikeMatch(n, *like) {
			out.rows = append(out.rows, []driver.Value{n})
		}
	}
	return out
}

func (c *conn) showTables(ctx context.Context, s *dialect.Show) (driver.Rows, error) {
	database := s.Database
	if database == "" {
		database = c.database
	}
	list, err := c.c.client.ListTables(ctx, database)
	if err != nil {
		return nil, translate(err, database)
	}
	out := c.names("Tables_in_"+database, list, s.Like)
	if s.Full {
		out.columns = append(out.columns, textColumns("Table_type")...)
		for i := range out.rows {
			out.rows[i] = append(out.rows[i], "BASE TABLE")
		}
	}
	return out, nil
}

func (c *conn) showVariables(s *dialect.Show) driver.Rows {
	out := &staticRows{columns: textColumns("Variable_name", "Value")}
	for _, v := range [][2]string{{"version", serverVersion}, {"version_comment", "Apache Fluss through gofluss " + Version}} {
		if s.Like == nil || plan.LikeMatch(v[0], *s.Like) {
			out.rows = append(out.rows, []driver.Value{v[0], v[1]})
		}
	}
	return out
}

// describe answers DESCRIBE and SHOW COLUMNS with the columns that MySQL gives, and the comment.
func (c *conn) describe(ctx context.Context, n *dialect.TableName) (driver.Rows, error) {
	path := tablePath(c.database, n)
	t, err := c.c.client.Table(ctx, *path)
	if err != nil {
		return nil, translate(err, path.String())
	}
	out := &staticRows{columns: textColumns("Field", "Type", "Null", "Key", "Default", "Extra", "Comment")}
	out.columns[4].Type = &nullableText
	for i := range t.Schema.Columns {
		col := &t.Schema.Columns[i]
		null := "YES"
		if col.Type.NotNull {
			null = "NO"
		}
		out.rows = append(out.rows, []driver.Value{col.Name, col.Type.Name(), null, keyWord(t, i), nil, extraWords(t, i), col.Comment})
	}
	return out, nil
}

func keyWord(t *catalog.Table, i int) string {
	if slices.Contains(t.PrimaryKey, i) {
		return "PRI"
	}
	return ""
}

// extraWords says what else a column is: where rows go by it, and who fills it.
func extraWords(t *catalog.Table, i int) string {
	text := ""
	add := func(on bool, word string) {
		if on && text != "" {
			text += ", "
		}
		if on {
			text += word
		}
	}
	add(i == t.AutoIncrement, "auto_increment")
	add(slices.Contains(t.PartitionCols, i), "partition key")
	add(slices.Contains(t.BucketCols, i), "bucket key")
	return text
}

// explain answers EXPLAIN with one line of text a row.
func (c *conn) explain(ctx context.Context, p *prepared, e *dialect.Explain) (driver.Rows, error) {
	out := &staticRows{columns: textColumns("plan")}
	if p.table == nil {
		out.rows = [][]driver.Value{{"constant, answered by the driver"}}
		return out, nil
	}
	pl, err := c.compile(ctx, p)
	if err != nil {
		return nil, err
	}
	for _, line := range plan.Explain(pl.plan) {
		out.rows = append(out.rows, []driver.Value{line})
	}
	return out, nil
}

// serverVersion is what VERSION() gives. Tools take the driver for MySQL; below 8.0 they leave out what Fluss does not
// have. ApiVersions tells no release, so it is that of the protocol spoken.
const serverVersion = "5.7.99-Fluss-0.9.1"

// selectConstants answers a SELECT without FROM.
func (c *conn) selectConstants(s *dialect.Select, args []driver.NamedValue) (driver.Rows, error) {
	if s.Where != nil || s.OrderBy != nil || len(s.Hints) > 0 {
		return nil, &UnsupportedError{Feature: "a condition without FROM", Hint: "name a table"}
	}
	out := &staticRows{}
	var values []driver.Value
	for i := range s.Items {
		item := &s.Items[i]
		v, t, err := c.constant(item.Expr, args)
		if err != nil {
			return nil, err
		}
		name := item.Alias
		if name == "" {
			name = item.Text
		}
		out.columns = append(out.columns, plan.Output{Name: name, Column: i, Type: t})
		values = append(values, v)
	}
	limit, err := c.constantCount(s.Limit, "LIMIT", 1, args)
	if err != nil {
		return nil, err
	}
	offset, err := c.constantCount(s.Offset, "OFFSET", 0, args)
	if err != nil {
		return nil, err
	}
	if limit > 0 && offset == 0 {
		out.rows = [][]driver.Value{values}
	}
	return out, nil
}

// constantCount is a LIMIT or OFFSET, def when it is left out.
func (c *conn) constantCount(op *dialect.Operand, what string, def int64, args []driver.NamedValue) (int64, error) {
	if op == nil {
		return def, nil
	}
	v, _, err := c.constantOperand(op, args)
	n, ok := v.(int64)
	if err == nil && (!ok || n < 0) {
		err = &Error{Message: fmt.Sprintf("%s must be a number that is not negative, got %v", what, v)}
	}
	return n, err
}

func (c *conn) constant(e dialect.Expr, args []driver.NamedValue) (driver.Value, *catalog.Type, error) {
	switch e := e.(type) {
	case *dialect.Operand:
		return c.constantOperand(e, args)
	case *dialect.Func:
		if len(e.Args) == 0 {
			switch e.Name {
			case "VERSION", "@@VERSION":
				return serverVersion, &textType, nil
			case "DATABASE", "SCHEMA", "CURRENT_DATABASE":
				return c.database, &textType, nil
			case "LAST_INSERT_ID":
				return int64(0), &bigintType, nil
			}
		}
		return nil, nil, &UnsupportedError{Feature: e.Name, Reason: "without FROM, VERSION(), DATABASE(), LAST_INSERT_ID(), literals and parameters are answered"}
	}
	return nil, nil, &UnsupportedError{Feature: "this expression without FROM", Hint: "compute in Go"}
}

func (c *conn) constantOperand(op *dialect.Operand, args []driver.NamedValue) (driver.Value, *catalog.Type, error) {
	switch op.Kind {
	case dialect.Param:
		v, err := driver.DefaultParameterConverter.ConvertValue(args[op.Index].Value)
		if err != nil {
			return nil, nil, fmt.Errorf("fluss: parameter %d: %w", op.Index+1, err)
		}
		return v, typeOfValue(v), nil
	case dialect.Null:
		return nil, &nullableText, nil
	case dialect.Bool:
		return op.Text == "true", &boolType, nil
	case dialect.Number:
		if n, err := strconv.ParseInt(op.Text, 10, 64); err == nil {
			return n, &bigintType, nil
		}
		return op.Text, &textType, nil // exact, as DECIMAL is
	case dialect.String, dialect.DateLit, dialect.TimeLit, dialect.TimestampLit:
		return op.Text, &textType, nil
	case dialect.HexBytes:
		return []byte(op.Text), &bytesType, nil
	}
	return nil, nil, &UnsupportedError{Feature: "this literal without FROM"}
}

var (
	boolType   = catalog.Type{Kind: catalog.Boolean, NotNull: true}
	bytesType  = catalog.Type{Kind: catalog.Bytes, NotNull: true}
	doubleType = catalog.Type{Kind: catalog.Double, NotNull: true}
	stampType  = catalog.Type{Kind: catalog.Timestamp, Precision: 9, NotNull: true}
)

func typeOfValue(v driver.Value) *catalog.Type {
	switch v.(type) {
	case int64:
		return &bigintType
	case float64:
		return &doubleType
	case bool:
		return &boolType
	case []byte:
		return &bytesType
	case nil:
		return &nullableText
	case string:
		return &textType
	}
	return &stampType
}
