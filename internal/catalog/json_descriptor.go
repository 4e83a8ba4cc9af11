package catalog

import (
	"errors"
	"fmt"
)

// EncodeDescriptor returns the JSON text of a table descriptor:
//
//	{"version":1,"schema":{...},"comment":"...","partition_key":[],"bucket_key":["k"],"bucket_count":3,
//	 "properties":{...},"custom_properties":{...}}
//
// The comment is left out when empty and the bucket count when 0, the server's default. The bucket key is left
// out when both it and the count are unset, as the server refuses a count without a key, even an empty one.
// Source: TableDescriptorJsonSerde (Java, v0.9.1-incubating).
func EncodeDescriptor(d *Descriptor) []byte {
	dst := appendSchema([]byte(`{"version":1,"schema":`), d.Schema)
	if d.Comment != "" {
		dst = appendString(append(dst, `,"comment":`...), d.Comment)
	}
	dst = appendStrings(append(dst, `,"partition_key":`...), d.PartitionKeys)
	if len(d.BucketKeys) > 0 || d.BucketCount > 0 {
		dst = appendStrings(append(dst, `,"bucket_key":`...), d.BucketKeys)
	}
	if d.BucketCount > 0 {
		dst = appendIntField(dst, "bucket_count", d.BucketCount)
	}
	dst = appendMap(append(dst, `,"properties":`...), d.Properties)
	dst = appendMap(append(dst, `,"custom_properties":`...), d.CustomProperties)
	return append(dst, '}')
}

// jsonDescriptor is a table descriptor as read, before it is checked.
type jsonDescriptor struct {
	Schema           *jsonSchema       `json:"schema"`
	Comment          string            `json:"comment"`
	PartitionKey     []string          `json:"partition_key"`
	BucketKey        []string          `json:"bucket_key"`
	BucketCount      int               `json:"bucket_count"`
	Properties       map[string]string `json:"properties"`
	CustomProperties map[string]string `json:"custom_properties"`
}

// DecodeDescriptor reads the JSON text of a table descriptor. Its schema gets ID 0: the text does not tell it.
func DecodeDescriptor(text []byte) (Descriptor, error) {
	var j jsonDescriptor
	if err := unmarshal("table descriptor", text, &j); err != nil {
		return Descriptor{}, err
	}
	if j.Schema == nil {
		return Descriptor{}, errors.New("table descriptor JSON: no schema")
	}
	if j.BucketCount < 0 {
		return Descriptor{}, fmt.Errorf("table descriptor JSON: bucket count %d", j.BucketCount)
	}
	schema, err := j.Schema.decode(0)
	if err != nil {
		return Descriptor{}, err
	}
	return Descriptor{
		Schema: schema, Comment: j.Comment, PartitionKeys: j.PartitionKey, BucketKeys: j.BucketKey,
		BucketCount: j.BucketCount, Properties: j.Properties, CustomProperties: j.CustomProperties,
	}, nil
}

// Database is what CREATE DATABASE sends and GET_DATABASE_INFO returns: everything about a database but its name.
type Database struct {
	Comment          string
	CustomProperties map[string]string
}

// EncodeDatabase returns the JSON text of a database descriptor:
//
//	{"version":1,"comment":"...","custom_properties":{...}}
//
// The comment is left out when empty. Source: DatabaseDescriptorJsonSerde (Java, v0.9.1-incubating).
func EncodeDatabase(d *Database) []byte {
	dst := []byte(`{"version":1`)
	if d.Comment != "" {
		dst = appendString(append(dst, `,"comment":`...), d.Comment)
	}
	dst = appendMap(append(dst, `,"custom_properties":`...), d.CustomProperties)
	return append(dst, '}')
}

// DecodeDatabase reads the JSON text of a database descriptor.
func DecodeDatabase(text []byte) (Database, error) {
	var j struct {
		Comment          string            `json:"comment"`
		CustomProperties map[string]string `json:"custom_properties"`
	}
	if err := unmarshal("database descriptor", text, &j); err != nil {
		return Database{}, err
	}
	return Database{Comment: j.Comment, CustomProperties: j.CustomProperties}, nil
}
