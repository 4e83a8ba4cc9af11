package javacheck

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gofluss/fluss/conformance/cluster"
)

var client Client

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	ctx := context.Background()
	c, err := cluster.Start(ctx, cluster.Options{})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer c.Stop(ctx)
	client = To(c)
	return m.Run()
}

func timeout(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	t.Cleanup(cancel)
	return ctx
}

func create(t *testing.T, table string, descriptor []byte) {
	t.Helper()
	if err := client.Create(timeout(t), table, descriptor); err != nil {
		t.Fatal(err)
	}
}

// sameRow compares rows as JSON values, and says which column differs. The pairs of a map
// may be in any order: from an Arrow batch the Java client gives them back in another one.
func sameRow(t *testing.T, got, want Row) {
	t.Helper()
	var g, w []json.RawMessage
	if err := json.Unmarshal(got, &g); err != nil {
		t.Errorf("got %s: %v", got, err)
		return
	}
	if err := json.Unmarshal(want, &w); err != nil {
		t.Fatal(err)
	}
	if len(g) != len(w) {
		t.Errorf("got %d values, want %d: %s", len(g), len(w), got)
		return
	}
	for i := range g {
		name, isMap := "id", false
		if i > 0 {
			name, isMap = WideColumns[i-1].Name, strings.HasPrefix(WideColumns[i-1].SQL, "MAP<")
		}
		if normal(g[i], isMap) != normal(w[i], isMap) {
			t.Errorf("row %s, column %s: got %s, want %s", w[0], name, g[i], w[i])
		}
	}
}

func normal(raw json.RawMessage, isMap bool) string {
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		return "not JSON: " + string(raw)
	}
	if pairs, ok := v.([]any); ok && isMap {
		slices.SortFunc(pairs, func(a, b any) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
	}
	b, _ := json.Marshal(v)
	return string(b)
}

// Java writes, Java reads: every type through rows (lookups) and through the change log.
func TestWideKeyTable(t *testing.T) {
	for _, format := range []string{"COMPACTED", "INDEXED"} {
		t.Run(format, func(t *testing.T) {
			table := "javacheck.wide_" + strings.ToLower(format)
			create(t, table, WideDescriptor(true, 3, map[string]string{"table.kv.format": format}))
			rows := WideRows(10, 6)
			if err := client.Write(timeout(t), table, rows...); err != nil {
				t.Fatal(err)
			}
			found, err := client.Lookup(timeout(t), table, Row(`["10"]`), Row(`["11"]`), Row(`["99"]`), Row(`["12"]`), Row(`["13"]`), Row(`["14"]`), Row(`["15"]`))
			if err != nil {
				t.Fatal(err)
			}
			if found[2] != nil {
				t.Errorf("key 99: got %s, want none", found[2])
			}
			for i, row := range append(found[:2:2], found[3:]...) {
				sameRow(t, row, rows[i])
			}
			changes, err := client.Scan(timeout(t), table)
			if err != nil {
				t.Fatal(err)
			}
			if len(changes) != len(rows) {
				t.Fatalf("%d changes, want %d", len(changes), len(rows))
			}
			t.Logf("%d rows of %d columns", len(rows), len(WideColumns)+1)
		})
	}
}

func TestWideLogTable(t *testing.T) {
	create(t, "javacheck.wide_log", WideDescriptor(false, 1, nil))
	rows := WideRows(0, 6)
	if err := client.Write(timeout(t), "javacheck.wide_log", rows...); err != nil {
		t.Fatal(err)
	}
	changes, err := client.Scan(timeout(t), "javacheck.wide_log")
	if err != nil {
		t.Fatal(err)
	}
	if len(changes) != len(rows) {
		t.Fatalf("%d records, want %d", len(changes), len(rows))
	}
	for i, c := range changes {
		if c.Change != "+A" || c.Offset != int64(i) || c.Timestamp == 0 {
			t.Errorf("record %d: %+v", i, c)
		}
		sameRow(t, c.Row, rows[i])
	}
}

const smallTable = `{"version":1,"schema":{"version":1,"columns":[` +
	`{"name":"day","data_type":{"type":"STRING","nullable":false},"id":0},` +
	`{"name":"a","data_type":{"type":"INTEGER","nullable":false},"id":1},` +
	`{"name":"b","data_type":{"type":"INTEGER","nullable":false},"id":2},` +
	`{"name":"v","data_type":{"type":"STRING"},"id":3}],"primary_key":["day","a","b"],"highest_field_id":3},` +
	`"partition_key":["day"],"bucket_key":["a"],"bucket_count":2,"properties":{},"custom_properties":{}}`

// Partitions, prefix lookups, partial updates and deletes.
func TestPartitions(t *testing.T) {
	const table = "javacheck.small"
	create(t, table, []byte(smallTable))
	err := client.Write(timeout(t), table, Row(`["d1","1","1","x"]`), Row(`["d1","1","2","y"]`), Row(`["d2","1","1","z"]`), Delete(Row(`["d2","1","1",null]`)))
	if err != nil {
		t.Fatal(err)
	}
	if err := client.WriteColumns(timeout(t), table, []string{"day", "a", "b", "v"}, Row(`["d1","1","2","w"]`)); err != nil {
		t.Fatal(err)
	}
	found, err := client.LookupPrefix(timeout(t), table, []string{"day", "a"}, Row(`["d1","1"]`), Row(`["d1","7"]`))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprintf("%s", found), `[[["d1","1","1","x"] ["d1","1","2","w"]] []]`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	changes, err := client.Scan(timeout(t), table)
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]string{}
	for _, c := range changes {
		kinds[c.Partition] += c.Change + " "
	}
	if kinds["d1"] != "+I +I -U +U " || kinds["d2"] != "+I -D " {
		t.Errorf("changes %v", kinds)
	}
	description, err := client.Describe(timeout(t), table)
	if err != nil || !strings.Contains(string(description), `"bucket_count":2`) {
		t.Errorf("description %s, %v", description, err)
	}
}

// What goes wrong in Java is told in its words.
func TestErrors(t *testing.T) {
	if err := client.Write(timeout(t), "javacheck.missing", Row(`[]`)); err == nil || !strings.Contains(err.Error(), "TableNotExist") {
		t.Errorf("missing table: %v", err)
	}
	if err := client.Write(timeout(t), "nodot"); err == nil {
		t.Error("a table without a database was accepted")
	}
}
