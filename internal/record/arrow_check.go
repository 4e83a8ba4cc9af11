package record

import (
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/gofluss/fluss/internal/catalog"
)

// CheckArrow reports which column of an Arrow schema RowsFromArrow would refuse, and why. The columns are those of the
// schema, in its order.
func CheckArrow(columns []catalog.Column, schema *arrow.Schema) error {
	fields, err := layout(columns)
	if err != nil {
		return err
	}
	for i, f := range fields {
		if got := schema.Field(i).Type; !compatible(f, got) {
			return &ValueError{Column: f.name, Type: f.typ.Name(), Reason: fmt.Sprintf("Arrow type %s, %s is wanted", got, arrowType(f))}
		}
	}
	return nil
}
