package plan

import (
	"database/sql/driver"
	"strings"
	"testing"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/row"
)

func partitionedTable(t *testing.T, key []string) *catalog.Table {
	t.Helper()
	schema := &catalog.Schema{PrimaryKey: key, Columns: []catalog.Column{
		column("id", catalog.Int, true), column("dt", catalog.String, true), column("n", catalog.Int, true), column("v", catalog.String, false)}}
	d := catalog.Descriptor{Schema: schema, PartitionKeys: []string{"dt", "n"}, BucketCount: 2}
	if key != nil {
		d.BucketKeys = []string{"id"}
	}
	table, err := catalog.NewTable(catalog.TablePath{Database: "d", Table: "t"}, 1, d)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// What WHERE says about partitions is asked of partitions, the rest of rows.
func TestPartitionFilter(t *testing.T) {
	for _, c := range []struct {
		where  string
		access Access // 0: a scan
		named  bool   // the partitions are named
		passes string // of the partitions 2026/1, 2026/2, 2027/1
		rows   bool   // a filter on rows is left
	}{
		{"dt = '2026'", 0, false, "2026$1 2026$2", false},
		{"dt = '2026' AND n = 1", 0, true, "", false},
		{"dt = '2026' AND n = 1 AND dt < '2027'", 0, true, "2026$1 2026$2", false},
		{"dt > '2026'", 0, false, "2027$1", false},
		{"n + 0 = 1", 0, false, "", false}, // refused
		{"n <> 1 OR dt = '2027'", 0, false, "2026$2 2027$1", false},
		{"dt LIKE '%6' AND NOT n = 2 AND v = 'x'", 0, false, "2026$1", true},
		{"dt = '2026' OR v = 'x'", 0, false, "", true},
		{"_partition = '2027$1' AND n IN (1, 2)", 0, false, "2027$1", false},
		{"_partition > '2026$1' AND _bucket = 1", 0, false, "2026$2 2027$1", false},
		{"1 = 0", 0, false, "", true},
		{"id = 1 AND dt = '2026' AND n = 1 AND dt <> '2027'", Lookup, false, "", true},
		{"id = 1 AND dt = ?", 0, false, "2026$1 2026$2", true},
	} {
		for _, key := range [][]string{{"dt", "n", "id"}, nil} {
			if key == nil && c.access != 0 {
				continue
			}
			table := partitionedTable(t, key)
			p, err := compile(t, table, "SELECT v FROM t WHERE "+c.where+" LIMIT 5")
			if strings.Contains(c.where, "+") {
				if err == nil {
					t.Errorf("%s: planned", c.where)
				}
				continue
			}
			if err != nil {
				t.Errorf("%s: %v", c.where, err)
				continue
			}
			s := p.(*Select)
			if c.access != 0 && s.Access != c.access || (s.Partition != nil) != c.named || (s.Filter != nil) != c.rows || passing(t, s) != c.passes {
				t.Errorf("%s: access %d, named %v, partitions %q, rows filtered %v", c.where, s.Access, s.Partition != nil, passing(t, s), s.Filter != nil)
			}
		}
	}
}

// passing lists the partitions that pass the filter, "" without one.
func passing(t *testing.T, s *Select) string {
	t.Helper()
	if s.PartitionFilter == nil {
		return ""
	}
	pass, err := s.PartitionFilter.Bind([]driver.NamedValue{{Value: "2026"}}, &row.BindOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, p := range []struct {
		dt string
		n  int64
	}{{"2026", 1}, {"2026", 2}, {"2027", 1}} {
		v := make([]row.Datum, s.Width())
		v[1].B, v[2].I = []byte(p.dt), p.n
		name := p.dt + "$" + string(rune('0'+p.n))
		s.FillPartition(v, []byte(name))
		if pass(v) {
			out = append(out, name)
		}
	}
	return strings.Join(out, " ")
}
