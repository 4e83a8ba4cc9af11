package flusstest

import (
	"slices"
	"strings"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/row"
)

// aggregation merges each column by the function that the schema gives it. A row of a new key is stored as it was
// sent, columns that are no targets included. Source: AggregateRowMerger (Java, v0.9.1-incubating).
type aggregation struct {
	functions []aggregate
	target    []bool // nil: all
	key       []bool
	broken    error // a function does not fit its column: found when the first two rows are merged
}

// aggregate folds a value into what is there. Neither acc nor in is changed; out may be neither of them.
type aggregate func(acc, in *row.Datum) (row.Datum, error)

// newAggregation refuses tables with bitmap functions, which are not served: wrong bitmaps in silence would be worse.
func newAggregation(latest *shape, target []int32) (engine, error) {
	a := &aggregation{key: make([]bool, latest.width())}
	for _, p := range latest.table.PrimaryKey {
		a.key[p] = true
	}
	s, err := newColumnSet(latest.width(), target)
	switch {
	case err != nil:
		return nil, err
	case s.beyond:
		return nil, brokenf(indexOutOfBounds, "Index %d out of bounds for length %d", slices.Max(target), latest.width())
	}
	for i := range latest.schema.Columns {
		c := &latest.schema.Columns[i]
		if c.Agg != nil && strings.HasPrefix(c.Agg.Name, "rbm") {
			return nil, brokenf(unsupportedOperation,
				"flusstest does not serve the aggregation function %q of column %s", c.Agg.Name, c.Name)
		}
		f, err := aggregateOf(c, a.key[i])
		if err != nil && a.broken == nil {
			a.broken = err
		}
		a.functions = append(a.functions, f)
	}
	if target == nil {
		return a, nil
	}
	if a.broken != nil {
		return nil, a.broken
	}
	if err := checkTarget(latest, s, partialAggregateKind); err != nil {
		return nil, err
	}
	a.target = s.in
	return a, nil
}

// aggregateOf returns a column's function.
func aggregateOf(c *catalog.Column, isKey bool) (aggregate, error) {
	switch {
	case isKey:
		return lastValue, nil
	case c.Agg == nil:
		return lastValueIgnoreNulls, nil
	}
	switch c.Agg.Name {
	case "last_value":
		return lastValue, nil
	case "last_value_ignore_nulls":
		return lastValueIgnoreNulls, nil
	case "first_value", "first_value_ignore_nulls":
		return firstValue, nil
	case "sum":
		return numeric(&c.Type, sumInt, sumFloat, sumDecimal)
	case "product":
		return numeric(&c.Type, productInt, productFloat, productDecimal)
	case "max":
		return extreme(&c.Type, true), nil
	case "min":
		return extreme(&c.Type, false), nil
	case "listagg", "string_agg":
		return listagg(c)
	case "bool_and":
		return boolean(func(a, b int64) int64 { return a & b }), nil
	case "bool_or":
		return boolean(func(a, b int64) int64 { return a | b }), nil
	}
	return nil, brokenf(illegalArgument, "Unsupported aggregation function: %s", c.Agg.Name)
}

func (a *aggregation) upsert(old, sent, out []row.Datum) (outcome, error) {
	switch {
	case old == nil:
		return storeSent, nil
	case a.broken != nil:
		return keepOld, a.broken
	}
	for i, f := range a.functions {
		if a.target != nil && !a.target[i] {
			out[i] = old[i]
			continue
		}
		var err error
		if out[i], err = f(&old[i], &sent[i]); err != nil {
			return keepOld, err
		}
	}
	return storeMerged, nil
}

func (a *aggregation) remove(old, out []row.Datum) (outcome, error) {
	if a.target == nil {
		return removeRow, nil
	}
	return removeTarget(a.target, a.key, old, out), nil
}
