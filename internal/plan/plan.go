// Package plan turns a parsed statement and a table into what has to be done: which key bytes to look up, which
// buckets and offsets to scan, which columns to write. It does no I/O and holds no connection; the plan of a
// statement is immutable, may be cached and may be run by many goroutines at once.
package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gofluss/fluss/dialect"
	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/row"
)

// Plan is *Select, *Insert, *Update or *Delete. Statements without a table (DDL, SHOW, USE) need no plan.
type Plan interface{ plan() }

func (*Select) plan() {}
func (*Insert) plan() {}
func (*Update) plan() {}
func (*Delete) plan() {}

// Options are the settings of a connection that change what a statement means.
type Options struct {
	Bind row.BindOptions
}

// Compile plans stmt against table, which is the table that stmt names.
func Compile(stmt dialect.Statement, table *catalog.Table, o Options) (Plan, error) {
	switch s := stmt.(type) {
	case *dialect.Select:
		return compileSelect(s, table, o)
	case *dialect.Insert:
		return compileInsert(s, table, o)
	case *dialect.Update:
		return compileUpdate(s, table, o)
	case *dialect.Delete:
		return compileDelete(s, table, o)
	}
	return nil, fmt.Errorf("plan: a %T has no table", stmt)
}

// ValueError says that a value cannot be what its column wants. Row counts from 1 and is 0 where there is only one.
type ValueError struct {
	Table  string
	Column string
	Row    int
	Err    error
}

func (e *ValueError) Error() string {
	at := ""
	if e.Row > 0 {
		at = fmt.Sprintf(" in row %d", e.Row)
	}
	return fmt.Sprintf("column %s of %s%s: %v", e.Column, e.Table, at, e.Err)
}

func (e *ValueError) Unwrap() error { return e.Err }

// ColumnError says that a statement names a column that is not there, or names one twice.
type ColumnError struct {
	Table  string
	Column string
	Reason string
}

func (e *ColumnError) Error() string {
	return fmt.Sprintf("column %s of %s: %s", e.Column, e.Table, e.Reason)
}

// Positions of the pseudo columns in a scope's row, counted from the number of real columns.
const (
	pseudoBucket = iota
	pseudoLogOffset
	pseudoCommitTimestamp
	pseudoChangeType
	pseudoPartition
	pseudoFound
	// PseudoColumns is the number of pseudo columns behind the real ones in a virtual row.
	PseudoColumns
)

var pseudoColumns = [PseudoColumns]catalog.Column{
	pseudoBucket:          {Name: "_bucket", Type: catalog.Type{Kind: catalog.Int, NotNull: true}},
	pseudoLogOffset:       {Name: "_log_offset", Type: catalog.Type{Kind: catalog.BigInt, NotNull: true}},
	pseudoCommitTimestamp: {Name: "_commit_timestamp", Type: catalog.Type{Kind: catalog.TimestampLTZ, Precision: 3, NotNull: true}},
	pseudoChangeType:      {Name: "_change_type", Type: catalog.Type{Kind: catalog.String, NotNull: true}},
	pseudoPartition:       {Name: "_partition", Type: catalog.Type{Kind: catalog.String}},
	pseudoFound:           {Name: "_found", Type: catalog.Type{Kind: catalog.Boolean, NotNull: true}},
}

// scope resolves column names of one table. A virtual row has the table's columns first, in schema order, and the
// pseudo columns behind them. In $binlog the images of a row come last, and the table's own columns have no name.
type scope struct {
	table  *catalog.Table
	alias  string
	images []catalog.Column
}

func (s *scope) width() int { return len(s.table.Schema.Columns) }

// resolve returns the position of a column in the virtual row. A real column wins over a pseudo column.
func (s *scope) resolve(qualifier, name string) (int, error) {
	if s.images != nil {
		return s.resolveImage(qualifier, name)
	}
	if qualifier != "" && qualifier != s.alias && qualifier != s.table.Path.Table {
		return 0, s.unknownQualifier(qualifier, name)
	}
	if i := s.table.Schema.Index(name); i >= 0 {
		return i, nil
	}
	if i := s.pseudo(name); i >= 0 {
		return i, nil
	}
	return 0, s.unknown(name)
}

// pseudo returns the position of a pseudo column, or -1.
func (s *scope) pseudo(name string) int {
	for i := range pseudoColumns {
		if pseudoColumns[i].Name == name {
			return s.width() + i
		}
	}
	return -1
}

// real resolves a column that must be one of the table's own.
func (s *scope) real(name string) (int, error) {
	if i := s.table.Schema.Index(name); i >= 0 {
		return i, nil
	}
	return 0, s.unknown(name)
}

func (s *scope) unknownQualifier(qualifier, name string) error {
	return &ColumnError{s.table.Path.String(), qualifier + "." + name, "there is no table or alias " + qualifier + " in this statement"}
}

func (s *scope) unknown(name string) error {
	reason := "there is no such column"
	for i := range s.table.Schema.Columns {
		if c := s.table.Schema.Columns[i].Name; strings.EqualFold(c, name) {
			reason += "; names are case-sensitive, did you mean " + c + "?"
		}
	}
	return &ColumnError{s.table.Path.String(), name, reason}
}

// column returns name and type of a position in the virtual row.
func (s *scope) column(i int) *catalog.Column {
	if i < s.width() {
		return &s.table.Schema.Columns[i]
	}
	if i -= s.width(); i < PseudoColumns {
		return &pseudoColumns[i]
	}
	return &s.images[i-PseudoColumns]
}

func (s *scope) columnNames(at []int) string {
	names := make([]string, len(at))
	for i, p := range at {
		names[i] = s.column(p).Name
	}
	return strings.Join(names, ", ")
}

// sortedUnique returns the distinct values of at in ascending order.
func sortedUnique(at []int) []int {
	at = slices.Clone(at)
	slices.Sort(at)
	return slices.Compact(at)
}

// ColumnNames lists the names of columns, given by position, for messages.
func ColumnNames(t *catalog.Table, at []int) string { return (&scope{table: t}).columnNames(at) }
