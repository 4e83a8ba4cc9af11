package flusstest

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/wire"
)

// What aggregation functions take. Source: AggFunctionType (Java, v0.9.1-incubating).
var (
	numberKinds  = []catalog.Kind{catalog.TinyInt, catalog.SmallInt, catalog.Int, catalog.BigInt, catalog.Float, catalog.Double, catalog.Decimal}
	orderedKinds = slices.Concat([]catalog.Kind{catalog.Char, catalog.String}, numberKinds, []catalog.Kind{catalog.Date, catalog.Time, catalog.Timestamp, catalog.TimestampLTZ})
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
		if why := wrongAggregate(c); why != "" {
			return refuse(wire.CodeInvalidConfig, "Invalid aggregation function for column '%s': %s", c.Name, why)
		}
	}
	return nil
}

func wrongAggregate(c *catalog.Column) string {
	name := c.Agg.Name
	for _, p := range slices.Sorted(maps.Keys(c.Agg.Parameters)) {
		list := name == "listagg" || name == "string_agg"
		switch {
		case !list:
			return fmt.Sprintf("Parameter '%s' is not supported for aggregation function '%s'. Supported parameters: none", p, name)
		case p != "delimiter":
			return fmt.Sprintf("Parameter '%s' is not supported for aggregation function '%s'. Supported parameters: [delimiter]", p, name)
		case c.Agg.Parameters[p] == "":
			return fmt.Sprintf("Parameter '%s' for aggregation function '%s' must be a non-empty string", p, name)
		}
	}
	if kinds := aggregateKinds[name]; kinds != nil && !slices.Contains(kinds, c.Type.Kind) {
		return fmt.Sprintf("Data type for %s column must be part of %s but was '%s'.", name, javaKinds(kinds), javaType(&c.Type))
	}
	return ""
}

// nameAggregates puts the names of functions as the server does, lower case with underscores. An unknown one is dropped
// without a word.
func nameAggregates(s *catalog.Schema) {
	for i := range s.Columns {
		c := &s.Columns[i]
		if c.Agg == nil {
			continue
		}
		name := strings.TrimSpace(strings.ToLower(strings.ReplaceAll(c.Agg.Name, "-", "_")))
		if _, known := aggregateKinds[name]; !known {
			c.Agg = nil
			continue
		}
		c.Agg = &catalog.AggFunction{Name: name, Parameters: c.Agg.Parameters}
	}
}
