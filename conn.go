package fluss

import (
	"context"
	"database/sql/driver"
	"fmt"

	"github.com/gofluss/fluss/dialect"
	"github.com/gofluss/fluss/internal/plan"
	"github.com/gofluss/fluss/internal/route"
	"github.com/gofluss/fluss/internal/row"
)

// conn is a light handle: a default database and buffers that one goroutine may reuse. It owns no socket, so many may
// be open at no cost, and a cancelled statement leaves it as it was.
type conn struct {
	c        *Connector
	database string
	closed   bool
	lookup   lookupBuffers
	scratch  []row.Datum
	key      []byte
	value    []byte
	last     WriteResult
	wrote    bool
	tx       *tx       // nil outside of a transaction
	lastTx   *TxResult // of the last one that ended
}

var (
	_ driver.Conn               = (*conn)(nil)
	_ driver.ConnPrepareContext = (*conn)(nil)
	_ driver.ConnBeginTx        = (*conn)(nil)
	_ driver.QueryerContext     = (*conn)(nil)
	_ driver.ExecerContext      = (*conn)(nil)
	_ driver.Pinger             = (*conn)(nil)
	_ driver.SessionResetter    = (*conn)(nil)
	_ driver.Validator          = (*conn)(nil)
	_ driver.NamedValueChecker  = (*conn)(nil)
)

// Prepare parses the text. The table is looked at when the statement runs, so it may be created in between.
func (c *conn) Prepare(query string) (driver.Stmt, error) {
	return c.PrepareContext(context.Background(), query)
}

func (c *conn) PrepareContext(ctx context.Context, query string) (driver.Stmt, error) {
	if err := c.check(ctx); err != nil {
		return nil, err
	}
	p, err := c.prepare(query)
	if err != nil {
		return nil, err
	}
	n := inputs(&p.params)
	if _, ok := p.stmt.(*dialect.Explain); ok {
		n = -1 // with arguments or without
	}
	return &stmt{c: c, query: query, inputs: n}, nil
}

func (c *conn) check(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if c.closed {
		return driver.ErrBadConn
	}
	return nil
}

// prepare returns the parsed statement, from the cache where the text was seen before.
func (c *conn) prepare(query string) (*prepared, error) {
	if p := c.c.plans.get(c.database, query); p != nil {
		return p, nil
	}
	p, err := parse(c.database, query, dialect.Options{ANSIQuotes: c.c.cfg.ANSIQuotes})
	if err != nil {
		return nil, err
	}
	c.c.plans.put(c.database, query, p)
	return p, nil
}

// compile returns the plan for the table as it is now.
func (c *conn) compile(ctx context.Context, p *prepared) (*compiled, error) {
	if p.writesWholeRows() {
		c.c.client.Recheck(ctx, *p.table)
	}
	table, err := c.c.client.Table(ctx, *p.table)
	if err != nil {
		return nil, translate(err, p.table.String())
	}
	known := p.plan.Load()
	if known != nil && known.table == table {
		return known, nil
	}
	stmt := p.stmt
	if e, ok := stmt.(*dialect.Explain); ok {
		stmt = e.Statement
	}
	pl, err := plan.Compile(stmt, table, c.c.opts)
	if err != nil {
		return nil, translate(err, p.table.String())
	}
	made := &compiled{table: table, plan: pl}
	if known != nil && known.layout.table == table {
		made.layout = known.layout
	} else if made.layout, err = newLayout(table); err != nil {
		return nil, translate(err, p.table.String())
	}
	made.values = made.layout.valueReader(pl)
	p.plan.Store(made)
	return made, nil
}

// maxReplans bounds how often one statement is planned again because its table was dropped and created meanwhile.
const maxReplans = 3

// withPlan runs f with the plan, and once more with a new one when the table turns out to be another than it was
// planned for, provided that nothing of the statement is stored or may be.
func (c *conn) withPlan(ctx context.Context, p *prepared, f func(*compiled) error) error {
	for try := 0; ; try++ {
		pl, err := c.compile(ctx, p)
		if err != nil {
			return err
		}
		err = f(pl)
		if as[*route.TableChangedError](err) && !mayBeStored(err) && try < maxReplans && (c.tx == nil || c.tx.broken == nil) {
			c.c.client.Invalidate(pl.table)
			continue
		}
		return err
	}
}

func (c *conn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	if err := c.check(ctx); err != nil {
		return nil, err
	}
	p, err := c.prepare(query)
	if err != nil {
		return nil, err
	}
	return c.run(ctx, p, args)
}

func (c *conn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	if err := c.check(ctx); err != nil {
		return nil, err
	}
	p, err := c.prepare(query)
	if err != nil {
		return nil, err
	}
	return c.exec(ctx, p, args)
}

// run answers a statement with rows: none where it has none.
func (c *conn) run(ctx context.Context, p *prepared, args []driver.NamedValue) (driver.Rows, error) {
	if e, ok := p.stmt.(*dialect.Explain); ok && len(args) == 0 {
		return c.explain(ctx, p, e)
	}
	args, err := arrange(&p.params, args)
	if err != nil {
		return nil, err
	}
	switch s := p.stmt.(type) {
	case *dialect.Select:
		if p.table == nil {
			return c.selectWithoutTable(ctx, s, args)
		}
		return c.query(ctx, p, args)
	case *dialect.Insert:
		if s.Returning != nil {
			if c.tx != nil {
				return nil, errReturningInTx
			}
			return c.insertReturning(ctx, p, args)
		}
	case *dialect.Show:
		return c.show(ctx, s)
	case *dialect.Call:
		return c.callProcedure(ctx, s, args)
	case *dialect.Describe:
		return c.describe(ctx, &s.Table)
	case *dialect.Explain:
		return c.explain(ctx, p, s)
	}
	if _, err := c.execArranged(ctx, p, args); err != nil {
		return nil, err
	}
	return &staticRows{}, nil
}

func (c *conn) exec(ctx context.Context, p *prepared, args []driver.NamedValue) (driver.Result, error) {
	args, err := arrange(&p.params, args)
	if err != nil {
		return nil, err
	}
	return c.execArranged(ctx, p, args)
}

func (c *conn) execArranged(ctx context.Context, p *prepared, args []driver.NamedValue) (driver.Result, error) {
	switch s := p.stmt.(type) {
	case *dialect.Insert, *dialect.Update, *dialect.Delete:
		return c.write(ctx, p, args)
	case *dialect.Select, *dialect.Show, *dialect.Describe, *dialect.Explain, *dialect.Call:
		rows, err := c.run(ctx, p, args)
		if err != nil {
			return nil, err
		}
		return result{}, rows.Close()
	case *dialect.Transaction:
		return nil, refuseTxText()
	case *dialect.Use:
		return result{}, c.define(ctx, s)
	default: // DDL runs at once, in a transaction too
		if err := c.mayWrite(); err != nil {
			return nil, err
		}
		return result{}, c.define(ctx, s)
	}
}

// Ping asks any server for the members of the cluster.
func (c *conn) Ping(ctx context.Context) error {
	if err := c.check(ctx); err != nil {
		return err
	}
	return translate(c.c.client.Ping(ctx), "")
}

// ResetSession puts the default database back, so that a USE never reaches the next user of a pooled connection.
func (c *conn) ResetSession(context.Context) error {
	if c.c.closed.Load() {
		return driver.ErrBadConn
	}
	c.database = c.c.cfg.Database
	c.wrote, c.lastTx = false, nil
	return nil
}

// IsValid reports whether the connection may go back to the pool. There is no socket that could have broken.
func (c *conn) IsValid() bool { return !c.closed && !c.c.closed.Load() }

// Close drops the handle.
func (c *conn) Close() error {
	c.closed = true
	return nil
}

// CheckNamedValue lets every value through: what a column takes is known, and checked in full, when the statement is
// bound to it.
func (c *conn) CheckNamedValue(nv *driver.NamedValue) error { return checkNamedValue(nv) }

func inputs(p *dialect.Params) int {
	if p.Names != nil {
		return len(p.Names)
	}
	return p.Count
}

// arrange puts the arguments in the order of the plan's parameters.
func arrange(p *dialect.Params, args []driver.NamedValue) ([]driver.NamedValue, error) {
	if p.Names == nil {
		if len(args) != p.Count {
			return nil, fmt.Errorf("fluss: the statement has %d parameters, got %d arguments", p.Count, len(args))
		}
		for i := range args {
			if args[i].Name != "" {
				return nil, fmt.Errorf("fluss: argument %q is named, but the statement's parameters are '?'", args[i].Name)
			}
		}
		return args, nil
	}
	out := make([]driver.NamedValue, len(p.Names))
	for i, name := range p.Names {
		found := false
		for _, a := range args {
			if a.Name == name {
				out[i], found = a, true
			}
		}
		if !found {
			return nil, fmt.Errorf("fluss: there is no argument for the parameter :%s; pass sql.Named(%q, value)", name, name)
		}
	}
	if len(args) != len(p.Names) {
		return nil, fmt.Errorf("fluss: the statement has the parameters %v, got %d arguments", p.Names, len(args))
	}
	return out, nil
}
