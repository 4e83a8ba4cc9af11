package plan

import (
	"fmt"
	"strings"

	"github.com/gofluss/fluss/internal/catalog"
)

// Explain describes the plan, one fact a line.
func (s *Select) Explain() []string {
	t := s.Table
	lines := []string{s.explainAccess()}
	if s.Buckets != nil {
		lines = append(lines, "  buckets restricted by BUCKET or _bucket")
	}
	if s.Partition != nil || s.PartitionFilter != nil {
		lines = append(lines, "  partitions restricted by WHERE")
	}
	if s.Columns != nil && s.Access == LogScan && t.LogFormat == catalog.LogArrow && len(s.Columns) < len(t.Schema.Columns) {
		lines = append(lines, "  projection pushed down: "+ColumnNames(t, s.Columns))
	}
	if s.Filter != nil {
		lines = append(lines, "  filter in the driver on: "+s.names(s.Filter.Columns))
	}
	if s.OrderBy != nil {
		lines = append(lines, "  sort in the driver")
	}
	if s.Limit.Present {
		lines = append(lines, "  limit "+s.Limit.text())
	}
	if t.DatalakeFormat != "" {
		lines = append(lines, "  reads the Fluss layer only, not the lake ("+t.DatalakeFormat+")")
	}
	return lines
}

// names lists columns of the virtual row, those of $binlog's images as before.c and after.c.
func (s *Select) names(at []int) string {
	list := make([]string, len(at))
	sc := scope{table: s.Table, images: s.images}
	for k, i := range at {
		list[k] = sc.column(i).Name
		if field := i - sc.width() - PseudoColumns - imageFields; field >= sc.width() {
			list[k] = "after." + list[k]
		} else if field >= 0 {
			list[k] = "before." + list[k]
		}
	}
	return strings.Join(list, ", ")
}

func (s *Select) explainAccess() string {
	t := s.Table
	names := func(at []int) string { return ColumnNames(t, at) }
	switch s.Access {
	case Lookup:
		kind := "multi lookup"
		if s.Keys.One(nil) {
			kind = "point lookup"
		}
		return fmt.Sprintf("%s on %s by primary key (%s), bucket key (%s), %d buckets", kind, t.Path, names(t.PrimaryKey), names(t.BucketCols), t.BucketCount)
	case Prefix:
		return fmt.Sprintf("prefix lookup on %s by (%s), %d buckets", t.Path, names(t.BucketCols), t.BucketCount)
	case TableScan:
		return fmt.Sprintf("scan of key table %s, %d buckets, LIMIT_SCAN", t.Path, t.BucketCount)
	case CountRows:
		return fmt.Sprintf("row count of %s from the servers' statistics, %d buckets", t.Path, t.BucketCount)
	}
	what := "log"
	if s.Changelog {
		what = "change log"
	}
	if s.Binlog {
		what = "change log, updates as one row,"
	}
	return fmt.Sprintf("scan of the %s of %s, %d buckets, %s", what, t.Path, t.BucketCount, s.explainStart())
}

func (s *Select) explainStart() string {
	text := map[StartKind]string{FromEarliest: "from earliest", FromLatest: "from latest", FromOffset: "from an offset", FromTimestamp: "from a timestamp", FromLast: "the last offsets"}[s.Log.Start.Kind]
	var more []string
	if s.Log.Bounds != nil {
		more = append(more, "bounded by _log_offset")
	}
	if s.Log.Times != nil {
		more = append(more, "bounded by _commit_timestamp")
	}
	if s.Log.Discovery > 0 {
		more = append(more, "following, new partitions looked for every "+s.Log.Discovery.String())
	} else if s.Log.Follow {
		more = append(more, "following")
	} else {
		more = append(more, "to the end seen at the start")
	}
	return text + ", " + strings.Join(more, ", ")
}
