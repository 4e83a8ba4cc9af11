package catalog

// Column is one column of a schema.
type Column struct {
	Name    string
	Type    Type
	Comment string
	ID      int // unique in the table for all time; rows of other schema versions are matched by it
	Agg     *AggFunction
}

// AggFunction is the function that the aggregation merge engine applies to a column.
type AggFunction struct {
	Name       string // "sum", "max", "listagg", ...
	Parameters map[string]string
}

// Schema is one version of a table's columns.
type Schema struct {
	ID             int // from 1; fits an int16. 0: not assigned yet
	Columns        []Column
	PrimaryKey     []string // empty for a log table
	AutoIncrement  string   // "" when there is none
	HighestFieldID int
}

// Index returns the position of the column of that exact name, or -1.
func (s *Schema) Index(name string) int {
	for i := range s.Columns {
		if s.Columns[i].Name == name {
			return i
		}
	}
	return -1
}

// IndexByID returns the position of the column with that id, or -1.
func (s *Schema) IndexByID(id int) int {
	for i := range s.Columns {
		if s.Columns[i].ID == id {
			return i
		}
	}
	return -1
}

// Types returns the column types in order, as pointers into the schema.
func (s *Schema) Types() []*Type {
	types := make([]*Type, len(s.Columns))
	for i := range s.Columns {
		types[i] = &s.Columns[i].Type
	}
	return types
}
