package ring

import (
	"context"
	"maps"
	"slices"
)

func (w *worker) columns() columns {
	return []columns{allColumns, allColumns, columnA, columnN, columnB | columnN}[w.random.IntN(5)]
}

// lookup reads one key.
func (w *worker) lookup(kind string) { w.lookupBy(w.run.db, kind) }

func (w *worker) lookupBy(db queryer, kind string) {
	w.with(func(g *group) {
		k := keyOf{g.id, w.random.IntN(groupItems)}
		if w.random.IntN(6) == 0 {
			k.item = counterItem
		}
		w.read(db, kind, []keyOf{k}, w.columns(), w.run.from("%s WHERE g = ? AND i = ?"), k.group, k.item)
	})
}

// read runs a SELECT that has to find each of the keys that is there.
func (w *worker) read(db queryer, kind string, want []keyOf, set columns, where string, args ...any) {
	var rows []keyRow
	s, err := w.call(kind, func(ctx context.Context) (err error) {
		rows, err = w.run.readKeys(ctx, db, set, where, args...)
		return err
	})
	if err == nil {
		w.run.sees(w, s, want, rows, set)
	}
}

// lookupIn reads keys of several groups, in the order of the list.
func (w *worker) lookupIn(kind string) { w.lookupInBy(w.run.db, kind) }

func (w *worker) lookupInBy(db queryer, kind string) {
	w.with(func(g *group) {
		w.with(func(other *group) {
			keys := append(w.some(g, 1+w.random.IntN(groupItems)), keyOf{-1 - w.random.Int64N(anchorGroups), w.random.IntN(groupItems)})
			if other != g {
				keys = append(keys, w.some(other, 2)...)
			}
			w.random.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
			list, args := keyList(keys)
			set := w.columns()
			var rows []keyRow
			s, err := w.call(kind, func(ctx context.Context) (err error) {
				rows, err = w.run.readKeys(ctx, db, set, w.run.from("%s WHERE (g, i) IN ("+list+")"), args...)
				return err
			})
			if err == nil {
				w.run.inOrder(keys, rows)
				w.run.sees(w, s, keys, rows, set)
			}
		})
	})
}

// prefixLookup reads a whole group.
func (w *worker) prefixLookup(kind string) {
	w.with(func(g *group) {
		w.read(w.run.db, kind, g.keys(), allColumns, w.run.from("%s WHERE g = ?"), g.id)
	})
}

// keys are all keys of a group.
func (g *group) keys() []keyOf {
	var keys []keyOf
	for _, i := range slices.Sorted(maps.Keys(g.items)) {
		keys = append(keys, keyOf{g.id, i})
	}
	return keys
}

// limitScan reads some rows: as many as it asks for, since more than that are always there.
func (w *worker) limitScan(kind string) {
	limit := 1 + w.random.IntN(anchorRows)
	var rows []keyRow
	held := w.run.groups.holdAll()
	s, err := w.call(kind, func(ctx context.Context) (err error) {
		rows, err = w.run.readKeys(ctx, w.run.db, allColumns, w.run.from("%s LIMIT ?"), limit)
		return err
	})
	if err == nil {
		switch {
		case len(rows) < limit:
			w.run.judge.found(short, "LIMIT %d gave %d rows of at least %d", limit, len(rows), anchorRows)
		case len(rows) > limit:
			w.run.judge.found(wrong, "LIMIT %d gave %d rows", limit, len(rows))
		}
		w.run.scanned(w, s, held, rows, false)
	}
	w.releaseAll(held)
}

// fullScan reads all rows.
func (w *worker) fullScan(kind string) {
	w.fullScanBy(kind, func(ctx context.Context, where string, args ...any) ([]keyRow, error) {
		return w.run.readKeys(ctx, w.run.db, allColumns, where, args...)
	})
}

func (w *worker) fullScanBy(kind string, read func(ctx context.Context, where string, args ...any) ([]keyRow, error)) {
	var rows []keyRow
	held := w.run.groups.holdAll()
	s, err := w.call(kind, func(ctx context.Context) (err error) {
		rows, err = read(ctx, w.run.from("%s /*+ FULL_SCAN */"))
		return err
	})
	if err == nil {
		w.run.scanned(w, s, held, rows, true)
	}
	w.releaseAll(held)
}

func (w *worker) releaseAll(held []*group) {
	for _, g := range held {
		w.release(g)
	}
}

// scanned judges the rows of a scan: those of the groups held, and of the anchors, as reads of their keys; others have to
// be of groups that are not deleted. A whole scan has to have all that is there.
func (r *run) scanned(w *worker, s span, held []*group, rows []keyRow, whole bool) {
	known := map[int64]bool{}
	for _, g := range held {
		known[g.id] = true
	}
	var mine []keyRow
	var want []keyOf
	for _, row := range rows {
		switch g, deleted := r.groups.find(row.group); {
		case row.group < 0 || known[row.group]:
			mine = append(mine, row)
			if !whole {
				want = append(want, keyOf{row.group, row.item})
			}
		case g == nil && deleted == 0:
			r.judge.found(wrong, "a scan gave a row of group %d, which nobody made", row.group)
		case g == nil && deleted < s.begin:
			r.judge.found(lost, "a scan gave a row of group %d, whose rows had been deleted", row.group)
		}
	}
	if whole {
		want = r.everything(held)
	}
	r.sees(w, s, unique(want), mine, allColumns)
}

// everything is the keys that a whole scan can give.
func (r *run) everything(held []*group) []keyOf {
	var want []keyOf
	for g := range int64(anchorGroups) {
		for i := range groupItems {
			want = append(want, keyOf{-1 - g, i})
		}
	}
	for _, g := range held {
		want = append(want, g.keys()...)
	}
	return want
}

func unique(keys []keyOf) []keyOf {
	seen := map[keyOf]bool{}
	return slices.DeleteFunc(keys, func(k keyOf) bool {
		was := seen[k]
		seen[k] = true
		return was
	})
}
