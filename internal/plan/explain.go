package plan

import (
	"fmt"
	"strings"

	"github.com/gofluss/fluss/internal/catalog"
)

// Explain describes a plan, one fact a line.
func Explain(p Plan) []string {
	lines, idle := explain(p), []string(nil)
	switch p := p.(type) {
	case *Select:
		idle = p.Idle
	case *Insert:
		idle = p.Idle
	case *Update:
		idle = p.Idle
	case *Delete:
		idle = p.Idle
	}
	if idle != nil {
		lines = append(lines, "  options without effect here: "+strings.Join(idle, ", "))
	}
	return lines
}

func explain(p Plan) []string {
	switch p := p.(type) {
	case *Select:
		return p.Explain()
	case *Insert:
		verb := "append to"
		if p.Table.IsKeyTable() {
			verb = "upsert into"
		}
		lines := []string{fmt.Sprintf("%s %s, %d rows, %d buckets", verb, p.Table.Path, p.Rows, p.Table.BucketCount)}
		if p.Target != nil {
			lines = append(lines, "  partial update of "+ColumnNames(p.Table, p.Columns))
		}
		return lines
	case *Update:
		how := "lookup, then partial update of "
		if p.WholeRow {
			how = "lookup, then write of the whole row with "
		}
		lines := []string{"update " + p.Table.Path.String() + " by primary key", "  " + how + ColumnNames(p.Table, p.Columns)}
		if p.Reads {
			lines = append(lines, "  values computed in the driver from the row looked up: not atomic")
		}
		return explainLook(lines, p.Table, p.Filter)
	case *Delete:
		return explainLook([]string{"delete from " + p.Table.Path.String() + " by primary key", "  lookup, then delete of what is there"}, p.Table, p.Filter)
	}
	return nil
}

func explainLook(lines []string, t *catalog.Table, f *Filter) []string {
	if f != nil {
		lines = append(lines, "  filter in the driver, at the lookup, on: "+ColumnNames(t, f.Columns))
	}
	return lines
}

// LikeMatch matches a text against a LIKE pattern with backslash as escape.
func LikeMatch(s, pattern string) bool { return likeMatch([]byte(s), []byte(pattern), '\\') }
