package plan

import "fmt"

// Explain describes a plan, one fact a line.
func Explain(p Plan) []string {
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
			lines = append(lines, "  partial update of "+(&scope{table: p.Table}).columnNames(p.Columns))
		}
		return lines
	case *Update:
		how := "lookup, then partial update of "
		if p.WholeRow {
			how = "lookup, then write of the whole row with "
		}
		return []string{"update " + p.Table.Path.String() + " by primary key", "  " + how + (&scope{table: p.Table}).columnNames(p.Columns)}
	case *Delete:
		return []string{"delete from " + p.Table.Path.String() + " by primary key", "  lookup, then delete of what is there"}
	}
	return nil
}

// LikeMatch matches a text against a LIKE pattern with backslash as escape.
func LikeMatch(s, pattern string) bool { return likeMatch([]byte(s), []byte(pattern), '\\') }
