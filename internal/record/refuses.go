package record

import "github.com/gofluss/fluss/internal/catalog"

// MayRefuse reports whether the table's log format has no room for some values that its columns allow: LogEncoder.Append
// can fail. Rows of other tables need no trial.
func MayRefuse(t *catalog.Table) bool {
	for i := range t.Schema.Columns {
		if mayRefuse(t.LogFormat, &t.Schema.Columns[i].Type) {
			return true
		}
	}
	return false
}

func mayRefuse(f catalog.LogFormat, t *catalog.Type) bool {
	switch f {
	case catalog.LogCompacted:
		return false
	case catalog.LogIndexed:
		return t.Kind == catalog.Char || t.Kind == catalog.Binary || refusesInside(f, t)
	}
	switch t.Kind {
	case catalog.Binary, catalog.Time, catalog.Timestamp, catalog.TimestampLTZ:
		return true
	case catalog.Map:
		return true // a NULL key
	}
	return refusesInside(f, t)
}

func refusesInside(f catalog.LogFormat, t *catalog.Type) bool {
	switch t.Kind {
	case catalog.Array:
		return mayRefuse(f, t.Elem)
	case catalog.Map:
		return mayRefuse(f, t.Key) || mayRefuse(f, t.Elem)
	case catalog.Row:
		for i := range t.Fields {
			if mayRefuse(f, &t.Fields[i].Type) {
				return true
			}
		}
	}
	return false
}
