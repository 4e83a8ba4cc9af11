// Package infoschema answers SELECT on information_schema: rows are made from the catalog and the statement is evaluated
// over them in memory, with the names and values that MySQL 5.7 has, since that is what tools take the driver for. Names of
// tables and columns are read without case, names of databases, tables and columns of the cluster with case.
package infoschema

import (
	"context"
	"database/sql/driver"
	"fmt"
	"slices"
	"strings"

	"github.com/gofluss/fluss/dialect"
	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/plan"
)

// Source is the catalog. What is dropped between two calls is left out, it is no error.
type Source interface {
	Databases(ctx context.Context) ([]string, error)
	Tables(ctx context.Context, database string) ([]string, error)
	// Table returns nil when the table is gone.
	Table(ctx context.Context, path catalog.TablePath) (*catalog.Table, error)
	Partitions(ctx context.Context, t *catalog.Table) ([]Partition, error)
}

// Partition is one partition of a table.
type Partition struct {
	ID     int64
	Name   string
	Values []string
}

// Session is what DATABASE() and VERSION() give.
type Session struct {
	Database string
	Version  string
}

// Result is the answer to a SELECT. Values are nil, int64, float64 and string.
type Result struct {
	Columns []plan.Output
	Rows    [][]driver.Value
}

// TableError says that information_schema has no such table.
type TableError struct{ Name string }

func (e *TableError) Error() string {
	return fmt.Sprintf("information_schema has no table %s; it has %s", e.Name, strings.Join(tableNames(), ", "))
}

const schemaName = "information_schema"

// Is reports whether a table is one of information_schema, database being the default one.
func Is(n *dialect.TableName, database string) bool {
	if n.Database != "" {
		database = n.Database
	}
	return strings.EqualFold(database, schemaName)
}

// Select answers s, whose table Is one of information_schema.
func Select(ctx context.Context, src Source, session Session, s *dialect.Select, args []driver.NamedValue) (*Result, error) {
	if s.From.Suffix != "" {
		return nil, &TableError{s.From.Table + "$" + s.From.Suffix}
	}
	if len(s.Hints) > 0 {
		return nil, &dialect.UnsupportedError{Feature: "a hint on information_schema", Reason: "its rows are made in the driver", Hint: "leave it out"}
	}
	def := findTable(s.From.Table)
	if def == nil {
		return nil, &TableError{s.From.Table}
	}
	c := &compiler{table: def, alias: s.Alias, session: session, args: args}
	q, err := c.query(s)
	if err != nil {
		return nil, err
	}
	g := &gatherer{ctx: ctx, src: src, def: def, used: c.used, filters: q.where}
	if err := g.run(); err != nil {
		return nil, err
	}
	return q.result(g.rows), nil
}

// query is a compiled SELECT.
type query struct {
	columns       []plan.Output
	items         []expr
	counted       bool // the items are COUNTs
	where         []filter
	order         []orderKey
	limit, offset int64 // limit -1: none
}

type orderKey struct {
	expr
	desc bool
}

// result evaluates the select list over the rows that passed.
func (q *query) result(rows [][]any) *Result {
	out := &Result{Columns: q.columns}
	if q.counted {
		one := make([]driver.Value, len(q.items))
		for i := range q.items {
			n := int64(0)
			for _, r := range rows {
				if q.items[i].eval(r) != nil {
					n++
				}
			}
			one[i] = n
		}
		out.Rows = [][]driver.Value{one}
	} else {
		slices.SortStableFunc(rows, q.compare)
		for _, r := range rows {
			values := make([]driver.Value, len(q.items))
			for i := range q.items {
				values[i] = q.items[i].eval(r)
			}
			out.Rows = append(out.Rows, values)
		}
	}
	out.Rows = out.Rows[min(q.offset, int64(len(out.Rows))):]
	if q.limit >= 0 {
		out.Rows = out.Rows[:min(q.limit, int64(len(out.Rows)))]
	}
	return out
}

func (q *query) compare(a, b []any) int {
	for _, k := range q.order {
		order := compareNullsFirst(k.eval(a), k.eval(b))
		if k.desc {
			order = -order
		}
		if order != 0 {
			return order
		}
	}
	return 0
}
