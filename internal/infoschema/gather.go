package infoschema

import (
	"context"
	"slices"
	"strings"

	"github.com/gofluss/fluss/internal/catalog"
)

// gatherer makes the rows of a table that pass WHERE. Conjuncts on the names of databases and tables are applied as soon
// as these are known, so that one table's columns do not cost a look at every table.
type gatherer struct {
	ctx     context.Context
	src     Source
	def     *tableDef
	used    []bool
	filters []filter
	rows    [][]any
}

func (g *gatherer) run() error {
	databases, err := g.src.Databases(g.ctx)
	if err != nil {
		return err
	}
	slices.Sort(databases)
	for _, db := range databases {
		if err := g.database(db); err != nil {
			return err
		}
	}
	return nil
}

func (g *gatherer) database(db string) error {
	r := make([]any, len(g.def.columns))
	r[g.def.schema] = db
	if !g.passes(r, g.def.schema) {
		return nil
	}
	if g.def.table < 0 {
		g.emit(func(set setter) { g.def.fill(&entry{database: db}, set) })
		return nil
	}
	tables, err := g.src.Tables(g.ctx, db)
	if err != nil {
		return err
	}
	slices.Sort(tables)
	for _, name := range tables {
		r[g.def.table] = name
		if !g.passes(r, g.def.schema, g.def.table) {
			continue
		}
		if err := g.table(catalog.TablePath{Database: db, Table: name}); err != nil {
			return err
		}
	}
	return nil
}

func (g *gatherer) table(path catalog.TablePath) error {
	e := &entry{database: path.Database, table: path.Table}
	if g.needsTable() {
		var err error
		if e.info, err = g.src.Table(g.ctx, path); err != nil || e.info == nil {
			return err
		}
	}
	if g.def.partitions && e.info.IsPartitioned() {
		var err error
		if e.partitions, err = g.src.Partitions(g.ctx, e.info); err != nil {
			return err
		}
		slices.SortFunc(e.partitions, func(a, b Partition) int { return strings.Compare(a.Name, b.Name) })
	}
	for i := range g.def.count(e) {
		e.index = i
		g.emit(func(set setter) { g.def.fill(e, set) })
	}
	return nil
}

// needsTable reports whether a row takes more than names.
func (g *gatherer) needsTable() bool {
	for i, used := range g.used {
		if used && !g.def.columns[i].byName {
			return true
		}
	}
	return !g.def.oneRow
}

// emit adds a row if it passes.
func (g *gatherer) emit(fill func(setter)) {
	r := make([]any, len(g.def.columns))
	at := 0
	fill(func(values ...any) {
		for _, v := range values {
			if n, ok := v.(int); ok {
				v = int64(n)
			}
			r[at] = v
			at++
		}
	})
	for i := range g.filters {
		if yes, _ := isTrue(g.filters[i].eval(r)); !yes {
			return
		}
	}
	g.rows = append(g.rows, r)
}

// passes applies the conjuncts that look at no other columns than those known.
func (g *gatherer) passes(r []any, known ...int) bool {
	for i := range g.filters {
		ready := true
		for col, needs := range g.filters[i].needs {
			ready = ready && (!needs || slices.Contains(known, col))
		}
		if !ready {
			continue
		}
		if yes, _ := isTrue(g.filters[i].eval(r)); !yes {
			return false
		}
	}
	return true
}
