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
	Columns  []int // columns set
	Sources  []Source
	Target   []int32 // key and set columns, ascending; nil when whole rows must be read, changed and written
	WholeRow bool    // the table takes no partial update
	Blind    bool    // no look before the write
}

// Delete is a planned DELETE by full primary key.
type Delete struct {
	Table *catalog.Table
	Keys  *Keys
	Blind bool
}

const keyedHints = "OPTIONS BLIND"

func compileUpdate(s *dialect.Update, t *catalog.Table, o Options) (Plan, error) {
	keys, h, err := keyed("UPDATE", &s.Table, s.Alias, s.Where, s.Hints, t, o)
	if err != nil {
		return nil, err
	}
	p := &Update{Table: t, Keys: keys, Blind: h.blind}
	sc := scope{table: t, alias: s.Alias}
	for i := range s.Set {
		if err := p.assign(&s.Set[i], &sc, o); err != nil {
			return nil, err
		}
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
	op, ok := a.Value.(*dialect.Operand)
	if !ok {
		return &dialect.UnsupportedError{Feature: "SET " + name + " = an expression", Reason: "a column can be set to a literal or a parameter", Hint: "read the row, compute in Go, and write the result"}
	}
	src, err := newSource(op, &t.Schema.Columns[i].Type, &o.Bind)
	if err != nil {
		return &ValueError{Table: t.Path.String(), Column: name, Err: err}
	}
	p.Columns, p.Sources = append(p.Columns, i), append(p.Sources, src)
	return nil
}

func compileDelete(s *dialect.Delete, t *catalog.Table, o Options) (Plan, error) {
	keys, h, err := keyed("DELETE", &s.Table, s.Alias, s.Where, s.Hints, t, o)
	if err != nil {
		return nil, err
	}
	switch t.DeleteBehavior {
	case "disable":
		return nil, &dialect.UnsupportedError{Feature: "DELETE on " + t.Path.String(), Reason: "table.delete.behavior is disable"}
	case "ignore":
		return nil, &dialect.UnsupportedError{Feature: "DELETE on " + t.Path.String(), Reason: "table.delete.behavior is ignore: the server would take the delete and do nothing"}
	}
	return &Delete{Table: t, Keys: keys, Blind: h.blind}, nil
}

// keyed plans the part that UPDATE and DELETE share: a WHERE that fixes the primary key and says nothing else.
func keyed(verb string, name *dialect.TableName, alias string, where dialect.Expr, list []dialect.Hint, t *catalog.Table, o Options) (*Keys, *hints, error) {
	if name.Suffix != "" {
		return nil, nil, &dialect.UnsupportedError{Feature: "writing to " + t.Path.Table + "$" + name.Suffix, Hint: "write to " + t.Path.String()}
	}
	if !t.IsKeyTable() {
		return nil, nil, logTableOnly(t, verb)
	}
	h, err := readHints(list, verb, keyedHints, &o.Bind)
	if err != nil {
		return nil, nil, err
	}
	sc := scope{table: t, alias: alias}
	c, err := takeApart(&sc, where, &o.Bind)
	if err != nil {
		return nil, nil, err
	}
	missing := c.missing(t.PrimaryKey)
	keys := c.keys(t, t.PrimaryKey)
	if keys == nil {
		return nil, nil, keyMissing(verb, t, &sc, missing)
	}
	if len(c.residual()) > 0 {
		return nil, nil, &dialect.UnsupportedError{Feature: verb + " with further conditions", Reason: "Fluss has no conditional write: WHERE may name the primary key (" + sc.columnNames(t.PrimaryKey) + ") and nothing else", Hint: "read the row first"}
	}
	return keys, h, nil
}

func keyMissing(verb string, t *catalog.Table, sc *scope, missing []int) error {
	reason := fmt.Sprintf("%s needs an equality on every primary key column (%s)", verb, sc.columnNames(t.PrimaryKey))
	if len(missing) > 0 {
		reason += "; missing " + sc.columnNames(missing)
	}
	return &dialect.UnsupportedError{Feature: strings.ToUpper(verb) + " without the full key", Reason: reason}
}
