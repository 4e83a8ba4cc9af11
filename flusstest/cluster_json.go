package flusstest

import (
	"encoding/json"
	"slices"
)

// typeParameters are the fields that the JSON of a type must have. A client may leave some to their defaults, the server
// does not read it without them. Source: DataTypeJsonSerde (Java, v0.9.1-incubating).
var typeParameters = map[string][]string{
	"CHAR": {"length"}, "BINARY": {"length"}, "DECIMAL": {"precision", "scale"}, "TIME_WITHOUT_TIME_ZONE": {"precision"},
	"TIMESTAMP_WITHOUT_TIME_ZONE": {"precision"}, "TIMESTAMP_WITH_LOCAL_TIME_ZONE": {"precision"}, "ROW": {"fields"},
}

// lacksParameter names the first column of a descriptor's JSON whose type lacks one, "" when none does.
func lacksParameter(text []byte) string {
	var d struct {
		Schema struct {
			Columns []struct {
				Name string         `json:"name"`
				Type map[string]any `json:"data_type"`
			} `json:"columns"`
		} `json:"schema"`
	}
	if json.Unmarshal(text, &d) != nil {
		return ""
	}
	for _, c := range d.Schema.Columns {
		if !hasParameters(c.Type) {
			return c.Name
		}
	}
	return ""
}

func hasParameters(t map[string]any) bool {
	root, _ := t["type"].(string)
	for _, p := range typeParameters[root] {
		if t[p] == nil {
			return false
		}
	}
	for _, inner := range []string{"element_type", "key_type", "value_type"} {
		if in, ok := t[inner].(map[string]any); ok && !hasParameters(in) {
			return false
		}
	}
	fields, _ := t["fields"].([]any)
	return !slices.ContainsFunc(fields, func(f any) bool {
		field, _ := f.(map[string]any)
		in, _ := field["field_type"].(map[string]any)
		return !hasParameters(in)
	})
}

// topOfSchema returns the fields of the schema in a descriptor's JSON.
func topOfSchema(text []byte) map[string]json.RawMessage {
	var d struct {
		Schema map[string]json.RawMessage `json:"schema"`
	}
	if json.Unmarshal(text, &d) != nil {
		return nil
	}
	return d.Schema
}
