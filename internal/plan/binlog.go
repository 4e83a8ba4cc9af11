package plan

import (
	"github.com/gofluss/fluss/dialect"
	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/row"
)

// The images of a $binlog row, counted from the end of the pseudo columns: before and after as ROWs, then each column of
// the table as it was before, then each as it is after.
const (
	imageBefore = iota
	imageAfter
	imageFields
)

// imageColumns are the columns of $binlog that hold the table's: before, after, and what is in them.
func imageColumns(t *catalog.Table) []catalog.Column {
	whole := catalog.Type{Kind: catalog.Row}
	var fields []catalog.Column
	for _, c := range t.Schema.Columns {
		whole.Fields = append(whole.Fields, catalog.Field{Name: c.Name, Type: c.Type, Comment: c.Comment, ID: c.ID})
		fields = append(fields, catalog.Column{Name: c.Name, Type: *nullable(&c.Type)})
	}
	list := []catalog.Column{imageBefore: {Name: "before", Type: whole}, imageAfter: {Name: "after", Type: whole}}
	return append(append(list, fields...), fields...)
}

// resolveImage is resolve for $binlog, where a column of the table is named before.c or after.c.
func (s *scope) resolveImage(qualifier, name string) (int, error) {
	own := s.table.Schema.Index(name)
	first := s.width() + PseudoColumns
	switch {
	case qualifier == "before" && own >= 0:
		return first + imageFields + own, nil
	case qualifier == "after" && own >= 0:
		return first + imageFields + s.width() + own, nil
	case qualifier == "before", qualifier == "after":
		return 0, s.unknown(name)
	case qualifier != "" && qualifier != s.alias && qualifier != s.table.Path.Table:
		return 0, s.unknownQualifier(qualifier, name)
	case name == "before":
		return first + imageBefore, nil
	case name == "after":
		return first + imageAfter, nil
	}
	if i := s.pseudo(name); i >= 0 {
		return i, nil
	}
	if own >= 0 {
		return 0, &ColumnError{s.table.Path.String() + "$binlog", name, "the table's columns are in the rows before and after: write before." + name + " or after." + name}
	}
	return 0, s.unknown(name)
}

// binlog plans a read of $binlog.
func (c *selectCompiler) binlog() error {
	t := c.scope.table
	name := t.Path.String() + "$binlog"
	switch {
	case !t.IsKeyTable():
		return &dialect.UnsupportedError{Feature: name, Reason: "$binlog is of tables with a primary key; a log table has no updates", Hint: "select from " + t.Path.String()}
	case t.ChangelogImage != "full":
		return &dialect.UnsupportedError{Feature: name, Reason: "table.changelog.image is " + t.ChangelogImage + ": the change log does not have the rows from before an update", Hint: "select from " + t.Path.String() + "$changelog"}
	}
	c.out.Changelog, c.out.Binlog = true, true
	c.scope.images = imageColumns(t)
	c.out.images = c.scope.images
	return nil
}

// ownOf lists the table's columns that a position of the virtual row is made of.
func (s *scope) ownOf(i int) []int {
	w := s.width()
	switch image := i - w - PseudoColumns; {
	case i < 0:
		return nil
	case i < w:
		return []int{i}
	case image < 0:
		return nil
	case image < imageFields:
		all := make([]int, w)
		for k := range all {
			all[k] = k
		}
		return all
	default:
		return []int{(image - imageFields) % w}
	}
}

// Images are the parts of a virtual row of $binlog that hold a row from before and after a change.
type Images struct {
	whole  []row.Datum // before, after
	fields [2][]row.Datum
}

// The two images of a row.
const (
	Before = iota
	After
)

// Images returns the parts of v.
func (s *Select) Images(v []row.Datum) Images {
	w := len(s.Table.Schema.Columns)
	v = v[w+PseudoColumns:]
	return Images{whole: v[:imageFields], fields: [2][]row.Datum{v[imageFields : imageFields+w], v[imageFields+w:]}}
}

// Clear makes an image NULL, and all of its columns.
func (m *Images) Clear(which int) {
	m.whole[which] = row.Datum{Null: true}
	for i := range m.fields[which] {
		m.fields[which][i] = row.Datum{Null: true}
	}
}

// Fill makes an image a row, and returns its columns to be set.
func (m *Images) Fill(which int) []row.Datum {
	m.whole[which] = row.Datum{L: m.fields[which]}
	return m.fields[which]
}

// VirtualColumns are the columns of t$suffix in the order of *.
func VirtualColumns(t *catalog.Table, suffix string) ([]catalog.Column, error) {
	c := selectCompiler{stmt: &dialect.Select{From: &dialect.TableName{Table: t.Path.Table, Suffix: suffix}}, scope: scope{table: t}}
	if err := c.suffix(); err != nil {
		return nil, err
	}
	c.out.Table = t
	if err := c.star(&dialect.Star{}); err != nil {
		return nil, err
	}
	var list []catalog.Column
	for _, o := range c.out.Out {
		col := *c.scope.column(o.Column)
		list = append(list, col)
	}
	return list, nil
}
