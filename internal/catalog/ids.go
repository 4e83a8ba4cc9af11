package catalog

// AssignIDs numbers all columns and all fields of nested ROW types from 0 and sets HighestFieldID. One counter
// goes depth first: a column, then each field of its ROW followed by that field's own, then the next column.
// ARRAY and MAP have no id of their own, the ROW fields inside them do.
//
// It is for a schema under construction, of a table that does not exist yet: it changes s.
// Source: Schema.Builder, ReassignFieldId (Java, v0.9.1-incubating).
func (s *Schema) AssignIDs() {
	next := 0
	for i := range s.Columns {
		s.Columns[i].ID = next
		next = s.Columns[i].Type.assignIDs(next + 1)
	}
	s.HighestFieldID = next - 1
}

// assignIDs numbers the ROW fields inside t from next on and returns the first number not used.
func (t *Type) assignIDs(next int) int {
	switch t.Kind {
	case Array:
		return t.Elem.assignIDs(next)
	case Map:
		return t.Elem.assignIDs(t.Key.assignIDs(next))
	case Row:
		for i := range t.Fields {
			t.Fields[i].ID = next
			next = t.Fields[i].Type.assignIDs(next + 1)
		}
	}
	return next
}

// highestID returns the largest id in use, -1 when there are no columns.
func (s *Schema) highestID() int {
	high := -1
	for i := range s.Columns {
		high = max(high, s.Columns[i].ID, s.Columns[i].Type.highestID())
	}
	return high
}

func (t *Type) highestID() int {
	high := -1
	if t.Key != nil {
		high = t.Key.highestID()
	}
	if t.Elem != nil {
		high = max(high, t.Elem.highestID())
	}
	for i := range t.Fields {
		high = max(high, t.Fields[i].ID, t.Fields[i].Type.highestID())
	}
	return high
}
