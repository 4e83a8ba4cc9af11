package route

import (
	"bytes"
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/wire"
	"github.com/gofluss/fluss/internal/wire/flusspb"
)

// tableCache holds the tables in use. Reading it takes no lock.
type tableCache struct {
	byPath *shards[catalog.TablePath, *knownTable]
	byID   *shards[int64, *tableState]

	mu      sync.Mutex // of changes
	reading map[catalog.TablePath]*single[*catalog.Table]
}

// knownTable is a table with the text it was made from: the same text again is the same table.
type knownTable struct {
	table *catalog.Table
	text  []byte
	seen  atomic.Int64 // when a server last said so: nanoseconds since the epoch
}

func (c *tableCache) init() {
	c.byPath, c.byID = newShards[catalog.TablePath, *knownTable](), newShards[int64, *tableState]()
}

// change runs f, which changes what is known.
func (c *tableCache) change(f func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	f()
}

// Table returns the table of that path, from the cache when it is there. The pointer changes when the table
// does: it is the version check of whatever was made from it. A table that is not there is a *wire.ServerError
// with code 7.
func (c *Client) Table(ctx context.Context, path catalog.TablePath) (*catalog.Table, error) {
	if known := c.tables.byPath.get(path); known != nil {
		return known.table, nil
	}
	ctx, cancel := c.bounded(ctx)
	defer cancel()
	for {
		t, err := c.readTableOnce(path).wait(ctx)
		switch {
		case err != nil && ctx.Err() != nil && !isServerError(err):
			return nil, waited("table "+path.String(), ctx.Err(), err, nil)
		case is[*WaitError](err): // the reading ended before this caller's time
			continue
		}
		return t, err
	}
}

// readTableOnce starts reading a table, or joins who does. The entry of a path is there while it is being read.
func (c *Client) readTableOnce(path catalog.TablePath) *flight[*catalog.Table] {
	s := &c.tables
	s.mu.Lock()
	defer s.mu.Unlock()
	one := s.reading[path]
	if one == nil {
		one = &single[*catalog.Table]{}
		if s.reading == nil {
			s.reading = map[catalog.TablePath]*single[*catalog.Table]{}
		}
		s.reading[path] = one
	}
	f, _ := one.start(c, func(ctx context.Context) (*catalog.Table, error) {
		ctx, cancel := context.WithTimeout(ctx, c.cfg.RequestTimeout)
		defer cancel()
		ahead := c.lookAhead(path)
		t, err := c.readTable(ctx, path)
		if err == nil {
			c.takeAhead(t, ahead)
		}
		s.mu.Lock()
		delete(s.reading, path)
		s.mu.Unlock()
		return t, err
	})
	return f
}

// readTable asks for a table and puts the answer into the cache.
func (c *Client) readTable(ctx context.Context, path catalog.TablePath) (*catalog.Table, error) {
	var info flusspb.GetTableInfoResponse
	req := &flusspb.GetTableInfoRequest{TablePath: tablePath(path)}
	if err := c.ask(ctx, "table "+path.String(), wire.APIGetTableInfo, req, &info); err != nil {
		return nil, err
	}
	if known := c.tables.byPath.get(path); known != nil && known.is(&info) {
		known.seen.Store(time.Now().UnixNano())
		return known.table, nil
	}
	t, err := newTable(path, &info)
	if err != nil {
		return nil, err
	}
	c.tables.change(func() {
		if known := c.tables.byPath.get(path); known != nil && known.is(&info) {
			t = known.table
			return
		}
		fresh := &knownTable{table: t, text: info.TableJson}
		fresh.seen.Store(time.Now().UnixNano())
		c.tables.byPath.set(path, fresh)
		if c.tables.byID.get(t.ID) == nil {
			c.tables.byID.set(t.ID, newTableState(t))
		}
	})
	return t, nil
}

func (k *knownTable) is(info *flusspb.GetTableInfoResponse) bool {
	return k.table.ID == info.GetTableId() && k.table.Schema.ID == int(info.GetSchemaId()) &&
		k.table.ModifiedMillis == info.GetModifiedTime() && bytes.Equal(k.text, info.TableJson)
}

func newTable(path catalog.TablePath, info *flusspb.GetTableInfoResponse) (*catalog.Table, error) {
	d, err := catalog.DecodeDescriptor(info.TableJson)
	if err != nil {
		return nil, fmt.Errorf("table %s: %w: %w", path, errMalformed, err)
	}
	d.Schema.ID = int(info.GetSchemaId())
	t, err := catalog.NewTable(path, info.GetTableId(), d)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errMalformed, err)
	}
	t.CreatedMillis, t.ModifiedMillis = info.GetCreatedTime(), info.GetModifiedTime()
	if t.BucketCount <= 0 {
		return nil, fmt.Errorf("table %s: %w: bucket count %d", path, errMalformed, t.BucketCount)
	}
	return t, nil
}

// Invalidate says that t proved stale: the next Table of its path asks again.
func (c *Client) Invalidate(t *catalog.Table) {
	if known := c.tables.byPath.get(t.Path); known == nil || known.table != t {
		return
	}
	c.tables.change(func() {
		if known := c.tables.byPath.get(t.Path); known != nil && known.table == t {
			c.tables.byPath.delete(t.Path)
		}
	})
}

// forget drops a path, whatever table is known there; that table's state is made anew when it is needed.
func (c *Client) forget(path catalog.TablePath) {
	if c.tables.byPath.get(path) == nil {
		return
	}
	c.tables.change(func() {
		if known := c.tables.byPath.get(path); known != nil {
			c.tables.byPath.delete(path)
			c.tables.byID.delete(known.table.ID)
		}
	})
}

// state returns what is known about the incarnation of a table, made when nothing is.
func (c *Client) state(t *catalog.Table) *tableState {
	if s := c.tables.byID.get(t.ID); s != nil {
		return s
	}
	var s *tableState
	c.tables.change(func() {
		if s = c.tables.byID.get(t.ID); s == nil {
			s = newTableState(t)
			c.tables.byID.set(t.ID, s)
		}
	})
	return s
}

// bury forgets an incarnation that is gone.
func (c *Client) bury(s *tableState) {
	c.tables.change(func() {
		if c.tables.byID.get(s.id) == s {
			c.tables.byID.delete(s.id)
		}
		if known := c.tables.byPath.get(s.path); known != nil && known.table.ID == s.id {
			c.tables.byPath.delete(s.path)
		}
	})
}

func tablePath(p catalog.TablePath) *flusspb.PbTablePath {
	return &flusspb.PbTablePath{DatabaseName: &p.Database, TableName: &p.Table}
}
