package fluss

import (
	"sync"
	"sync/atomic"

	"github.com/gofluss/fluss/dialect"
	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/infoschema"
	"github.com/gofluss/fluss/internal/plan"
	"github.com/gofluss/fluss/internal/row"
)

// A plan cache holds at most this many texts, and none longer than this many bytes unless it has parameters: tools
// that write their values into the text send a new one for each row.
const (
	maxPlans       = 2048
	maxLiteralText = 1024
	maxCachedText  = 256 << 10
)

// prepared is a parsed statement and, once it ran, its plan. It is shared by all connections.
type prepared struct {
	stmt   dialect.Statement
	params dialect.Params
	table  *catalog.TablePath // nil when the statement reads or writes no table by plan
	plan   atomic.Pointer[compiled]
	used   atomic.Bool // since the clock hand last passed
}

// compiled is a plan and the table that it was made for. Pointer identity of the table is the version check.
type compiled struct {
	table  *catalog.Table
	plan   plan.Plan
	layout *layout
	values *row.ValueReader // of a SELECT whose rows are stored rows as they are; otherwise nil
}

// writesWholeRows reports whether the statement replaces rows of a key table, as far as is known: a column that it does not
// know of would become NULL.
func (p *prepared) writesWholeRows() bool {
	if _, ok := p.stmt.(*dialect.Insert); !ok {
		return false
	}
	known := p.plan.Load()
	if known == nil {
		return true
	}
	ins, ok := known.plan.(*plan.Insert)
	return ok && ins.Target == nil
}

type planKey struct{ database, sql string }

// planCache is bounded by second chance: a clock hand walks the ring and evicts what was not used since it last came.
type planCache struct {
	mu   sync.RWMutex
	m    map[planKey]*prepared
	ring []planKey
	hand int
}

func newPlanCache() *planCache { return &planCache{m: map[planKey]*prepared{}} }

// get returns nil when the text was not seen before.
func (c *planCache) get(database, sql string) *prepared {
	c.mu.RLock()
	p := c.m[planKey{database, sql}]
	c.mu.RUnlock()
	if p != nil && !p.used.Load() {
		p.used.Store(true)
	}
	return p
}

func (c *planCache) put(database, sql string, p *prepared) {
	if len(sql) > maxCachedText || len(sql) > maxLiteralText && p.params.Count == 0 && p.params.Names == nil {
		return
	}
	key := planKey{database, sql}
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.m[key]; ok {
		return
	}
	c.m[key] = p
	if len(c.ring) < maxPlans {
		c.ring = append(c.ring, key)
		return
	}
	for c.m[c.ring[c.hand]].used.Swap(false) {
		c.hand = (c.hand + 1) % len(c.ring)
	}
	delete(c.m, c.ring[c.hand])
	c.ring[c.hand] = key
	c.hand = (c.hand + 1) % len(c.ring)
}

// parse makes a prepared of a text. database resolves names without one.
func parse(database, sql string, o dialect.Options) (*prepared, error) {
	stmt, err := dialect.Parse(sql, o)
	if err != nil {
		return nil, err
	}
	p := &prepared{stmt: stmt}
	inner := stmt
	if e, ok := stmt.(*dialect.Explain); ok {
		inner = e.Statement
	}
	switch s := inner.(type) {
	case *dialect.Select:
		p.params = s.Params
		if s.From != nil && !infoschema.Is(s.From, database) {
			p.table = tablePath(database, s.From)
		}
	case *dialect.Insert:
		p.params, p.table = s.Params, tablePath(database, &s.Table)
	case *dialect.Update:
		p.params, p.table = s.Params, tablePath(database, &s.Table)
	case *dialect.Delete:
		p.params, p.table = s.Params, tablePath(database, &s.Table)
	case *dialect.Call:
		p.params = s.Params
	}
	return p, nil
}

func tablePath(database string, n *dialect.TableName) *catalog.TablePath {
	if n.Database != "" {
		database = n.Database
	}
	return &catalog.TablePath{Database: database, Table: n.Table}
}
