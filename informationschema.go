package fluss

import (
	"context"
	"database/sql/driver"
	"errors"
	"io"

	"github.com/gofluss/fluss/dialect"
	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/infoschema"
	"github.com/gofluss/fluss/internal/wire"
)

// selectWithoutTable answers a SELECT that reads no table of the cluster.
func (c *conn) selectWithoutTable(ctx context.Context, s *dialect.Select, args []driver.NamedValue) (driver.Rows, error) {
	if s.From == nil {
		return c.selectConstants(ctx, s, args)
	}
	session := infoschema.Session{Database: c.database, Version: serverVersion}
	result, err := infoschema.Select(ctx, schemaSource{c}, session, s, args)
	if missing, ok := errors.AsType[*infoschema.TableError](err); ok {
		return nil, &Error{Message: missing.Error(), Table: "information_schema." + missing.Name, Err: err, kind: ErrTableNotExist}
	}
	if err != nil {
		return nil, translate(err, "information_schema."+s.From.Table)
	}
	return &staticRows{columns: result.Columns, rows: result.Rows}, nil
}

// exists answers EXISTS (SELECT ...) with 1 or 0. One row is enough, and what it holds does not matter.
func (c *conn) exists(ctx context.Context, s *dialect.Select, args []driver.NamedValue) (int64, error) {
	inner := *s
	if inner.Limit == nil {
		inner.Limit = &dialect.Operand{Kind: dialect.Number, Text: "1"}
	}
	var found driver.Rows
	var err error
	if inner.From == nil || infoschema.Is(inner.From, c.database) {
		found, err = c.selectWithoutTable(ctx, &inner, args)
	} else {
		found, err = c.query(ctx, &prepared{stmt: &inner, table: tablePath(c.database, inner.From)}, args)
	}
	if err != nil {
		return 0, err
	}
	defer found.Close()
	switch err := found.Next(make([]driver.Value, len(found.Columns()))); err {
	case nil:
		return 1, nil
	case io.EOF:
		return 0, nil
	default:
		return 0, err
	}
}

// schemaSource is the cluster as information_schema reads it. What is dropped meanwhile is left out.
type schemaSource struct{ c *conn }

func (s schemaSource) Databases(ctx context.Context) ([]string, error) {
	return s.c.c.client.ListDatabases(ctx)
}

func (s schemaSource) Tables(ctx context.Context, database string) ([]string, error) {
	list, err := s.c.c.client.ListTables(ctx, database)
	return list, unlessGone(err)
}

func (s schemaSource) Table(ctx context.Context, path catalog.TablePath) (*catalog.Table, error) {
	t, err := s.c.c.client.FreshTable(ctx, path)
	return t, unlessGone(err)
}

func (s schemaSource) Partitions(ctx context.Context, t *catalog.Table) ([]infoschema.Partition, error) {
	list, err := s.c.c.client.Partitions(ctx, t)
	out := make([]infoschema.Partition, len(list))
	for i, p := range list {
		out[i] = infoschema.Partition{ID: p.ID, Name: p.Name, Values: p.Values}
	}
	return out, unlessGone(err)
}

// unlessGone drops the error of what is not there any more.
func unlessGone(err error) error {
	if refusal, ok := errors.AsType[*wire.ServerError](err); ok && (refusal.Code == wire.CodeTableNotExist || refusal.Code == wire.CodeDatabaseNotExist) {
		return nil
	}
	return err
}
