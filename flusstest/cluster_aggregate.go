package flusstest

import (
	"slices"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/wire"
)

var (
	numberKinds  = []catalog.Kind{catalog.TinyInt, catalog.SmallInt, catalog.Int, catalog.BigInt, catalog.Float, catalog.Double, catalog.Decimal}
	orderedKinds = append(slices.Clone(numberKinds), catalog.Char, catalog.String, catalog.Date, catalog.Time, catalog.Timestamp, catalog.TimestampLTZ)
	boolKinds    = []catalog.Kind{catalog.Boolean}
	textKinds    = []catalog.Kind{catalog.String, catalog.Char}
	bytesKinds   = []catalog.Kind{catalog.Bytes}
)

// aggregateKinds says which kinds a function takes; nil is any.
var aggregateKinds = map[string][]catalog.Kind{
	"sum": numberKinds, "product": numberKinds, "max": orderedKinds, "min": orderedKinds,
	"last_value": nil, "last_value_ignore_nulls": nil, "first_value": nil, "first_value_ignore_nulls": nil,
	"listagg": textKinds, "string_agg": textKinds, "bool_and": boolKinds, "bool_or": boolKinds, "rbm32": bytesKinds, "rbm64": bytesKinds,
}

// checkAggregates refuses functions on columns they do not fit, with code 39.
func checkAggregates(s *catalog.Schema) error {
	for i := range s.Columns {
		c := &s.Columns[i]
		if c.Agg == nil || slices.Contains(s.PrimaryKey, c.Name) {
			continue
		}
		kinds, known := aggregateKinds[c.Agg.Name]
		if !known || kinds != nil && !slices.Contains(kinds, c.Type.Kind) {
			return refuse(wire.CodeInvalidConfig, "Invalid aggregation function for column '%s': %s does not support %s", c.Name, c.Agg.Name, &c.Type)
		}
	}
	return nil
}
