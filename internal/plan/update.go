package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gofluss/fluss/dialect"
	"github.com/gofluss/fluss/internal/catalog"
)

// Update is a planned UPDATE by full primary key.
type Update struct {
	Table    *catalog.Table
	Keys     *Keys
	Filter   *Filter // further conditions, which the row must meet at the look; nil: none
	Columns  []int   // columns set
	Set      []Assignment
	Reads    bool    // a value is computed from the row
	Target   []int32 // key and set columns, ascending; nil when whole rows must be read, changed and written
	WholeRow bool    // the table takes no partial update
	Blind    bool    // no look before the write
	// Overwrite: the merge engine would merge the values with the row, and UPDATE sets them.
	Overwrite bool
	Idle      []string // options that change nothing here
}

// Delete is a planned DELETE by full primary key.
type Delete struct {
	Table  *catalog.Table
	Keys   *Keys
	Filter *Filter // as in Update
	Blind  bool
	Idle   []string // as in Update
}

const keyedHints = "OPTIONS BLIND"

func compileUpdate(s *dialect.Update, t *catalog.Table, o Options) (Plan, error) {
	keys, filter, h, err := keyed("UPDATE", &s.Table, s.Alias, s.Where, s.Hints, t, o)
	if err != nil {
		return nil, err
	}
	p := &Update{Table: t, Keys: keys, Filter: filter, Blind: h.blind, Overwrite: t.MergeEngine == "aggregation", Idle: h.idle}
	sc := scope{table: t, alias: s.Alias}
	for i := range s.Set {
		if err := p.assign(&s.Set[i], &sc, o); err != nil {
			return nil, err
		}
	}
	if p.Blind && p.Reads {
		return nil, &dialect.UnsupportedError{Feature: "BLIND with a value computed from the row", Reason: "the row must be read first", Hint: "leave out BLIND"}
	}
	if err := PartialAllowed(t); err != nil {
		if t.MergeEngine != "" {
			return nil, err
		}
		p.WholeRow = true
		if p.Blind {
			return nil, &dialect.UnsupportedError{Feature: "BLIND on " + t.Path.String(), Reason: "the table has NOT NULL columns, so rows must be read to be written whole"}
		}
		return p, nil
	}
	p.Target = targetColumns(append(slices.Clone(p.Columns), t.PrimaryKey...))
	return p, nil
}

func (p *Update) assign(a *dialect.Assignment, sc *scope, o Options) error {
	t := p.Table
	name := a.Column.Name
	i, err := sc.real(name)
	if err != nil {
		return err
	}
	switch {
	case slices.Contains(t.PrimaryKey, i):
		return &dialect.UnsupportedError{Feature: "UPDATE of a key column", Reason: "column " + name + " is part of the primary key", Hint: "delete and insert instead"}
	case i == t.AutoIncrement:
		return &ColumnError{t.Path.String(), name, "it is auto-increment; leave it out"}
	case slices.Contains(p.Columns, i):
		return &ColumnError{t.Path.String(), name, "it is set twice"}
	}
	set, err := newAssignment(i, a.Value, sc, &o.Bind)
	if err != nil {
		switch err.(type) {
		case *dialect.UnsupportedError, *ColumnError:
			return err
		}
		return &ValueError{Table: t.Path.String(), Column: name, Err: err}
	}
	p.Columns, p.Set, p.Reads = append(p.Columns, i), append(p.Set, set), p.Reads || set.Reads()
	return nil
}

func compileDelete(s *dialect.Delete, t *catalog.Table, o Options) (Plan, error) {
	keys, filter, h, err := keyed("DELETE", &s.Table, s.Alias, s.Where, s.Hints, t, o)
	if err != nil {
		return nil, err
	}
	switch t.DeleteBehavior {
	case "disable":
		return nil, &dialect.UnsupportedError{Feature: "DELETE on " + t.Path.String(), Reason: "table.delete.behavior is disable"}
	case "ignore":
		return nil, &dialect.UnsupportedError{Feature: "DELETE on " + t.Path.String(), Reason: "table.delete.behavior is ignore: the server would take the delete and do nothing"}
	}
	return &Delete{Table: t, Keys: keys, Filter: filter, Blind: h.blind, Idle: h.idle}, nil
}

// keyed plans the part that UPDATE and DELETE share: a WHERE that fixes the primary key. Whatever else it says is applied
// to the rows found by the look.
func keyed(verb string, name *dialect.TableName, alias string, where dialect.Expr, list []dialect.Hint, t *catalog.Table, o Options) (*Keys, *Filter, *hints, error) {
	if name.Suffix != "" {
		return nil, nil, nil, &dialect.UnsupportedError{Feature: "writing to " + t.Path.Table + "$" + name.Suffix, Hint: "write to " + t.Path.String()}
	}
	if !t.IsKeyTable() {
		return nil, nil, nil, logTableOnly(t, verb)
	}
	h, err := readHints(list, verb, keyedHints, &o.Bind)
	if err != nil {
		return nil, nil, nil, err
	}
	sc := scope{table: t, alias: alias}
	c, err := takeApart(&sc, where, &o.Bind)
	if err != nil {
		return nil, nil, nil, err
	}
	missing := c.missing(t.PrimaryKey)
	keys := c.keys(t, t.PrimaryKey)
	if keys == nil {
		return nil, nil, nil, keyMissing(verb, t, &sc, missing)
	}
	filter, err := newFilter(&sc, c.residual(), &o.Bind)
	if err != nil || filter == nil {
		return keys, nil, h, err
	}
	for _, i := range filter.Columns {
		if i >= sc.width() {
			return nil, nil, nil, &ColumnError{t.Path.String(), sc.column(i).Name, "WHERE of " + verb + " names columns of the table"}
		}
		if h.blind && !slices.Contains(t.PrimaryKey, i) {
			return nil, nil, nil, &dialect.UnsupportedError{Feature: "BLIND with a condition on " + sc.column(i).Name, Reason: "the row must be read to know", Hint: "leave out BLIND"}
		}
	}
	return keys, filter, h, nil
}

func keyMissing(verb string, t *catalog.Table, sc *scope, missing []int) error {
	reason := fmt.Sprintf("%s needs an equality on every primary key column (%s)", verb, sc.columnNames(t.PrimaryKey))
	if len(missing) > 0 {
		reason += "; missing " + sc.columnNames(missing)
	}
	return &dialect.UnsupportedError{Feature: strings.ToUpper(verb) + " without the full key", Reason: reason}
}
