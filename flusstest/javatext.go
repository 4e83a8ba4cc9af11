package flusstest

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/gofluss/fluss/internal/catalog"
)

// How Java spells things, for the texts of refusals.

// javaList is a list as Java prints it.
func javaList[S any](list []S) string {
	parts := make([]string, len(list))
	for i := range list {
		parts[i] = fmt.Sprint(list[i])
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// javaRoots are the kinds by the names of DataTypeRoot.
var javaRoots = map[catalog.Kind]string{
	catalog.Int: "INTEGER", catalog.Time: "TIME_WITHOUT_TIME_ZONE", catalog.Timestamp: "TIMESTAMP_WITHOUT_TIME_ZONE",
	catalog.TimestampLTZ: "TIMESTAMP_WITH_LOCAL_TIME_ZONE",
}

func javaRoot(k catalog.Kind) string {
	if name := javaRoots[k]; name != "" {
		return name
	}
	return k.Word()
}

// javaKinds is a list of kinds as Java prints an array of roots.
func javaKinds(kinds []catalog.Kind) string {
	var names []string
	for _, k := range kinds {
		names = append(names, javaRoot(k))
	}
	return javaList(names)
}

// javaType is a type as DataType.toString gives it; of a nested one only the outermost differs from ours here.
func javaType(t *catalog.Type) string {
	text := ""
	switch t.Kind {
	case catalog.Decimal:
		text = fmt.Sprintf("DECIMAL(%d, %d)", t.Precision, t.Scale)
	case catalog.TimestampLTZ:
		text = fmt.Sprintf("TIMESTAMP(%d) WITH LOCAL TIME ZONE", t.Precision)
	default:
		return decimalText.ReplaceAllString(t.String(), "$1, $2")
	}
	if t.NotNull {
		text += " NOT NULL"
	}
	return text
}

// decimalText finds the DECIMALs within a nested type.
var decimalText = regexp.MustCompile(`(DECIMAL\(\d+),(\d+)`)

// javaSummary is javaType as lists of columns have it.
func javaSummary(t *catalog.Type) string {
	if t.Kind == catalog.TimestampLTZ {
		return t.String()
	}
	return javaType(t)
}

// javaColumns is a schema's columns as Java prints them.
func javaColumns(s *catalog.Schema) string {
	var parts []string
	for i := range s.Columns {
		c := &s.Columns[i]
		text := c.Name + " " + javaSummary(&c.Type)
		if c.Comment != "" {
			text += " COMMENT '" + c.Comment + "'"
		}
		parts = append(parts, text)
	}
	return javaList(parts)
}

// noJSONField is what Java says of a JSON object that lacks a field it reads at once.
const noJSONField = `Cannot invoke "org.apache.fluss.shaded.jackson2.com.fasterxml.jackson.databind.JsonNode.fieldNames()" because "node" is null`

// unparsable is what Java says of a property whose text makes no sense.
func unparsable(key, value string) string {
	return fmt.Sprintf("Could not parse value '%s' for key '%s'.", value, key)
}
