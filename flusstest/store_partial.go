package flusstest

import (
	"strings"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/row"
	"github.com/gofluss/fluss/internal/wire"
)

// columnSet is the target columns of a batch, by position in the latest schema. Positions that the schema does not
// have are kept apart: they count for nothing but the question whether the key alone is the target.
type columnSet struct {
	in     []bool
	target []int32 // as it was sent
	beyond bool
}

func newColumnSet(width int, target []int32) (columnSet, error) {
	s := columnSet{in: make([]bool, width), target: target}
	for _, p := range target {
		switch {
		case p < 0:
			return s, brokenf(indexOutOfBounds, "bitIndex < 0: %d", p)
		case int(p) >= width:
			s.beyond = true
		default:
			s.in[p] = true
		}
	}
	return s, nil
}

// What messages call a batch with targets.
const (
	partialUpdateKind    = "Partial Update"
	partialAggregateKind = "Partial aggregate"
)

// checkTarget refuses targets that leave out a key column, and any in a table whose other columns are not all
// nullable: code 35.
func checkTarget(latest *shape, s columnSet, kind string) error {
	key := latest.table.PrimaryKey
	isKey := make([]bool, latest.width())
	for _, p := range key {
		isKey[p] = true
		if !s.in[p] {
			named := ""
			if kind == partialUpdateKind && s.beyond {
				return brokenf(indexOutOfBounds, "") // met while the columns are named
			}
			if kind == partialUpdateKind {
				named = columnNames(latest.schema, s.target) + " "
			}
			return refusef(wire.CodeInvalidTargetColumn, "The target write columns %smust contain the primary key columns [%s].",
				named, strings.Join(latest.schema.PrimaryKey, ", "))
		}
	}
	for i := range latest.schema.Columns {
		if c := &latest.schema.Columns[i]; !isKey[i] && c.Type.NotNull {
			return refusef(wire.CodeInvalidTargetColumn, "%s requires all columns except primary key to be nullable, "+
				"but column %s is NOT NULL.", kind, c.Name)
		}
	}
	return nil
}

// columnNames are those of a target as it was sent.
func columnNames(s *catalog.Schema, target []int32) string {
	var names []string
	for _, p := range target {
		if int(p) < len(s.Columns) {
			names = append(names, s.Columns[p].Name)
		}
	}
	return "[" + strings.Join(names, ", ") + "]"
}

// partialUpdate writes the target columns and leaves the others as they are.
// Source: PartialUpdater (Java, v0.9.1-incubating).
type partialUpdate struct {
	target  columnSet
	key     []bool
	keyOnly bool // the target is the key alone
	beyond  bool // the target has a column that the sent rows' schema lacks
}

func newPartialUpdate(latest *shape, sentWidth int, target []int32) (engine, error) {
	s, err := newColumnSet(latest.width(), target)
	if err != nil {
		return nil, err
	}
	if err := checkTarget(latest, s, partialUpdateKind); err != nil {
		return nil, err
	}
	p := &partialUpdate{target: s, key: make([]bool, latest.width()), keyOnly: !s.beyond}
	for _, i := range latest.table.PrimaryKey {
		p.key[i] = true
	}
	for i, in := range s.in {
		p.keyOnly = p.keyOnly && in == p.key[i]
		p.beyond = p.beyond || in && i >= sentWidth
	}
	return p, nil
}

func (p *partialUpdate) upsert(old, sent, out []row.Datum) (outcome, error) {
	if p.keyOnly && old != nil {
		return keepOld, nil
	}
	if p.beyond {
		return keepOld, brokenf(indexOutOfBounds, "")
	}
	for i := range out {
		switch {
		case p.target.in[i]:
			out[i] = sent[i]
		case old != nil:
			out[i] = old[i]
		default:
			out[i] = row.Datum{Null: true}
		}
	}
	return storeMerged, nil
}

// remove makes the target columns NULL; a row of which nothing but them is left goes.
func (p *partialUpdate) remove(old, out []row.Datum) (outcome, error) {
	return removeTarget(p.target.in, p.key, old, out), nil
}

func removeTarget(target, key []bool, old, out []row.Datum) outcome {
	rest := false
	for i := range old {
		rest = rest || !target[i] && !old[i].Null
	}
	if !rest {
		return removeRow
	}
	for i := range out {
		if out[i] = old[i]; target[i] && !key[i] {
			out[i] = row.Datum{Null: true}
		}
	}
	return storeMerged
}
