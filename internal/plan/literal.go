package plan

import (
	"fmt"
	"strconv"

	"github.com/gofluss/fluss/dialect"
	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/row"
)

// constant types are those that the same literals have in a SELECT without FROM.
var (
	literalInt   = catalog.Type{Kind: catalog.BigInt, NotNull: true}
	literalText  = catalog.Type{Kind: catalog.String, NotNull: true}
	literalBool  = catalog.Type{Kind: catalog.Boolean, NotNull: true}
	literalBytes = catalog.Type{Kind: catalog.Bytes, NotNull: true}
	literalNull  = catalog.Type{Kind: catalog.String}
)

// literal is a value in a select list, as in SELECT 1 FROM t WHERE ..., which asks whether there is a row.
type literal struct {
	typ   *catalog.Type
	value row.Datum
}

// literal plans a value in the select list. Its place in the virtual row is behind all columns.
func (c *selectCompiler) literal(op *dialect.Operand, item *dialect.SelectItem) error {
	l := literal{typ: &literalText}
	kind := literalKinds[op.Kind]
	switch op.Kind {
	case dialect.Number:
		if _, err := strconv.ParseInt(op.Text, 10, 64); err == nil {
			l.typ = &literalInt
		} else {
			kind = row.LiteralString // exact, as DECIMAL is
		}
	case dialect.Bool:
		l.typ = &literalBool
	case dialect.HexBytes:
		l.typ = &literalBytes
	case dialect.Null:
		l.typ, l.value = &literalNull, row.Datum{Null: true}
	case dialect.String:
	case dialect.DateLit, dialect.TimeLit, dialect.TimestampLit:
		kind = row.LiteralString
	default:
		return refuseItem(item)
	}
	if op.Kind != dialect.Null {
		if err := row.BindText(&l.value, l.typ, kind, op.Text, c.opts); err != nil {
			return fmt.Errorf("%s: %w", item.Text, err)
		}
	}
	name := item.Alias
	if name == "" {
		name = item.Text
	}
	c.out.Out = append(c.out.Out, Output{Name: name, Column: c.out.columns() + len(c.out.literals), Type: l.typ})
	c.out.literals = append(c.out.literals, l)
	return nil
}

func refuseItem(item *dialect.SelectItem) error {
	return &dialect.UnsupportedError{Feature: "the expression " + item.Text, Reason: "a select list holds columns, *, literals, or COUNT(*)", Hint: "compute in Go"}
}

// columns is the length of the virtual row without the literals.
func (s *Select) columns() int { return len(s.Table.Schema.Columns) + PseudoColumns + len(s.images) }

// FillLiterals sets the literals of a virtual row. Nothing else does.
func (s *Select) FillLiterals(v []row.Datum) {
	for i := range s.literals {
		v[s.columns()+i] = s.literals[i].value
	}
}
