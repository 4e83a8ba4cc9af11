package row_test

import (
	"testing"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/row"
)

func TestGoldenHashes(t *testing.T) {
	var f struct {
		Cases []struct {
			Name, Bytes            string
			Seed42                 int32 `json:"murmur32_seed42"`
			Mixed                  int32 `json:"fluss_mixed"`
			Seed0                  int32 `json:"murmur3_32_seed0"`
			Fluss, Paimon, Iceberg []int32
		}
	}
	readFixture(t, "hash.json", &f)
	for _, c := range f.Cases {
		b := mustHex(t, c.Bytes)
		if got := row.Hash42(b); got != c.Seed42 {
			t.Errorf("%s: Hash42: got %d, want %d", c.Name, got, c.Seed42)
		}
		if got := row.HashFluss(b); got != c.Mixed {
			t.Errorf("%s: HashFluss: got %d, want %d", c.Name, got, c.Mixed)
		}
		if got := row.HashIceberg(b); got != c.Seed0 {
			t.Errorf("%s: HashIceberg: got %d, want %d", c.Name, got, c.Seed0)
		}
		for lake, want := range map[string][]int32{"": c.Fluss, "lance": c.Fluss, "paimon": c.Paimon, "iceberg": c.Iceberg} {
			for i, w := range want {
				table := &catalog.Table{DatalakeFormat: lake}
				table.BucketCount = bucketCounts[i]
				if got := row.NewBucketer(table).Bucket(b); got != w {
					t.Errorf("%s: lake %q, bucket of %d: got %d, want %d", c.Name, lake, bucketCounts[i], got, w)
				}
			}
		}
	}
	t.Logf("%d byte strings", len(f.Cases))
}
