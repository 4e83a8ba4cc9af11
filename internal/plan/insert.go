package plan

import (
	"database/sql/driver"
	"fmt"
	"slices"

	"github.com/gofluss/fluss/dialect"
	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/row"
)

// Insert is a planned INSERT, UPSERT or REPLACE: an append to a log table, an upsert into a key table.
type Insert struct {
	Table     *catalog.Table
	Columns   []int    // position of each value of a row; len(Columns) values a row
	Rows      int      // rows of VALUES
	Sources   []Source // Rows*len(Columns), row after row; those of the first row when uniform
	uniform   bool     // each further row takes the next len(Columns) parameters
	Target    []int32  // partial update: the columns written, ascending; nil for whole rows
	Overwrite bool     // past the merge engine
	Returning []Output
	Idle      []string // options that change nothing here
}

const insertHints = "OPTIONS MERGE_MODE INSERT_IF_NOT_EXISTS"

func compileInsert(s *dialect.Insert, t *catalog.Table, o Options) (Plan, error) {
	if s.Table.Suffix != "" {
		return nil, &dialect.UnsupportedError{Feature: "writing to " + t.Path.Table + "$" + s.Table.Suffix, Hint: "write to " + t.Path.String()}
	}
	h, err := readHints(s.Hints, "INSERT", insertHints, &o.Bind)
	if err != nil {
		return nil, err
	}
	p := &Insert{Table: t, Rows: s.Rows, Overwrite: h.overwrite, uniform: s.Uniform, Idle: h.idle}
	sc := scope{table: t}
	for _, step := range []func() error{
		func() error { return insertAllowed(s, t, h) },
		func() error { return p.columns(s, &sc) },
		func() error { return p.target(s, &sc) },
		func() error { return p.onDuplicate(s, &sc) },
		func() error { return p.sources(s, &o.Bind) },
		func() error { return p.returning(s, &sc) },
	} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return p, nil
}

func insertAllowed(s *dialect.Insert, t *catalog.Table, h *hints) error {
	if !t.IsKeyTable() {
		switch {
		case s.Verb != dialect.InsertVerb:
			return logTableOnly(t, map[dialect.Verb]string{dialect.UpsertVerb: "UPSERT", dialect.ReplaceVerb: "REPLACE"}[s.Verb])
		case s.Ignore, s.OnDuplicate != nil, h.ifNotExists:
			return logTableOnly(t, "insert-if-absent")
		}
	}
	if (s.Ignore || h.ifNotExists) && t.MergeEngine != "first_row" {
		return notAtomic(t)
	}
	if h.overwrite && t.MergeEngine == "" {
		return &dialect.UnsupportedError{Feature: "MERGE_MODE('OVERWRITE') on " + t.Path.String(), Reason: "the table has no merge engine to go past"}
	}
	return nil
}

func logTableOnly(t *catalog.Table, what string) error {
	return &dialect.UnsupportedError{Feature: what + " on " + t.Path.String(), Reason: t.Path.String() + " is a log table: rows can only be appended", Hint: "use INSERT"}
}

func notAtomic(t *catalog.Table) error {
	engine := t.MergeEngine
	if engine == "" {
		engine = "none"
	}
	return &dialect.UnsupportedError{Feature: "insert-if-absent", Reason: fmt.Sprintf("it is not atomic on %s (merge engine: %s)", t.Path, engine), Hint: "use merge engine first_row"}
}

// columns resolves the column list, or takes all columns when there is none.
func (p *Insert) columns(s *dialect.Insert, sc *scope) error {
	t := p.Table
	if s.Columns == nil {
		for i := range t.Schema.Columns {
			if i != t.AutoIncrement {
				p.Columns = append(p.Columns, i)
			}
		}
	}
	for _, c := range s.Columns {
		i, err := sc.real(c.Name)
		if err != nil {
			return err
		}
		if slices.Contains(p.Columns, i) {
			return &ColumnError{t.Path.String(), c.Name, "it stands twice in the column list"}
		}
		if i == t.AutoIncrement {
			return &ColumnError{t.Path.String(), c.Name, "it is auto-increment; leave it out"}
		}
		p.Columns = append(p.Columns, i)
	}
	if s.Width != len(p.Columns) {
		auto := ""
		if t.AutoIncrement >= 0 && s.Width > len(p.Columns) {
			auto = "; column " + sc.column(t.AutoIncrement).Name + " is auto-increment, leave it out"
		}
		return fmt.Errorf("%s takes %d values a row (%s), got %d%s", t.Path, len(p.Columns), sc.columnNames(p.Columns), s.Width, auto)
	}
	return nil
}

// target decides between a whole row and a partial update, and checks what is left out.
func (p *Insert) target(s *dialect.Insert, sc *scope) error {
	t := p.Table
	if len(p.Columns) == len(t.Schema.Columns) {
		return nil
	}
	for i := range t.Schema.Columns {
		c := &t.Schema.Columns[i]
		if slices.Contains(p.Columns, i) || i == t.AutoIncrement || !c.Type.NotNull {
			continue
		}
		if !t.IsKeyTable() {
			return &ColumnError{t.Path.String(), c.Name, "it is NOT NULL and not in the column list"}
		}
		if slices.Contains(t.PrimaryKey, i) {
			return &ColumnError{t.Path.String(), c.Name, "it is part of the primary key and not in the column list"}
		}
		return partialRefused(t, c.Name, " and not in the column list")
	}
	if !t.IsKeyTable() {
		return nil
	}
	if err := PartialAllowed(t); err != nil {
		return err
	}
	p.Target = targetColumns(p.Columns)
	return nil
}

func partialRefused(t *catalog.Table, column, tail string) error {
	return &dialect.UnsupportedError{Feature: "partial update of " + t.Path.String(), Reason: "column " + column + " is NOT NULL" + tail, Hint: "name all columns"}
}

// PartialAllowed reports why a table takes no partial update, or nil. Fluss wants every column outside the primary
// key to be nullable, and the engines first_row and versioned to be absent.
func PartialAllowed(t *catalog.Table) error {
	if t.MergeEngine == "first_row" || t.MergeEngine == "versioned" {
		return &dialect.UnsupportedError{Feature: "partial update of " + t.Path.String(), Reason: "merge engine " + t.MergeEngine + " takes whole rows", Hint: "name all columns"}
	}
	for i := range t.Schema.Columns {
		if t.Schema.Columns[i].Type.NotNull && !slices.Contains(t.PrimaryKey, i) && i != t.AutoIncrement {
			return partialRefused(t, t.Schema.Columns[i].Name, "")
		}
	}
	return nil
}

func targetColumns(at []int) []int32 {
	var target []int32
	for _, i := range sortedUnique(at) {
		target = append(target, int32(i))
	}
	return target
}

// onDuplicate accepts ON DUPLICATE KEY UPDATE where it says what an upsert of the listed columns does.
func (p *Insert) onDuplicate(s *dialect.Insert, sc *scope) error {
	if s.OnDuplicate == nil {
		return nil
	}
	var set []int
	for _, a := range s.OnDuplicate {
		i, err := sc.real(a.Column.Name)
		if err != nil {
			return err
		}
		switch v := a.Value.(type) {
		case *dialect.ColumnRef: // k = k: change nothing
			if v.Name == a.Column.Name {
				if p.Table.MergeEngine == "first_row" && len(s.OnDuplicate) == 1 {
					return nil
				}
				return notAtomic(p.Table)
			}
		case *dialect.Operand:
			if v.Kind == dialect.ValuesOf && v.Text == a.Column.Name {
				set = append(set, i)
				continue
			}
		}
		return &dialect.UnsupportedError{Feature: "ON DUPLICATE KEY UPDATE " + a.Column.Name, Reason: "Fluss writes the values given, whether the key is there or not", Hint: "write " + a.Column.Name + " = VALUES(" + a.Column.Name + ")"}
	}
	for _, i := range p.Columns {
		if !slices.Contains(set, i) && !slices.Contains(p.Table.PrimaryKey, i) {
			name := p.Table.Schema.Columns[i].Name
			return &dialect.UnsupportedError{Feature: "ON DUPLICATE KEY UPDATE without " + name, Reason: "an upsert sets every column of the list", Hint: "add " + name + " = VALUES(" + name + ")"}
		}
	}
	return nil
}

func (p *Insert) sources(s *dialect.Insert, o *row.BindOptions) error {
	p.Sources = make([]Source, len(s.Values))
	for i := range s.Values {
		col := p.Columns[i%s.Width]
		c := &p.Table.Schema.Columns[col]
		var err error
		if p.Sources[i], err = newSource(&s.Values[i], &c.Type, o); err != nil {
			return &ValueError{Table: p.Table.Path.String(), Column: c.Name, Row: p.RowNumber(i / s.Width), Err: err}
		}
	}
	return nil
}

// RowNumber is how a ValueError names row i: from 1, or 0 when there is only one.
func (p *Insert) RowNumber(i int) int {
	if p.Rows == 1 {
		return 0
	}
	return i + 1
}

func (p *Insert) returning(s *dialect.Insert, sc *scope) error {
	for _, c := range s.Returning {
		i, err := sc.resolve("", c.Name)
		if err != nil {
			return err
		}
		if p.Table.IsKeyTable() || i != sc.width()+pseudoBucket && i != sc.width()+pseudoLogOffset {
			return &dialect.UnsupportedError{Feature: "RETURNING " + c.Name, Reason: "Fluss tells where rows went only for log tables: _bucket and _log_offset"}
		}
		t := &sc.column(i).Type
		if i == sc.width()+pseudoLogOffset {
			t = nullable(t)
		}
		p.Returning = append(p.Returning, Output{Name: c.Name, Column: i, Type: t})
	}
	return nil
}

// ReturningValue is the value of an output of RETURNING for row i of a write that begins at an offset. A negative offset
// is one that is not known, though the rows are stored: NULL.
func (p *Insert) ReturningValue(o *Output, bucket int32, offset int64, i int) driver.Value {
	switch {
	case o.Column == len(p.Table.Schema.Columns)+pseudoBucket:
		return int64(bucket)
	case offset < 0:
		return nil
	}
	return offset + int64(i)
}

// BindRow puts row i of the VALUES into v, which has the table's width; columns that are not written become NULL.
func (p *Insert) BindRow(v []row.Datum, i int, args []driver.NamedValue, o *row.BindOptions) error {
	if len(p.Columns) < len(v) {
		for c := range v {
			v[c] = row.Datum{Null: true}
		}
	}
	at, shift := i*len(p.Columns), 0
	if p.uniform {
		at, shift = 0, at
	}
	sources := p.Sources[at:]
	for j, c := range p.Columns {
		if err := sources[j].bind(&v[c], args, shift, o); err != nil {
			return &ValueError{Table: p.Table.Path.String(), Column: p.Table.Schema.Columns[c].Name, Row: p.RowNumber(i), Err: err}
		}
	}
	return nil
}
