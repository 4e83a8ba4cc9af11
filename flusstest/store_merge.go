package flusstest

import (
	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/row"
)

// outcome is what a merge engine makes of a row.
type outcome uint8

const (
	keepOld     outcome = iota // nothing changes, nothing is logged
	storeSent                  // the row as it was sent, under the schema id it was sent with
	storeMerged                // the row in out, under the latest schema id
	removeRow
)

// engine decides what becomes of the rows of one batch. Rows have the width of the latest schema.
type engine interface {
	// upsert merges a sent row into the old one, which is nil when the key has none.
	upsert(old, sent, out []row.Datum) (outcome, error)
	// remove deletes the old row or a part of it.
	remove(old, out []row.Datum) (outcome, error)
}

// engine returns what applies to a batch. target is nil for whole rows.
func (b *bucketStore) engine(latest *shape, sentWidth int, target []int32, overwrite bool) (engine, error) {
	t := b.table
	kind := t.MergeEngine
	if overwrite {
		kind = ""
	}
	switch {
	case kind == "aggregation":
		return newAggregation(latest, target)
	case kind == "" && target != nil:
		return newPartialUpdate(latest, sentWidth, target)
	case kind == "":
		return lastRow{}, nil
	case target != nil:
		return nil, noPartialUpdate(kind)
	case kind == "first_row":
		return firstRow{}, nil
	case kind == "versioned":
		return newVersioned(t, latest)
	}
	return nil, brokenf(illegalArgument, "Unsupported merge engine type: %s", kind)
}

func noPartialUpdate(engine string) error {
	return brokenf(unsupportedOperation, "Partial update is not supported for the %s merge engine.", engine)
}

// lastRow is a table without a merge engine: the last row wins.
type lastRow struct{}

func (lastRow) upsert(_, _, _ []row.Datum) (outcome, error) { return storeSent, nil }
func (lastRow) remove(_, _ []row.Datum) (outcome, error)    { return removeRow, nil }

// firstRow keeps the first row of a key. Deletes never reach it: such a table ignores or refuses them.
type firstRow struct{}

func (firstRow) upsert(old, _, _ []row.Datum) (outcome, error) {
	if old != nil {
		return keepOld, nil
	}
	return storeSent, nil
}

func (firstRow) remove(_, _ []row.Datum) (outcome, error) { return noDelete("first_row") }

func noDelete(engine string) (outcome, error) {
	return keepOld, brokenf(unsupportedOperation,
		"DELETE is not supported for the %s merge engine.", engine)
}

// versioned takes a row whose version is not below that of the old one. NULL is the lowest version.
type versioned struct {
	at  int
	typ *catalog.Type
}

const versionColumn = "table.merge-engine.versioned.ver-column"

func newVersioned(t *catalog.Table, latest *shape) (engine, error) {
	at := latest.schema.Index(t.Properties[versionColumn])
	if at < 0 {
		return nil, brokenf(illegalArgument,
			"The version column '%s' for versioned merge engine doesn't exist in schema.", t.Properties[versionColumn])
	}
	typ := &latest.schema.Columns[at].Type
	switch typ.Kind {
	case catalog.Int, catalog.BigInt, catalog.Timestamp, catalog.TimestampLTZ:
		return versioned{at, typ}, nil
	}
	return nil, brokenf(illegalArgument, "The version column '%s' for versioned merge engine "+
		"must be one type of [INT, BIGINT, TIMESTAMP, TIMESTAMP_LTZ], but is %s.", t.Properties[versionColumn], typ)
}

func (v versioned) upsert(old, sent, _ []row.Datum) (outcome, error) {
	if old == nil || v.compare(&old[v.at], &sent[v.at]) <= 0 {
		return storeSent, nil
	}
	return keepOld, nil
}

func (versioned) remove(_, _ []row.Datum) (outcome, error) { return noDelete("versioned") }

func (v versioned) compare(a, b *row.Datum) int {
	switch {
	case a.Null && b.Null:
		return 0
	case a.Null:
		return -1
	case b.Null:
		// NULL stands for the smallest value, which a stored one may be.
		if lowest := v.lowest(); row.Compare(a, &lowest, v.typ) == 0 {
			return 0
		}
		return 1
	}
	return row.Compare(a, b, v.typ)
}

func (v versioned) lowest() row.Datum {
	if v.typ.Kind == catalog.Int {
		return row.Datum{I: -1 << 31}
	}
	return row.Datum{I: -1 << 63}
}
