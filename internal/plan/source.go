package plan

import (
	"database/sql/driver"
	"fmt"
	"reflect"
	"strconv"

	"github.com/gofluss/fluss/dialect"
	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/row"
)

// Source is where a value of a known type comes from: a literal bound when the statement was planned, a parameter,
// or an ARRAY, MAP or ROW of sources.
type Source struct {
	Param int // index into the arguments, or -1
	Lit   row.Datum
	Parts []Source // elements of a nested literal that holds parameters
	typ   *catalog.Type
}

// Type is the type that the source's value has.
func (s *Source) Type() *catalog.Type { return s.typ }

// Bind puts the value into d. Datum fields may alias the argument.
func (s *Source) Bind(d *row.Datum, args []driver.NamedValue, o *row.BindOptions) error {
	return s.bind(d, args, 0, o)
}

// bind is Bind with a parameter that lies shift further on.
func (s *Source) bind(d *row.Datum, args []driver.NamedValue, shift int, o *row.BindOptions) error {
	switch {
	case s.Parts != nil:
		return s.bindParts(d, args, o)
	case s.Param < 0:
		*d = s.Lit
		return nil
	case s.Param+shift >= len(args):
		return fmt.Errorf("there is no argument for parameter %d", s.Param+shift+1)
	}
	return row.Bind(d, s.typ, args[s.Param+shift].Value, o)
}

func (s *Source) bindParts(d *row.Datum, args []driver.NamedValue, o *row.BindOptions) error {
	list := make([]row.Datum, len(s.Parts))
	for i := range s.Parts {
		if err := s.Parts[i].Bind(&list[i], args, o); err != nil {
			return fmt.Errorf("element %d: %w", i+1, err)
		}
	}
	*d = row.Datum{L: list}
	if s.typ.Kind == catalog.Map {
		return row.CheckMap(d, s.typ)
	}
	return nil
}

// NewSource makes a source of type t from an operand: what a procedure takes.
func NewSource(op *dialect.Operand, t *catalog.Type, o *row.BindOptions) (Source, error) {
	return newSource(op, t, o)
}

// newSource makes a source of type t from an operand.
func newSource(op *dialect.Operand, t *catalog.Type, o *row.BindOptions) (Source, error) {
	s := Source{Param: -1, typ: t}
	switch op.Kind {
	case dialect.Param:
		s.Param = op.Index
		return s, nil
	case dialect.ArrayLit, dialect.MapLit, dialect.RowLit:
		return nestedSource(op, t, o)
	case dialect.Default, dialect.Null:
		return s, row.Bind(&s.Lit, t, nil, o)
	}
	kind, ok := literalKinds[op.Kind]
	if !ok {
		return s, fmt.Errorf("this cannot stand for a value here")
	}
	return s, row.BindText(&s.Lit, t, kind, op.Text, o)
}

var literalKinds = map[dialect.OperandKind]row.LiteralKind{
	dialect.Bool:         row.LiteralBool,
	dialect.Number:       row.LiteralNumber,
	dialect.String:       row.LiteralString,
	dialect.HexBytes:     row.LiteralBytes,
	dialect.DateLit:      row.LiteralDate,
	dialect.TimeLit:      row.LiteralTime,
	dialect.TimestampLit: row.LiteralTimestamp,
}

func nestedSource(op *dialect.Operand, t *catalog.Type, o *row.BindOptions) (Source, error) {
	typeOf, err := nestedTypes(op, t)
	if err != nil {
		return Source{}, err
	}
	s := Source{Param: -1, typ: t, Parts: make([]Source, len(op.Args))}
	for i := range op.Args {
		if s.Parts[i], err = newSource(&op.Args[i], typeOf(i), o); err != nil {
			return s, fmt.Errorf("element %d: %w", i+1, err)
		}
	}
	return s, nil
}

// nestedTypes returns the type of the i-th argument of a nested literal.
func nestedTypes(op *dialect.Operand, t *catalog.Type) (func(i int) *catalog.Type, error) {
	switch {
	case op.Kind == dialect.ArrayLit && t.Kind == catalog.Array:
		return func(int) *catalog.Type { return t.Elem }, nil
	case op.Kind == dialect.MapLit && t.Kind == catalog.Map:
		if len(op.Args)%2 != 0 {
			return nil, fmt.Errorf("MAP[...] needs a value for each key")
		}
		key := *t.Key
		key.NotNull = true
		return func(i int) *catalog.Type {
			if i%2 == 0 {
				return &key
			}
			return t.Elem
		}, nil
	case op.Kind == dialect.RowLit && t.Kind == catalog.Row:
		if len(op.Args) != len(t.Fields) {
			return nil, fmt.Errorf("ROW(...) has %d values, %s has %d fields", len(op.Args), t.Name(), len(t.Fields))
		}
		return func(i int) *catalog.Type { return &t.Fields[i].Type }, nil
	}
	return nil, fmt.Errorf("this literal is not a %s", t.Name())
}

var bigint = catalog.Type{Kind: catalog.BigInt, NotNull: true}

// Count is a LIMIT or OFFSET: a number that is not negative. The zero Count is absent.
type Count struct {
	Present bool
	Src     Source
	what    string
}

func newCount(op *dialect.Operand, what string, o *row.BindOptions) (Count, error) {
	if op == nil {
		return Count{}, nil
	}
	src, err := newSource(op, &bigint, o)
	if err != nil {
		return Count{}, fmt.Errorf("%s: %w", what, err)
	}
	c := Count{Present: true, Src: src, what: what}
	if src.Param < 0 && src.Lit.I < 0 {
		return c, fmt.Errorf("%s must not be negative, got %d", what, src.Lit.I)
	}
	return c, nil
}

// Value returns the number, or def when the clause is absent.
func (c *Count) Value(args []driver.NamedValue, def int64, o *row.BindOptions) (int64, error) {
	if !c.Present {
		return def, nil
	}
	var d row.Datum
	if err := c.Src.Bind(&d, args, o); err != nil {
		return 0, fmt.Errorf("%s: %w", c.what, err)
	}
	if d.I < 0 {
		return 0, fmt.Errorf("%s must not be negative, got %d", c.what, d.I)
	}
	return d.I, nil
}

func (c *Count) text() string {
	if c.Src.Param >= 0 {
		return "?"
	}
	return strconv.FormatInt(c.Src.Lit.I, 10)
}

// expandList returns the elements of a slice argument, as IN (?) takes it, or false when v is a single value.
// []byte is a single value.
func expandList(v any) ([]any, bool) {
	if _, ok := v.(driver.Valuer); ok {
		return nil, false
	}
	switch v := v.(type) {
	case nil, []byte, string, int64:
		return nil, false
	case []any:
		return v, true
	}
	rv := reflect.ValueOf(v)
	if rv.Kind() != reflect.Slice || rv.Type().Elem().Kind() == reflect.Uint8 {
		return nil, false
	}
	list := make([]any, rv.Len())
	for i := range list {
		list[i] = rv.Index(i).Interface()
	}
	return list, true
}
