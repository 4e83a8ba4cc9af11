package catalog

import (
	"errors"
	"fmt"
)

// EncodeSchema returns the JSON text of a schema:
//
//	{"version":1,
//	 "columns":[{"name":"k","data_type":{...},"comment":"...","agg_function":{"type":"sum"},"id":0}, ...],
//	 "primary_key":["k"],
//	 "auto_increment_column":["n"],
//	 "highest_field_id":3}
//
// What is unset is left out, also the id of a column whose ID is negative; Schema.ID is no part of the text.
// A schema for CREATE TABLE needs its ids: see AssignIDs. Source: SchemaJsonSerde, ColumnJsonSerde (Java,
// v0.9.1-incubating).
func EncodeSchema(s *Schema) []byte { return appendSchema(nil, s) }

func appendSchema(dst []byte, s *Schema) []byte {
	dst = append(dst, `{"version":1,"columns":[`...)
	for i := range s.Columns {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendColumn(dst, &s.Columns[i])
	}
	dst = append(dst, ']')
	if len(s.PrimaryKey) > 0 {
		dst = appendStrings(append(dst, `,"primary_key":`...), s.PrimaryKey)
	}
	if s.AutoIncrement != "" {
		dst = appendString(append(dst, `,"auto_increment_column":[`...), s.AutoIncrement)
		dst = append(dst, ']')
	}
	dst = appendIntField(dst, "highest_field_id", s.HighestFieldID)
	return append(dst, '}')
}

func appendColumn(dst []byte, c *Column) []byte {
	dst = appendString(append(dst, `{"name":`...), c.Name)
	dst = appendType(append(dst, `,"data_type":`...), &c.Type)
	if c.Comment != "" {
		dst = appendString(append(dst, `,"comment":`...), c.Comment)
	}
	if c.Agg != nil {
		dst = appendString(append(dst, `,"agg_function":{"type":`...), c.Agg.Name)
		if len(c.Agg.Parameters) > 0 {
			dst = appendMap(append(dst, `,"parameters":`...), c.Agg.Parameters)
		}
		dst = append(dst, '}')
	}
	if c.ID >= 0 {
		dst = appendIntField(dst, "id", c.ID)
	}
	return append(dst, '}')
}

// jsonSchema is a schema as read, before it is checked.
type jsonSchema struct {
	Columns        []jsonColumn `json:"columns"`
	PrimaryKey     []string     `json:"primary_key"`
	AutoIncrement  []string     `json:"auto_increment_column"`
	HighestFieldID *int         `json:"highest_field_id"`
}

type jsonColumn struct {
	Name    string    `json:"name"`
	Type    *jsonType `json:"data_type"`
	Comment string    `json:"comment"`
	Agg     *jsonAgg  `json:"agg_function"`
	ID      *int      `json:"id"`
}

type jsonAgg struct {
	Type       string            `json:"type"`
	Parameters map[string]string `json:"parameters"`
}

// DecodeSchema reads the JSON text of the schema with that id. When no column carries an id they are numbered by
// position, as the server does; that only some carry one is an error.
func DecodeSchema(text []byte, id int) (*Schema, error) {
	var j jsonSchema
	if err := unmarshal("schema", text, &j); err != nil {
		return nil, err
	}
	return j.decode(id)
}

func (j *jsonSchema) decode(id int) (*Schema, error) {
	s := &Schema{ID: id, PrimaryKey: j.PrimaryKey, Columns: make([]Column, len(j.Columns))}
	if len(j.AutoIncrement) > 1 {
		return nil, errors.New("schema: more than one auto-increment column")
	}
	if len(j.AutoIncrement) == 1 {
		s.AutoIncrement = j.AutoIncrement[0]
	}
	numbered := 0
	for i := range j.Columns {
		c := &j.Columns[i]
		if c.ID != nil {
			numbered++
		}
		if err := c.decode(&s.Columns[i], i); err != nil {
			return nil, fmt.Errorf("schema: column %q: %w", c.Name, err)
		}
	}
	if numbered != 0 && numbered != len(j.Columns) {
		return nil, fmt.Errorf("schema: %d of %d columns have an id", numbered, len(j.Columns))
	}
	if s.HighestFieldID = s.highestID(); j.HighestFieldID != nil {
		s.HighestFieldID = *j.HighestFieldID
	}
	return s, nil
}

func (j *jsonColumn) decode(c *Column, position int) error {
	c.Name, c.Comment, c.ID = j.Name, j.Comment, position
	if j.ID != nil {
		if *j.ID < 0 {
			return fmt.Errorf("id %d is negative", *j.ID)
		}
		c.ID = *j.ID
	}
	if j.Agg != nil {
		c.Agg = &AggFunction{Name: j.Agg.Type, Parameters: j.Agg.Parameters}
	}
	return j.Type.decode(&c.Type, 0)
}
