package flusstest

import (
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/record"
	"github.com/gofluss/fluss/internal/row"
	"github.com/gofluss/fluss/internal/row/rowtest"
)

// TestPutUnchecked pins what a server takes that nobody should send, and what it stumbles over.
func TestPutUnchecked(t *testing.T) {
	s := script{columns: "k INT, v STRING, n INT NOT NULL"}
	target := newTarget(t, s.descriptor(t))
	good := batchOf(t, target.table(), target.table().Schema, -1, -1, []string{"1,a,5"})
	edit := func(f func(b []byte)) []byte {
		b := slices.Clone(good)
		f(b)
		return b
	}
	records := func(count int, list ...[]byte) []byte { return kvBatch(1, -1, -1, count, slices.Concat(list...)) }
	kv := func(key, row string) []byte { return record.AppendKVRecord(nil, []byte(key), []byte(row)) }
	for _, c := range []struct {
		name  string
		batch []byte
		want  string
	}{
		{"good", good, "1"},
		{"CRC", edit(func(b []byte) { b[5] ^= 1 }), "3"},
		{"magic", edit(func(b []byte) { b[4] = 7 }), "5"},
		{"length 1 GiB", edit(func(b []byte) { binary.LittleEndian.PutUint32(b, 1<<30) }), "7"},
		{"length 0", edit(func(b []byte) { clear(b[:4]) }), "9"},
		{"two batches", slices.Concat(good, good), "11"},
		{"count too high", edit(func(b []byte) { b[24] = 2 }), "E-1"},
		{"count too low", edit(func(b []byte) { b[24] = 0 }), "12"},
		{"count -1", edit(func(b []byte) { binary.LittleEndian.PutUint32(b[24:], 0xffffffff) }), "E-1"},
		{"schema -1", edit(func(b []byte) { b[9], b[10] = 0xff, 0xff }), "E9"},
		{"cut in the header", good[:20], "E-1"},
		{"nothing", []byte{}, "E-1"},
		{"cut in a record", good[:len(good)-1], "E-1"},
		{"record length -1", edit(func(b []byte) { copy(b[28:], "\xff\xff\xff\xff") }), "E-1"},
		{"record length 0", records(1, []byte{0, 0, 0, 0}), "E-1"},
		{"key over the end", records(1, []byte{2, 0, 0, 0, 9, 1}), "E-1"},
		{"tail behind the row", records(1, kv("\x02", "\x00\x02\x01b\x05tail")), "13"},
		{"key of another row", records(1, kv("\x03", "\x00\x07\x01b\x05")), "14"},
		{"empty key", records(1, kv("", "\x00\x08\x01b\x05")), "15"},
		{"all null", records(1, kv("\x04", "\x07")), "16"},
		{"all null, more bits", records(1, kv("\x05", "\xff")), "17"},
		{"NULL in NOT NULL", records(1, kv("\x06", "\x04\x06\x01b")), "E-1"},
		{"NULL in NOT NULL, value there", records(1, kv("\x06", "\x04\x06\x01b\x05")), "18"},
		{"invalid UTF-8", records(1, kv("\x07", "\x00\x07\x02\xff\xfe\x05")), "19"},
		{"truncated row", records(1, kv("\x08", "\x00\x08\x05b")), "E-1"},
		{"good and truncated", records(2, kv("\x08", "\x00\x08\x01b\x05"), kv("\x09", "\x00\x08\x05b")), "E-1"},
		{"delete of the all-null row", records(1, kv("\x04", "")), "20"},
		{"update of the tail", records(1, kv("\x02", "\x00\x02\x01c\x05")), "22"},
	} {
		end, err := target.put(c.batch, nil, false)
		expect(t, c.name, answer(t, end, err), c.want)
	}
	expect(t, "log", logText(t, target, nil), "0+I(1,a,5) 1-U(1,a,5) 2+U(1,a,5) 3-U(1,a,5) 4+U(1,a,5) 5-U(1,a,5) 6+U(1,a,5) "+
		"7-U(1,a,5) 8+U(1,a,5) 9-U(1,a,5) 10+U(1,a,5) 11. 12+I(2,b,5) 13+I(7,b,5) 14+I(8,b,5) 15+I(~,~,~) 16+I(~,~,~) "+
		"17+I(6,b,~) 18+I(7,\ufffd,5) 19-D(~,~,~) 20-U(2,b,5) 21+U(2,c,5)")
	values, err := target.lookup([][]byte{{2}, {3}, {}, {4}, {5}, {6}, {7}, {8}, {9}})
	expect(t, "values", fmt.Sprintf("%x %v", values, err),
		"[01000002016305 01000007016205 01000008016205  0100ff 01000406016205 0100000702fffe05  ] <nil>")
}

// goldenKV is testdata/kv_batches.json: batches made by the Java client.
type goldenKV struct {
	Groups []struct {
		Name       string          `json:"name"`
		KVFormat   string          `json:"kv_format"`
		Schema     json.RawMessage `json:"schema"`
		KeyColumns []string        `json:"key_columns"`
		Cases      []struct {
			Name     string `json:"name"`
			SchemaID int    `json:"schema_id"`
			WriterID int64  `json:"writer_id"`
			Sequence int32  `json:"batch_sequence"`
			Records  []struct {
				Op  string          `json:"op"`
				Key string          `json:"key"`
				Row json.RawMessage `json:"row"`
			} `json:"records"`
			Bytes string `json:"bytes"`
			Valid *bool  `json:"valid"`
		} `json:"cases"`
	} `json:"groups"`
}

// TestPutGolden applies the kv batches of the Java client. Rows and change log have to be what the file says was put
// in.
func TestPutGolden(t *testing.T) {
	text, err := os.ReadFile("testdata/kv_batches.json")
	if err != nil {
		t.Fatal(err)
	}
	var golden goldenKV
	if err := json.Unmarshal(text, &golden); err != nil {
		t.Fatal(err)
	}
	cases, records := 0, 0
	for _, g := range golden.Groups {
		for _, c := range g.Cases {
			if c.Valid != nil && !*c.Valid {
				continue
			}
			cases++
			schema, err := catalog.DecodeSchema(g.Schema, 1)
			if err != nil {
				t.Fatal(err)
			}
			m := newMemoryTarget(t, catalog.Descriptor{
				Schema: schema, BucketKeys: g.KeyColumns, BucketCount: 1,
				Properties: map[string]string{"table.kv.format": g.KVFormat, "table.kv.format-version": "2",
					"table.log.format": "compacted"}}) // an ARROW log refuses some INDEXED rows
			for id := 2; id <= c.SchemaID; id++ {
				version := *schema
				version.ID = id
				m.versions.list = append(m.versions.list, &version)
			}
			m.store.writers.wrote(c.WriterID, writtenBatch{sequence: c.Sequence - 1}, m.clock().UnixMilli())
			bytes, err := hex.DecodeString(c.Bytes)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := m.put(bytes, nil, false); err != nil {
				t.Errorf("%s, %s: %v", g.Name, c.Name, err)
				continue
			}
			type texts struct{ sent, logged string }
			rows, changes, offset := map[string]texts{}, []string{}, 0
			change := func(sign, text string) {
				changes = append(changes, fmt.Sprintf("%d%s%s", offset, sign, text))
				offset++
			}
			for _, r := range c.Records {
				records++
				old, had := rows[r.Key]
				if r.Op == "delete" {
					if delete(rows, r.Key); had {
						change("-D", old.logged)
					}
					continue
				}
				values, err := rowtest.ParseRow(schema.Types(), r.Row)
				if err != nil {
					t.Fatal(err)
				}
				now := texts{sent: rowText(schema.Types(), values)}
				now.logged = rowText(schema.Types(), readBack(t, m.table(), values))
				if rows[r.Key] = now; had {
					change("-U", old.logged)
					change("+U", now.logged)
				} else {
					change("+I", now.logged)
				}
			}
			if len(changes) == 0 {
				changes = []string{"0."}
			}
			expect(t, g.Name+", "+c.Name, logText(t, m, nil), strings.Join(changes, " "))
			for k, want := range rows {
				key, _ := hex.DecodeString(k)
				expect(t, c.Name, valuesText(t, m, [][]byte{m.store.lookup(key)}), fmt.Sprint(c.SchemaID)+want.sent)
			}
			if n, _ := m.stats(); n != int64(len(rows)) {
				t.Errorf("%s: %d rows, want %d", c.Name, n, len(rows))
			}
		}
	}
	t.Logf("%d batches, %d records", cases, records)
	if cases == 0 {
		t.Error("no case ran")
	}
}

func readBack(t *testing.T, table *catalog.Table, values []row.Datum) []row.Datum {
	values, err := newShape(table, table.Schema).readBack(values)
	if err != nil {
		t.Fatal(err)
	}
	return values
}

func TestLookups(t *testing.T) {
	s := script{columns: "a INT, b STRING, v STRING", keys: 2}
	target := newTarget(t, s.descriptor(t))
	runStep(t, target, "put 2,y,1 1,b,2 1,a,3 2,x,4 1,,5 300,a,6")
	runStep(t, target, "put !2,x 1,b,7")
	runStep(t, target, "put 2,x,8 !1,a 1,ab,9")
	values, err := target.lookup(parseKeys(t, target.table(), []string{"2,x", "1,a", "2,x", "1,ab"}))
	if err != nil {
		t.Fatal(err)
	}
	expect(t, "lookup", valuesText(t, target, values), "1(2,x,8) - 1(2,x,8) 1(1,ab,9)")
	for prefix, want := range map[string]string{
		"\x01": "1(1,,5) 1(1,b,7) 1(1,ab,9)", "\x02": "1(2,x,8) 1(2,y,1)", "\x03": "", "\xac\x02": "1(300,a,6)",
		"": "1(1,,5) 1(1,b,7) 1(1,ab,9) 1(2,x,8) 1(2,y,1) 1(300,a,6)", "\x01\x01": "1(1,b,7)",
	} {
		values, err := target.prefix([]byte(prefix))
		if err != nil {
			t.Fatal(err)
		}
		expect(t, fmt.Sprintf("prefix %x", prefix), valuesText(t, target, values), want)
	}
	for limit, want := range map[int]int{-1: 0, 0: 0, 1: 1, 3: 3, 6: 6, 7: 6} {
		records, err := target.limitScan(limit)
		if err != nil {
			t.Fatal(err)
		}
		b, err := record.ReadValueBatch(records)
		if err != nil || int(b.Count) != want {
			t.Errorf("limit %d: %d rows, %v", limit, b.Count, err)
		}
	}
}
