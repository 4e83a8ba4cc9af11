package record

import "github.com/gofluss/fluss/internal/catalog"

// MayRefuse reports whether the table's log format has no room for some values that its columns allow: LogEncoder.Append
// can fail. Rows of other tables need no trial.
func MayRefuse(t *catalog.Table) bool {
	for i := range t.Schema.Columns {
		if mayRefuse(&t.Schema.Columns[i].Type) {
			return true
		}
	}
	return false
}

func mayRefuse(t *catalog.Type) bool {
	switch t.Kind {
	case catalog.Binary, catalog.Char, catalog.Time, catalog.Timestamp, catalog.TimestampLTZ:
		return true
	case catalog.Array:
		return mayRefuse(t.Elem)
	case catalog.Map:
		return mayRefuse(t.Key) || mayRefuse(t.Elem)
	case catalog.Row:
		for i := range t.Fields {
			if mayRefuse(&t.Fields[i].Type) {
				return true
			}
		}
	}
	return false
}
