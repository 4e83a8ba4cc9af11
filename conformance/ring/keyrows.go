package ring

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
)

// keyRow is a row of the key table as it was read.
type keyRow struct {
	group int64
	item  int
	state rowState
	mask  columns
}

// textColumns are columns of the key table in SELECT lists: the key first, then these.
var textColumns = map[columns]string{
	allColumns:        "g, i, a, b, n",
	columnA:           "g, i, a",
	columnN:           "n, g, i",
	columnB | columnN: "b, g, n, i",
}

// readKeys runs a SELECT of the columns of a set and judges each value by itself.
func (r *run) readKeys(ctx context.Context, db queryer, set columns, where string, args ...any) ([]keyRow, error) {
	rows, err := db.QueryContext(ctx, "SELECT "+textColumns[set]+" FROM "+where, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []keyRow
	for rows.Next() {
		row, a, b, n, err := scanKey(rows, set)
		if err != nil {
			return nil, err
		}
		r.rowsRead.Add(1)
		if r.decode(&row, a, b, n) {
			out = append(out, row)
		}
	}
	return out, rows.Err()
}

type queryer interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

func scanKey(rows *sql.Rows, set columns) (row keyRow, a, b sql.NullString, n sql.NullInt64, err error) {
	row.mask = set
	var dest []any
	for _, name := range strings.Split(textColumns[set], ", ") {
		dest = append(dest, map[string]any{"g": &row.group, "i": &row.item, "a": &a, "b": &b, "n": &n}[name])
	}
	err = rows.Scan(dest...)
	return row, a, b, n, err
}

// decode finds the writes that a row's values stem from.
func (r *run) decode(row *keyRow, a, b sql.NullString, n sql.NullInt64) bool {
	row.state.present = true
	fine := true
	for _, c := range []struct {
		name byte
		text sql.NullString
		op   *uint64
	}{{'a', a, &row.state.a}, {'b', b, &row.state.b}} {
		if !c.text.Valid {
			continue
		}
		op, ok := cellOp(c.text.String, c.name, row.group, row.item)
		if !ok {
			fine = false
			r.judge.found(wrong, "key %d/%d: column %c has %q", row.group, row.item, c.name, c.text.String)
		}
		*c.op = op
	}
	if n.Valid {
		row.state.n = uint64(n.Int64)
	}
	return fine
}

// cells are the values of a row that one write sets.
func cells(g int64, item, worker int, op uint64) (a, b string, n int64) {
	return cellText('a', g, item, worker, op), cellText('b', g, item, worker, op), int64(op)
}

// sees files what a read found, and what it did not, as reads of single keys. want are the keys that it had to find if
// they were there.
func (r *run) sees(w *worker, s span, want []keyOf, rows []keyRow, set columns) {
	found := map[keyOf]keyRow{}
	for _, row := range rows {
		k := keyOf{row.group, row.item}
		if _, twice := found[k]; twice {
			r.judge.found(wrong, "key %d/%d: read twice by one statement", k.group, k.item)
		}
		found[k] = row
	}
	for _, k := range want {
		row := found[k]
		delete(found, k)
		if k.group < 0 {
			r.checkAnchor(k, row, set)
			continue
		}
		if g, _ := r.groups.find(k.group); g != nil {
			g.items[k.item].add(event{kind: readEvent, columns: set, value: row.state, worker: w.id, call: s.begin, ret: s.end, told: s.end})
		}
	}
	for k := range found {
		r.judge.found(wrong, "key %d/%d: read by a statement that did not ask for it", k.group, k.item)
	}
}

// keyOf names a key.
type keyOf struct {
	group int64
	item  int
}

// checkAnchor judges the row of a key that never changes.
func (r *run) checkAnchor(k keyOf, row keyRow, set columns) {
	switch op := uint64(-k.group); {
	case !row.state.present:
		r.judge.found(short, "key %d/%d was left out", k.group, k.item)
	case !row.state.shows(set, rowState{present: true, a: op, b: op, n: op}):
		r.judge.found(lost, "key %d/%d was changed: %+v", k.group, k.item, row.state)
	}
}

// keyList is "(?, ?), (?, ?)" and its arguments.
func keyList(keys []keyOf) (string, []any) {
	var args []any
	for _, k := range keys {
		args = append(args, k.group, k.item)
	}
	return strings.Repeat(", (?, ?)", len(keys))[2:], args
}

// inOrder judges that rows come in the order of the keys asked for.
func (r *run) inOrder(keys []keyOf, rows []keyRow) {
	at := 0
	for _, row := range rows {
		for at < len(keys) && (keys[at] != keyOf{row.group, row.item}) {
			at++
		}
		if at == len(keys) {
			r.judge.found(wrong, "rows of an IN list are not in its order: %s", fmt.Sprint(keys))
			return
		}
	}
}
