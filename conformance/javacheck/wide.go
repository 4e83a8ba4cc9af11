package javacheck

import (
	"encoding/json"
	"fmt"
	"strings"
)

// A WideColumn is a column of the wide tables, which have one of every type.
type WideColumn struct {
	Name string
	SQL  string // type as CREATE TABLE has it
	JSON string // type as a schema's JSON has it, with # for each field id

	// Values are edge values in the text form; a client that reads one gives it back as it is here, from a row as
	// from an Arrow batch: no TIME(0) with milliseconds, nothing below a microsecond before 1970.
	Values []string
}

// WideColumns are the columns after id BIGINT NOT NULL, the key of the wide key table. All may be NULL.
var WideColumns = []WideColumn{
	{"c_boolean", "BOOLEAN", scalar("BOOLEAN"), []string{`"true"`, `"false"`}},
	{"c_tinyint", "TINYINT", scalar("TINYINT"), []string{`"-128"`, `"127"`, `"0"`}},
	{"c_smallint", "SMALLINT", scalar("SMALLINT"), []string{`"-32768"`, `"32767"`, `"-1"`}},
	{"c_int", "INT", scalar("INTEGER"), []string{`"-2147483648"`, `"2147483647"`, `"-1"`, `"128"`}},
	{"c_bigint", "BIGINT", scalar("BIGINT"), []string{`"-9223372036854775808"`, `"9223372036854775807"`, `"-1"`}},
	{"c_float", "FLOAT", scalar("FLOAT"), []string{`"0x80000000"`, `"0x7f7fffff"`, `"0x00000001"`, `"0x7f800000"`, `"0x7fc00000"`}},
	{"c_double", "DOUBLE", scalar("DOUBLE"), []string{`"0x8000000000000000"`, `"0x7fefffffffffffff"`, `"0x3fb999999999999a"`, `"0xfff0000000000000"`}},
	{"c_char", "CHAR(3)", `{"type":"CHAR","length":3}`, []string{`"abc"`, `"x  "`}},
	{"c_string", "STRING", scalar("STRING"), []string{`""`, `"a\"b\\c\u0000d\n"`, `"\u00fc\u20ac\ud83d\ude00"`, text(3000)}},
	{"c_binary", "BINARY(4)", `{"type":"BINARY","length":4}`, []string{`"01020304"`, `"ff0000ff"`}},
	{"c_bytes", "BYTES", scalar("BYTES"), []string{`""`, `"00ff80"`, text(512)}},
	{"c_dec15", "DECIMAL(15, 2)", decimal(15, 2), []string{`"0.00"`, `"-9999999999999.99"`, `"9999999999999.99"`, `"-0.01"`}},
	{"c_dec38", "DECIMAL(38, 18)", decimal(38, 18), []string{`"0.000000000000000001"`, `"-99999999999999999999.999999999999999999"`,
		`"99999999999999999999.999999999999999999"`}},
	{"c_dec38_0", "DECIMAL(38, 0)", decimal(38, 0), []string{`"-99999999999999999999999999999999999999"`, `"7"`}},
	{"c_date", "DATE", scalar("DATE"), []string{`"0"`, `"-719162"`, `"2932896"`, `"20666"`}},
	{"c_time0", "TIME(0)", precise("TIME_WITHOUT_TIME_ZONE", 0), []string{`"0"`, `"86399000"`}},
	{"c_time3", "TIME(3)", precise("TIME_WITHOUT_TIME_ZONE", 3), []string{`"86399999"`, `"1"`}},
	{"c_ts0", "TIMESTAMP(0)", precise("TIMESTAMP_WITHOUT_TIME_ZONE", 0), []string{`"0,0"`, `"-62135596800000,0"`, `"253402300799000,0"`}},
	{"c_ts3", "TIMESTAMP(3)", precise("TIMESTAMP_WITHOUT_TIME_ZONE", 3), []string{`"-1,0"`, `"1785542400123,0"`}},
	{"c_ts6", "TIMESTAMP(6)", precise("TIMESTAMP_WITHOUT_TIME_ZONE", 6), []string{`"1785542400123,456000"`, `"0,1000"`, `"-62135596800000,0"`}},
	{"c_ts9", "TIMESTAMP(9)", precise("TIMESTAMP_WITHOUT_TIME_ZONE", 9), []string{`"1785542400123,456789"`, `"0,1"`}},
	{"c_ltz0", "TIMESTAMP_LTZ(0)", precise("TIMESTAMP_WITH_LOCAL_TIME_ZONE", 0), []string{`"-1000,0"`, `"1785542400000,0"`}},
	{"c_ltz3", "TIMESTAMP_LTZ(3)", precise("TIMESTAMP_WITH_LOCAL_TIME_ZONE", 3), []string{`"1785542400123,0"`, `"-1,0"`}},
	{"c_ltz6", "TIMESTAMP_LTZ(6)", precise("TIMESTAMP_WITH_LOCAL_TIME_ZONE", 6), []string{`"1785542400123,456000"`, `"0,999000"`}},
	{"c_ltz9", "TIMESTAMP_LTZ(9)", precise("TIMESTAMP_WITH_LOCAL_TIME_ZONE", 9), []string{`"1785542400123,456789"`, `"0,999999"`}},
	{"c_ints", "ARRAY<INT>", array(scalar("INTEGER")), []string{`[]`, `["1",null,"-2147483648"]`}},
	{"c_strings", "ARRAY<STRING>", array(scalar("STRING")), []string{`["",null,"a much longer element","\u20ac"]`, `[]`, `[null]`}},
	{"c_decimals", "ARRAY<DECIMAL(38, 18)>", array(decimal(38, 18)), []string{`["1.000000000000000000",null]`}},
	{"c_times", "ARRAY<TIMESTAMP(9)>", array(precise("TIMESTAMP_WITHOUT_TIME_ZONE", 9)), []string{`["1785542400123,456789",null,"0,1"]`}},
	{"c_arrays", "ARRAY<ARRAY<INT>>", array(array(scalar("INTEGER"))), []string{`[["1","2"],null,[]]`, `[]`}},
	{"c_map", "MAP<STRING, BIGINT>", mapOf("STRING", scalar("BIGINT")), []string{`[["a","1"],["longer than seven","-1"],["n",null]]`, `[]`}},
	{"c_row", "ROW<a INT, b STRING>", `{"type":"ROW","fields":[` + rowField("a", scalar("INTEGER")) + `,` + rowField("b", scalar("STRING")) + `]}`,
		[]string{`["1","one"]`, `[null,null]`, `["-1","a longer text than fits"]`}},
	{"c_rows", "ARRAY<ROW<a INT, b ARRAY<STRING>>>", array(`{"type":"ROW","fields":[` + rowField("a", scalar("INTEGER")) + `,` +
		rowField("b", array(scalar("STRING"))) + `]}`), []string{`[["1",["x",null]],null,[null,[]]]`, `[]`}},
	{"c_deep", "MAP<INT, ROW<a MAP<STRING, DOUBLE>, b TIMESTAMP_LTZ(6)>>", mapOf("INTEGER", `{"type":"ROW","fields":[`+
		rowField("a", mapOf("STRING", scalar("DOUBLE")))+`,`+rowField("b", precise("TIMESTAMP_WITH_LOCAL_TIME_ZONE", 6))+`]}`),
		[]string{`[["1",[[["k","0x3ff0000000000000"]],"1785542400123,456000"]],["2",null]]`, `[]`}},
}

// WideRows are n rows with ids from first on: the first all NULL, then the edge values in turn, so that five rows have each.
func WideRows(first int64, n int) []Row {
	rows := make([]Row, n)
	for i := range rows {
		values := []string{fmt.Sprintf(`"%d"`, first+int64(i))}
		for _, c := range WideColumns {
			if i == 0 {
				values = append(values, "null")
			} else {
				values = append(values, c.Values[(i-1)%len(c.Values)])
			}
		}
		rows[i] = Row("[" + strings.Join(values, ",") + "]")
	}
	return rows
}

// WideDescriptor is the table descriptor's JSON of the wide key table or the wide log table.
func WideDescriptor(key bool, buckets int, properties map[string]string) []byte {
	id := 0
	columns := []string{`{"name":"id","data_type":{"type":"BIGINT","nullable":false},"id":0}`}
	for _, c := range WideColumns {
		id++
		own := id
		parts := strings.Split(c.JSON, "#")
		for i := range parts[:len(parts)-1] {
			id++
			parts[i] += fmt.Sprint(id)
		}
		columns = append(columns, fmt.Sprintf(`{"name":%q,"data_type":%s,"id":%d}`, c.Name, strings.Join(parts, ""), own))
	}
	primaryKey, bucketKey := "", "[]"
	if key {
		primaryKey, bucketKey = `"primary_key":["id"],`, `["id"]`
	}
	if properties == nil {
		properties = map[string]string{}
	}
	p, _ := json.Marshal(properties) // cannot fail
	return fmt.Appendf(nil, `{"version":1,"schema":{"version":1,"columns":[%s],%s"highest_field_id":%d},"partition_key":[],`+
		`"bucket_key":%s,"bucket_count":%d,"properties":%s,"custom_properties":{}}`,
		strings.Join(columns, ","), primaryKey, id, bucketKey, buckets, p)
}

// WideSQL is the list of columns for CREATE TABLE, without the primary key: "id BIGINT NOT NULL, c_boolean BOOLEAN, ...".
func WideSQL() string {
	columns := []string{"id BIGINT NOT NULL"}
	for _, c := range WideColumns {
		columns = append(columns, c.Name+" "+c.SQL)
	}
	return strings.Join(columns, ", ")
}

func scalar(root string) string { return `{"type":"` + root + `"}` }

func decimal(precision, scale int) string {
	return fmt.Sprintf(`{"type":"DECIMAL","precision":%d,"scale":%d}`, precision, scale)
}

func precise(root string, precision int) string {
	return fmt.Sprintf(`{"type":%q,"precision":%d}`, root, precision)
}

func array(element string) string { return `{"type":"ARRAY","element_type":` + element + `}` }

func mapOf(keyRoot, value string) string {
	return `{"type":"MAP","key_type":{"type":"` + keyRoot + `","nullable":false},"value_type":` + value + `}`
}

// rowField numbers fields as the Java builder does, depth first: the field's id comes before those of its own fields.
func rowField(name, fieldType string) string {
	return `{"name":"` + name + `","field_id":#,"field_type":` + fieldType + `}`
}

// text is a string of n hex digits.
func text(n int) string { return `"` + strings.Repeat("0123456789abcdef", n/16+1)[:n] + `"` }
