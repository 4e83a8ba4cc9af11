package row

import (
	"database/sql"
	"encoding"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"time"
)

// stampLayouts are the forms in which AppendJSON writes DATE, TIMESTAMP and TIMESTAMP_LTZ.
var stampLayouts = []string{time.RFC3339Nano, "2006-01-02 15:04:05.999999999", time.DateOnly}

// scanScalar reads a number, a boolean or a string that begins with c.
func (r *jsonReader) scanScalar(v reflect.Value, c byte) error {
	switch {
	case c == '"':
		s, err := r.text()
		if err != nil {
			return err
		}
		return setText(v, s, true)
	case c == 't' && r.word("true"):
		return setBool(v, true)
	case c == 'f' && r.word("false"):
		return setBool(v, false)
	case c == '-' || c >= '0' && c <= '9':
		if s, ok := r.number(); ok {
			return setText(v, s, false)
		}
		return r.fault("not a number")
	case c == 0:
		return r.fault("it ends too early")
	}
	return r.fault("not a value")
}

func setBool(v reflect.Value, b bool) error {
	if v.Kind() == reflect.Interface && v.NumMethod() == 0 {
		v.Set(reflect.ValueOf(b))
		return nil
	}
	if s, ok := v.Addr().Interface().(sql.Scanner); ok {
		return s.Scan(b)
	}
	if v.Kind() != reflect.Bool {
		return reason(fmt.Sprintf("cannot scan %t into %s", b, v.Type()))
	}
	v.SetBool(b)
	return nil
}

// setText sets v to a number, or to the content of a string:
//
//	time.Time             a DATE at midnight UTC, a TIMESTAMP in UTC, a TIMESTAMP_LTZ with its offset
//	time.Duration         a TIME since midnight
//	[]byte, [n]byte       BINARY and BYTES, from base64
//	sql.Scanner           the text: decimal.Decimal, Date, TimeOfDay
//	TextUnmarshaler       the text: big.Int, big.Rat
//	string                the text, of a number all digits
//	integers and floats   numbers that fit
//	any                   string or json.Number
func setText(v reflect.Value, s string, isString bool) error {
	switch x := v.Addr().Interface().(type) {
	case *time.Time:
		return setTime(x, s)
	case *time.Duration:
		if isString {
			var c TimeOfDay
			err := c.Scan(s)
			*x = c.Duration()
			return err
		}
	case sql.Scanner:
		return x.Scan(s)
	case encoding.TextUnmarshaler:
		return x.UnmarshalText([]byte(s))
	}
	switch v.Kind() {
	case reflect.Pointer: // only as the key of a map
		p := reflect.New(v.Type().Elem())
		v.Set(p)
		return setText(p.Elem(), s, isString)
	case reflect.String:
		v.SetString(s)
		return nil
	case reflect.Interface:
		return setInterface(v, s, isString)
	case reflect.Slice, reflect.Array:
		return setBase64(v, s, isString)
	case reflect.Bool: // only as the key of a map
		b, err := strconv.ParseBool(s)
		v.SetBool(b)
		return unfit(v, s, err)
	}
	return setNumber(v, s)
}

func setTime(to *time.Time, s string) error {
	for _, layout := range stampLayouts {
		if t, err := time.Parse(layout, s); err == nil {
			*to = t
			return nil
		}
	}
	return reason("cannot scan " + quoted(s) + " into time.Time")
}

func setInterface(v reflect.Value, s string, isString bool) error {
	var x any = s
	if !isString {
		x = json.Number(s)
	}
	if v.NumMethod() != 0 {
		return unfit(v, s, errors.New("no type is known for it"))
	}
	v.Set(reflect.ValueOf(x))
	return nil
}

func setBase64(v reflect.Value, s string, isString bool) error {
	if v.Type().Elem().Kind() != reflect.Uint8 || !isString {
		return unfit(v, s, errors.New("not a list"))
	}
	b, err := base64.StdEncoding.Strict().DecodeString(s)
	if err != nil {
		return unfit(v, s, errBase64)
	}
	if v.Kind() == reflect.Slice {
		v.SetBytes(b)
		return nil
	}
	if len(b) != v.Len() {
		return unfit(v, s, fmt.Errorf("it has %d bytes", len(b)))
	}
	reflect.Copy(v, reflect.ValueOf(b))
	return nil
}

func setNumber(v reflect.Value, s string) error {
	bits := func() int { return v.Type().Bits() }
	switch v.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		x, err := strconv.ParseInt(s, 10, bits())
		v.SetInt(x)
		return unfit(v, s, err)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		x, err := strconv.ParseUint(s, 10, bits())
		v.SetUint(x)
		return unfit(v, s, err)
	case reflect.Float32, reflect.Float64:
		x, err := strconv.ParseFloat(s, bits())
		v.SetFloat(x)
		return unfit(v, s, err)
	}
	return unfit(v, s, errors.New("no value of that kind"))
}

// unfit says that a text does not make a value, and why.
func unfit(v reflect.Value, s string, err error) error {
	if err == nil {
		return nil
	}
	if e, ok := errors.AsType[*strconv.NumError](err); ok {
		err = e.Err
	}
	return reason(fmt.Sprintf("cannot scan %s into %s: %v", quoted(s), v.Type(), err))
}
