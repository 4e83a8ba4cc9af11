package row_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/row"
	"github.com/gofluss/fluss/internal/row/rowtest"
)

// keysFixture is testdata/keys.json: keys made by the KeyEncoder classes of v0.9.1-incubating.
type keysFixture struct {
	Groups []struct {
		Name       string
		Schema     json.RawMessage
		KeyColumns []string `json:"key_columns"`
		Cases      []struct {
			Name                   string
			Row                    json.RawMessage
			Fluss, Paimon, Iceberg keyCase
		}
	}
	EncoderChoice []struct {
		Version    *string `json:"table.kv.format-version"`
		Lake       *string `json:"table.datalake.format"`
		Default    bool    `json:"default_bucket_key"`
		PrimaryKey string  `json:"primary_key_encoder"`
		BucketKey  string  `json:"bucket_key_encoder"`
		Function   string  `json:"bucketing_function"`
	} `json:"encoder_choice"`
	Tables []struct {
		Name        string
		Descriptor  json.RawMessage `json:"table_descriptor"`
		PhysicalKey []string        `json:"physical_primary_keys"`
		BucketKeys  []string        `json:"bucket_keys"`
		Default     bool            `json:"default_bucket_key"`
		Cases       []struct {
			Row        json.RawMessage
			Partition  string
			PrimaryKey *string `json:"primary_key"`
			BucketKey  *string `json:"bucket_key"`
			Bucket     int32
			Error      string
		}
	}
}

type keyCase struct {
	Key     string
	Buckets []int32 // for the counts in bucketCounts; absent where the function throws
	Error   string
}

var bucketCounts = []int{1, 3, 8, 128}

func TestGoldenKeys(t *testing.T) {
	var f keysFixture
	readFixture(t, "keys.json", &f)
	n := map[string]int{}
	for _, g := range f.Groups {
		schema := readSchema(t, g.Schema)
		for _, c := range g.Cases {
			data, err := rowtest.ParseRow(schema.Types(), c.Row)
			if err != nil {
				t.Fatalf("%s: %s: %v", g.Name, c.Name, err)
			}
			for lake, want := range map[string]keyCase{"": c.Fluss, "lance": c.Fluss, "paimon": c.Paimon, "iceberg": c.Iceberg} {
				checkKey(t, fmt.Sprintf("%s: %s: lake %q", g.Name, c.Name, lake), schema, g.KeyColumns, lake, data, want)
				n[lake]++
			}
		}
	}
	t.Logf("%d groups, cases: %v", len(f.Groups), n)
}

func checkKey(t *testing.T, name string, schema *catalog.Schema, columns []string, lake string, data []row.Datum, want keyCase) {
	t.Helper()
	d := catalog.Descriptor{Schema: schema, BucketKeys: columns, Properties: map[string]string{"table.datalake.format": lake}}
	table, err := catalog.NewTable(catalog.TablePath{Database: "d", Table: "t"}, 1, d)
	if err != nil {
		t.Fatal(err)
	}
	k, err := row.NewBucketKeyEncoder(table)
	var key []byte
	if err == nil {
		key, err = k.Append([]byte("xy"), data)
	}
	if want.Error != "" || want.Buckets == nil {
		if err == nil {
			t.Errorf("%s: got %x, want the error %q", name, key, want.Error)
		}
		if want.Error == "" && !errors.Is(err, row.ErrEmptyKey) {
			t.Errorf("%s: got error %v, want ErrEmptyKey", name, err)
		}
		return
	}
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	if got := hex.EncodeToString(key[2:]); got != want.Key {
		t.Errorf("%s:\n got %s\nwant %s", name, got, want.Key)
	}
	for i, count := range bucketCounts {
		table.BucketCount = count
		if got := row.NewBucketer(table).Bucket(key[2:]); got != want.Buckets[i] {
			t.Errorf("%s: bucket of %d: got %d, want %d", name, count, got, want.Buckets[i])
		}
	}
}

// TestEncoderChoice tells the encoders apart by their bytes: the keys of one INT column differ in length.
func TestEncoderChoice(t *testing.T) {
	var f keysFixture
	readFixture(t, "keys.json", &f)
	encoders := map[int]string{2: "CompactedKeyEncoder", 24: "PaimonKeyEncoder", 8: "IcebergKeyEncoder", 1: "CompactedKeyEncoder", 16: "PaimonKeyEncoder"}
	for _, c := range f.EncoderChoice {
		d := catalog.Descriptor{
			BucketCount: 16, BucketKeys: []string{"a"}, Properties: map[string]string{},
			Schema: &catalog.Schema{PrimaryKey: []string{"a"}, Columns: []catalog.Column{
				{Name: "a", Type: catalog.Type{Kind: catalog.Int, NotNull: true}, ID: 0},
				{Name: "b", Type: catalog.Type{Kind: catalog.Int, NotNull: true}, ID: 1},
			}},
		}
		if !c.Default {
			d.Schema.PrimaryKey = []string{"a", "b"}
		}
		if c.Version != nil {
			d.Properties["table.kv.format-version"] = *c.Version
		}
		if c.Lake != nil {
			d.Properties["table.datalake.format"] = *c.Lake
		}
		name := fmt.Sprintf("%v, default bucket key %v", d.Properties, c.Default)
		table, err := catalog.NewTable(catalog.TablePath{Database: "d", Table: "t"}, 1, d)
		if err != nil {
			t.Fatal(err)
		}
		data := []row.Datum{{I: 1}, {I: 2}}
		key := func(k *row.KeyEncoder, err error) ([]byte, string) {
			if err != nil && c.Lake != nil && *c.Lake == "iceberg" && !c.Default {
				return nil, "IcebergKeyEncoder" // refuses two columns
			}
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			b, err := k.Append(nil, data)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			return b, encoders[len(b)]
		}
		if _, got := key(row.NewKeyEncoder(table)); got != c.PrimaryKey {
			t.Errorf("%s: primary key: got %s, want %s", name, got, c.PrimaryKey)
		}
		_, got := key(row.NewBucketKeyEncoder(table))
		if got != c.BucketKey {
			t.Errorf("%s: bucket key: got %s, want %s", name, got, c.BucketKey)
		}
		probe := []byte{0x0a, 0x0b, 0x0c} // buckets of 16: fluss 15, paimon 5, iceberg 11
		functions := map[int32]string{15: "FlussBucketingFunction", 5: "PaimonBucketingFunction", 11: "IcebergBucketingFunction"}
		if got := functions[row.NewBucketer(table).Bucket(probe)]; got != c.Function {
			t.Errorf("%s: function: got %s, want %s", name, got, c.Function)
		}
	}
	t.Logf("%d combinations", len(f.EncoderChoice))
}

func TestGoldenKeyTables(t *testing.T) {
	var f keysFixture
	readFixture(t, "keys.json", &f)
	n := 0
	for _, g := range f.Tables {
		d, err := catalog.DecodeDescriptor(g.Descriptor)
		if err != nil {
			t.Fatalf("%s: %v", g.Name, err)
		}
		table, err := catalog.NewTable(catalog.TablePath{Database: "d", Table: "t"}, 1, d)
		if err != nil {
			t.Fatalf("%s: %v", g.Name, err)
		}
		if got := columnNames(table, table.PhysicalKey); !slices.Equal(got, g.PhysicalKey) {
			t.Errorf("%s: physical key %q, want %q", g.Name, got, g.PhysicalKey)
		}
		if got := columnNames(table, table.BucketCols); !slices.Equal(got, g.BucketKeys) {
			t.Errorf("%s: bucket key %q, want %q", g.Name, got, g.BucketKeys)
		}
		if got := table.DefaultBucketKey(); got != g.Default {
			t.Errorf("%s: default bucket key %v, want %v", g.Name, got, g.Default)
		}
		for _, c := range g.Cases {
			n++
			name := g.Name + ": " + string(c.Row)
			data, err := rowtest.ParseRow(table.Schema.Types(), c.Row)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if table.IsPartitioned() && c.Error == "" {
				if got, err := row.PartitionName(table, data); (err == nil && got != c.Partition) || (err != nil && row.CheckPartitionValue(c.Partition) == nil) {
					t.Errorf("%s: partition %q, %v, want %q", name, got, err, c.Partition)
				}
			}
			primary, err1 := keyOf(row.NewKeyEncoder, table, data, table.IsKeyTable())
			bucketKey, err2 := keyOf(row.NewBucketKeyEncoder, table, data, len(table.BucketCols) > 0)
			if c.Error != "" {
				if err1 == nil && err2 == nil {
					t.Errorf("%s: no error, want %s", name, c.Error)
				} else if !strings.Contains(c.Error, "exactly one field") {
					t.Errorf("%s: %v, want %s", name, errors.Join(err1, err2), c.Error)
				}
				continue
			}
			if err := errors.Join(err1, err2); err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			checkHex(t, name+": primary key", primary, c.PrimaryKey)
			checkHex(t, name+": bucket key", bucketKey, c.BucketKey)
			if c.BucketKey != nil {
				if got := row.NewBucketer(table).Bucket(bucketKey); got != c.Bucket {
					t.Errorf("%s: bucket %d, want %d", name, got, c.Bucket)
				}
			}
			checkPrefix(t, name, table, data, primary)
		}
	}
	t.Logf("%d tables, %d rows", len(f.Tables), n)
}

// checkPrefix holds that a prefix key is a prefix of the primary key.
func checkPrefix(t *testing.T, name string, table *catalog.Table, data []row.Datum, primary []byte) {
	t.Helper()
	k, err := row.NewPrefixKeyEncoder(table)
	if (err == nil) != table.PrefixLookup() {
		t.Errorf("%s: prefix encoder: %v", name, err)
	}
	if err != nil {
		return
	}
	prefix, err := k.Append(nil, data)
	if err != nil || !bytes.HasPrefix(primary, prefix) {
		t.Errorf("%s: prefix %x of %x, %v", name, prefix, primary, err)
	}
}

func keyOf(newEncoder func(*catalog.Table) (*row.KeyEncoder, error), table *catalog.Table, data []row.Datum, has bool) ([]byte, error) {
	k, err := newEncoder(table)
	if !has {
		if err == nil {
			return nil, errors.New("an encoder for a key that is not there")
		}
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return k.Append(nil, data)
}

func checkHex(t *testing.T, name string, got []byte, want *string) {
	t.Helper()
	if want == nil {
		if got != nil {
			t.Errorf("%s: got %x, want none", name, got)
		}
		return
	}
	if hex.EncodeToString(got) != *want {
		t.Errorf("%s: got %x, want %s", name, got, *want)
	}
}

func columnNames(t *catalog.Table, positions []int) []string {
	names := []string{}
	for _, p := range positions {
		names = append(names, t.Schema.Columns[p].Name)
	}
	return names
}
