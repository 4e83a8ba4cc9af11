package catalog

import (
	"errors"
	"fmt"
	"math"
	"strconv"
)

// typeRoots is the string in JSON "type", by Kind. Source: DataTypeRoot (Java, v0.9.1-incubating).
var typeRoots = [...]string{
	Boolean: "BOOLEAN", TinyInt: "TINYINT", SmallInt: "SMALLINT", Int: "INTEGER", BigInt: "BIGINT",
	Float: "FLOAT", Double: "DOUBLE", Char: "CHAR", String: "STRING", Binary: "BINARY", Bytes: "BYTES",
	Decimal: "DECIMAL", Date: "DATE", Time: "TIME_WITHOUT_TIME_ZONE",
	Timestamp: "TIMESTAMP_WITHOUT_TIME_ZONE", TimestampLTZ: "TIMESTAMP_WITH_LOCAL_TIME_ZONE",
	Array: "ARRAY", Map: "MAP", Row: "ROW",
}

// EncodeType returns the JSON text of a type:
//
//	{"type":"DECIMAL","nullable":false,"precision":20,"scale":2}
//	{"type":"ARRAY","element_type":{"type":"INTEGER"}}
//	{"type":"MAP","key_type":{...},"value_type":{...}}
//	{"type":"ROW","fields":[{"name":"a","field_type":{...},"description":"...","field_id":27}]}
//
// "nullable" is there only when false, a "description" only when there is one.
// Source: DataTypeJsonSerde (Java, v0.9.1-incubating).
func EncodeType(t *Type) []byte { return appendType(nil, t) }

func appendType(dst []byte, t *Type) []byte {
	dst = append(dst, `{"type":"`...)
	dst = append(dst, typeRoots[t.Kind]...)
	dst = append(dst, '"')
	if t.NotNull {
		dst = append(dst, `,"nullable":false`...)
	}
	switch t.Kind {
	case Char, Binary:
		dst = appendIntField(dst, "length", t.Length)
	case Decimal:
		dst = appendIntField(dst, "precision", t.Precision)
		dst = appendIntField(dst, "scale", t.Scale)
	case Time, Timestamp, TimestampLTZ:
		dst = appendIntField(dst, "precision", t.Precision)
	case Array:
		dst = appendType(append(dst, `,"element_type":`...), t.Elem)
	case Map:
		dst = appendType(append(dst, `,"key_type":`...), t.Key)
		dst = appendType(append(dst, `,"value_type":`...), t.Elem)
	case Row:
		dst = appendFields(dst, t.Fields)
	}
	return append(dst, '}')
}

func appendFields(dst []byte, fields []Field) []byte {
	dst = append(dst, `,"fields":[`...)
	for i := range fields {
		f := &fields[i]
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendString(append(dst, `{"name":`...), f.Name)
		dst = appendType(append(dst, `,"field_type":`...), &f.Type)
		if f.Comment != "" {
			dst = appendString(append(dst, `,"description":`...), f.Comment)
		}
		dst = append(appendIntField(dst, "field_id", f.ID), '}')
	}
	return append(dst, ']')
}

func appendIntField(dst []byte, name string, v int) []byte {
	dst = append(dst, `,"`...)
	dst = append(dst, name...)
	dst = append(dst, `":`...)
	return strconv.AppendInt(dst, int64(v), 10)
}

// jsonType is a type as read, before it is checked.
type jsonType struct {
	Type      string      `json:"type"`
	Nullable  *bool       `json:"nullable"`
	Length    *int        `json:"length"`
	Precision *int        `json:"precision"`
	Scale     *int        `json:"scale"`
	Element   *jsonType   `json:"element_type"`
	Key       *jsonType   `json:"key_type"`
	Value     *jsonType   `json:"value_type"`
	Fields    []jsonField `json:"fields"`
}

type jsonField struct {
	Name    string    `json:"name"`
	Type    *jsonType `json:"field_type"`
	Comment string    `json:"description"`
	ID      *int      `json:"field_id"`
}

// DecodeType reads the JSON text of a type. A length, precision or scale left out takes the default of SQL, a
// "field_id" left out becomes -1. A root that this client does not know is an error that names it.
func DecodeType(text []byte) (*Type, error) {
	var j jsonType
	if err := unmarshal("type", text, &j); err != nil {
		return nil, err
	}
	t := new(Type)
	if err := j.decode(t, 0); err != nil {
		return nil, err
	}
	return t, nil
}

func (j *jsonType) decode(t *Type, depth int) error {
	if j == nil {
		return errors.New("a type is missing")
	}
	if depth > maxJSONDepth {
		return fmt.Errorf("types nest deeper than %d", maxJSONDepth)
	}
	if t.Kind = kindOfRoot(j.Type); t.Kind == 0 {
		return fmt.Errorf("type %q is not known to this client", j.Type)
	}
	t.NotNull = j.Nullable != nil && !*j.Nullable
	switch t.Kind {
	case Char, Binary:
		return parameter(&t.Length, "length", j.Length, 1, 1, math.MaxInt32)
	case Decimal:
		if err := parameter(&t.Precision, "precision", j.Precision, 10, 1, 38); err != nil {
			return err
		}
		return parameter(&t.Scale, "scale", j.Scale, 0, 0, t.Precision)
	case Time:
		return parameter(&t.Precision, "precision", j.Precision, 0, 0, 9)
	case Timestamp, TimestampLTZ:
		return parameter(&t.Precision, "precision", j.Precision, 6, 0, 9)
	case Array:
		t.Elem = new(Type)
		return j.Element.decode(t.Elem, depth+1)
	case Map:
		t.Key, t.Elem = new(Type), new(Type)
		if err := j.Key.decode(t.Key, depth+1); err != nil {
			return err
		}
		return j.Value.decode(t.Elem, depth+1)
	case Row:
		return j.decodeFields(t, depth)
	}
	return nil
}

func (j *jsonType) decodeFields(t *Type, depth int) error {
	t.Fields = make([]Field, len(j.Fields))
	for i := range j.Fields {
		f := &t.Fields[i]
		*f = Field{Name: j.Fields[i].Name, Comment: j.Fields[i].Comment, ID: -1}
		if id := j.Fields[i].ID; id != nil {
			f.ID = *id
		}
		if err := j.Fields[i].Type.decode(&f.Type, depth+1); err != nil {
			return fmt.Errorf("field %q: %w", f.Name, err)
		}
	}
	return nil
}

func kindOfRoot(root string) Kind {
	for k, name := range typeRoots {
		if k > 0 && name == root {
			return Kind(k)
		}
	}
	return 0
}

// parameter sets dst to the value given, or to def when there is none, and checks its range.
func parameter(dst *int, name string, given *int, def, low, high int) error {
	if *dst = def; given != nil {
		*dst = *given
	}
	if *dst < low || *dst > high {
		return fmt.Errorf("%s %d is not within %d and %d", name, *dst, low, high)
	}
	return nil
}
