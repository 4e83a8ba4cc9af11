package ring

import (
	"context"
	"database/sql"
	"errors"
	"sync"
)

// prepared runs every text by a statement that was prepared when the text first came and is held until the end, over all
// faults and all connections of the pool. It is safe for concurrent use.
type prepared struct {
	db *sql.DB

	mu   sync.Mutex
	held map[string]*sql.Stmt
}

func newPrepared(db *sql.DB) *prepared { return &prepared{db: db, held: map[string]*sql.Stmt{}} }

// stmt returns the statement of a text.
func (p *prepared) stmt(ctx context.Context, query string) (*sql.Stmt, error) {
	p.mu.Lock()
	s := p.held[query]
	p.mu.Unlock()
	if s != nil {
		return s, nil
	}
	s, err := p.db.PrepareContext(ctx, query)
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if first := p.held[query]; first != nil { // somebody was faster
		return first, s.Close()
	}
	p.held[query] = s
	return s, nil
}

// QueryContext runs a query.
func (p *prepared) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	s, err := p.stmt(ctx, query)
	if err != nil {
		return nil, err
	}
	return s.QueryContext(ctx, args...)
}

// ExecContext runs a statement that has no rows.
func (p *prepared) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	s, err := p.stmt(ctx, query)
	if err != nil {
		return nil, err
	}
	return s.ExecContext(ctx, args...)
}

// close lets go of all statements.
func (p *prepared) close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	var err error
	for _, s := range p.held {
		err = errors.Join(err, s.Close())
	}
	p.held = nil
	return err
}

func (w *worker) preparedLookup(kind string)   { w.lookupBy(w.run.prepared, kind) }
func (w *worker) preparedLookupIn(kind string) { w.lookupInBy(w.run.prepared, kind) }
func (w *worker) preparedUpsert(kind string)   { w.upsertBy(w.run.prepared, kind) }
func (w *worker) preparedAppend(kind string)   { w.appendSome(w.run.prepared, kind, 1+w.random.IntN(4)) }
func (w *worker) preparedScan(kind string)     { w.logScanBy(w.run.prepared, kind) }
