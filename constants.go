package fluss

import (
	"context"
	"database/sql/driver"
	"fmt"
	"strconv"

	"github.com/gofluss/fluss/dialect"
	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/plan"
)

// selectConstants answers a SELECT without FROM.
func (c *conn) selectConstants(ctx context.Context, s *dialect.Select, args []driver.NamedValue) (driver.Rows, error) {
	if s.Where != nil || s.OrderBy != nil || len(s.Hints) > 0 {
		return nil, &UnsupportedError{Feature: "a condition without FROM", Hint: "name a table"}
	}
	out := &staticRows{}
	var values []driver.Value
	for i := range s.Items {
		item := &s.Items[i]
		v, t, err := c.constant(ctx, item.Expr, args)
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

// coalesce is the first of its arguments that is not NULL.
func (c *conn) coalesce(ctx context.Context, f *dialect.Func, args []driver.NamedValue) (driver.Value, *catalog.Type, error) {
	for _, a := range f.Args {
		if v, t, err := c.constant(ctx, a, args); v != nil || err != nil {
			return v, t, err
		}
	}
	return nil, &nullableText, nil
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

func (c *conn) constant(ctx context.Context, e dialect.Expr, args []driver.NamedValue) (driver.Value, *catalog.Type, error) {
	switch e := e.(type) {
	case *dialect.Operand:
		return c.constantOperand(e, args)
	case *dialect.Exists:
		there, err := c.exists(ctx, e.Select, args)
		return there, &bigintType, err
	case *dialect.Func:
		if e.Name == "COALESCE" || e.Name == "IFNULL" {
			return c.coalesce(ctx, e, args)
		}
		if len(e.Args) == 0 {
			switch e.Name {
			case "VERSION", "@@VERSION":
				return serverVersion, &textType, nil
			case "@@VERSION_COMMENT":
				return versionComment, &textType, nil
			case "DATABASE", "SCHEMA", "CURRENT_DATABASE":
				return c.database, &textType, nil
			case "LAST_INSERT_ID":
				return int64(0), &bigintType, nil
			}
		}
		return nil, nil, &UnsupportedError{Feature: e.Name, Reason: "without FROM, VERSION(), DATABASE(), LAST_INSERT_ID(), COALESCE(), EXISTS, literals and parameters are answered"}
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
