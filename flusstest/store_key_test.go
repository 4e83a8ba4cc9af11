package flusstest

import (
	"fmt"
	"slices"
	"testing"

	"github.com/gofluss/fluss/internal/fuzzbound"
	"github.com/gofluss/fluss/internal/row"
	"github.com/gofluss/fluss/internal/row/rowtest"
)

// TestKeyDecoder: decoding gives back what row.KeyEncoder encoded, in every encoding, and a cut key is an error.
func TestKeyDecoder(t *testing.T) {
	const scalars = "a BOOLEAN, b TINYINT, c SMALLINT, d INT, e BIGINT, f FLOAT, g DOUBLE, h CHAR(5), i STRING, j BINARY(3), " +
		"k BYTES, l DECIMAL(9;2), m DECIMAL(30;1), n DATE, o TIME(3), p TIMESTAMP(3), q TIMESTAMP(9), r TIMESTAMP_LTZ(6)"
	rows := []string{
		"true,-5,300,-70000,5000000000,1.5,-2.25,ab,abcdefgh,010203,,-12.34,-12345678901234567890123.4,-5,1000,-5+0,-5+999999,7+1000",
		"false,5,-300,70000,-5,0,1e300,,short,000000,0102030405060708,99.00,0.0,5,0,5+0,5+1,-7+0",
	}
	cases := []struct {
		lake, columns string
		rows          []string
	}{
		{"", scalars, rows}, {"lance", scalars, rows}, {"paimon", scalars, rows},
		{"iceberg", "a INT", []string{"5", "-5"}}, {"iceberg", "a BIGINT", []string{"-5000000000"}},
		{"iceberg", "a DATE", []string{"-5"}}, {"iceberg", "a TIME(3)", []string{"86399999"}},
		{"iceberg", "a TIMESTAMP(6)", []string{"-5+999000", "5+1000"}}, {"iceberg", "a TIMESTAMP(3)", []string{"-5+0"}},
		{"iceberg", "a FLOAT", []string{"-1.5"}}, {"iceberg", "a DOUBLE", []string{"-1.5"}},
		{"iceberg", "a DECIMAL(9;2)", []string{"-12.34", "0.00"}}, {"iceberg", "a DECIMAL(30;1)", []string{"-12345678901234567890.1"}},
		{"iceberg", "a STRING", []string{"abc"}}, {"iceberg", "a BYTES", []string{"0102"}},
	}
	n := 0
	for _, c := range cases {
		s := script{columns: c.columns, keys: 100, props: map[string]string{}}
		if c.lake != "" {
			s.props["table.datalake.format"] = c.lake
		}
		s.keys = len(splitColumns(c.columns))
		d := s.descriptor(t)
		d.BucketKeys = d.Schema.PrimaryKey
		table := newMemoryTarget(t, d).table()
		decoder := newKeyDecoder(table, table.Schema)
		for _, text := range c.rows {
			want := parseRow(t, table.Schema.Types(), text)
			key := keyOf(t, table, want)
			got := make([]row.Datum, len(want))
			if err := decoder.decode(got, key); err != nil || !rowtest.EqualRows(table.Schema.Types(), got, want) {
				t.Errorf("%s %s: got %s, %v", c.lake, text, rowText(table.Schema.Types(), got), err)
			}
			for cut := range key {
				_ = decoder.decode(got, slices.Clone(key[:cut])) // no panic
			}
			n++
		}
	}
	t.Log(fmt.Sprint(n, " keys"))
}

func FuzzKeyDecoder(f *testing.F) {
	f.Add(uint8(0), []byte{1, 2, 3})
	f.Add(uint8(1), make([]byte, 40))
	f.Add(uint8(2), make([]byte, 8))
	var decoders []*keyDecoder
	for _, lake := range []string{"lance", "paimon", "iceberg"} {
		s := script{columns: "a STRING, b DECIMAL(30;1), c TIMESTAMP(9)", keys: 3, props: map[string]string{"table.datalake.format": lake}}
		if lake == "iceberg" {
			s.columns, s.keys = "a DECIMAL(9;2)", 1
		}
		d := s.descriptor(f)
		d.BucketKeys = d.Schema.PrimaryKey
		table := newMemoryTarget(f, d).table()
		decoders = append(decoders, newKeyDecoder(table, table.Schema))
	}
	fuzzbound.Fuzz(f, func(t *testing.T, which uint8, key []byte) {
		d := decoders[int(which)%len(decoders)]
		fuzzbound.Check(t, len(key), func() { _ = d.decode(make([]row.Datum, len(d.positions)), key) }) // no panic
	})
}
