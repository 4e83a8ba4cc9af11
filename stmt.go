package fluss

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
)

// stmt is a text on a conn. Its plan lives in the Connector's cache, so that a table that is altered or created again
// is planned for anew, and statements prepared on many connections share one plan.
type stmt struct {
	c      *conn
	query  string
	inputs int
}

var (
	_ driver.Stmt              = (*stmt)(nil)
	_ driver.StmtQueryContext  = (*stmt)(nil)
	_ driver.StmtExecContext   = (*stmt)(nil)
	_ driver.NamedValueChecker = (*stmt)(nil)
)

// Close has nothing to let go of.
func (s *stmt) Close() error { return nil }

// NumInput is the number of parameters; a name counts once.
func (s *stmt) NumInput() int { return s.inputs }

func (s *stmt) QueryContext(ctx context.Context, args []driver.NamedValue) (driver.Rows, error) {
	return s.c.QueryContext(ctx, s.query, args)
}

func (s *stmt) ExecContext(ctx context.Context, args []driver.NamedValue) (driver.Result, error) {
	return s.c.ExecContext(ctx, s.query, args)
}

// Query is QueryContext without a context.
func (s *stmt) Query(args []driver.Value) (driver.Rows, error) {
	return s.QueryContext(context.Background(), named(args))
}

// Exec is ExecContext without a context.
func (s *stmt) Exec(args []driver.Value) (driver.Result, error) {
	return s.ExecContext(context.Background(), named(args))
}

func named(args []driver.Value) []driver.NamedValue {
	out := make([]driver.NamedValue, len(args))
	for i, v := range args {
		out[i] = driver.NamedValue{Ordinal: i + 1, Value: v}
	}
	return out
}

// CheckNamedValue lets every value through, as conn does.
func (s *stmt) CheckNamedValue(nv *driver.NamedValue) error { return checkNamedValue(nv) }

func checkNamedValue(nv *driver.NamedValue) error {
	if _, ok := nv.Value.(sql.Out); ok {
		return errors.New("fluss: there are no output parameters")
	}
	return nil
}
