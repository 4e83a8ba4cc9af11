package fluss

import (
	"context"
	"database/sql/driver"
	"slices"

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
	case dialect.ShowProcedures:
		return c.showProcedures(s)
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
	for _, v := range [][2]string{{"version", serverVersion}, {"version_comment", versionComment}} {
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
	if n.Suffix != "" {
		return out, describeVirtual(out, t, n.Suffix)
	}
	for i := range t.Schema.Columns {
		col := &t.Schema.Columns[i]
		out.rows = append(out.rows, []driver.Value{col.Name, col.Type.Name(), yesNo(!col.Type.NotNull), keyWord(t, i), nil, extraWords(t, i), col.Comment})
	}
	return out, nil
}

// describeVirtual lists the columns of $changelog or $binlog, none of which is a key.
func describeVirtual(out *staticRows, t *catalog.Table, suffix string) error {
	list, err := plan.VirtualColumns(t, suffix)
	for i := range list {
		out.rows = append(out.rows, []driver.Value{list[i].Name, list[i].Type.Name(), yesNo(!list[i].Type.NotNull), "", nil, "", list[i].Comment})
	}
	return translate(err, t.Path.String())
}

func yesNo(yes bool) string {
	if yes {
		return "YES"
	}
	return "NO"
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

const versionComment = "Apache Fluss through gofluss " + Version
