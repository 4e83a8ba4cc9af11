package catalog

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"unicode/utf8"
)

// The JSON texts in which Fluss keeps types, schemas, table descriptors and database descriptors.
//
// Writing gives the bytes of the Java classes (org.apache.fluss.utils.json, v0.9.1-incubating): fields in their
// order, no spaces, non-ASCII as it is. Only maps differ: Java writes them in hash order, here keys are sorted.
// Reading ignores fields it does not know.

// maxJSONDepth bounds how deep types may nest in a text that is read.
const maxJSONDepth = 64

func unmarshal(what string, text []byte, v any) error {
	if err := json.Unmarshal(text, v); err != nil {
		return fmt.Errorf("%s JSON: %w", what, err)
	}
	return nil
}

const hexDigits = "0123456789ABCDEF"

// appendString appends s as a JSON string, escaped as Jackson does: quote, backslash and the controls below 0x20.
// Bytes that are not UTF-8 become U+FFFD.
func appendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			dst = append(dst, '\\', byte(r))
		case r >= 0x20:
			dst = utf8.AppendRune(dst, r)
		default:
			dst = appendControl(dst, byte(r))
		}
	}
	return append(dst, '"')
}

func appendControl(dst []byte, c byte) []byte {
	switch c {
	case '\b':
		return append(dst, `\b`...)
	case '\t':
		return append(dst, `\t`...)
	case '\n':
		return append(dst, `\n`...)
	case '\f':
		return append(dst, `\f`...)
	case '\r':
		return append(dst, `\r`...)
	}
	return append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
}

// appendStrings appends a JSON array of strings; nil is [].
func appendStrings(dst []byte, list []string) []byte {
	dst = append(dst, '[')
	for i, s := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendString(dst, s)
	}
	return append(dst, ']')
}

// appendMap appends a JSON object with sorted keys; nil is {}.
func appendMap(dst []byte, m map[string]string) []byte {
	dst = append(dst, '{')
	for i, k := range slices.Sorted(maps.Keys(m)) {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendString(dst, k)
		dst = append(dst, ':')
		dst = appendString(dst, m[k])
	}
	return append(dst, '}')
}
