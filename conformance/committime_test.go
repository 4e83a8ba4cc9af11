package conformance

import (
	"crypto/rand"
	"database/sql"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gofluss/fluss"
)

// stamped is a row and when it was committed.
type stamped struct {
	id int64
	at time.Time
}

// stampedRows fills t with batches of about 300 kB, which differ in their commit timestamps at least a dozen times.
func stampedRows(t *testing.T, db *sql.DB) []stamped {
	t.Helper()
	pad := make([]byte, 3*75_000)
	if _, err := rand.Read(pad); err != nil {
		t.Fatal(err)
	}
	text := base64.StdEncoding.EncodeToString(pad)
	var list []stamped
	for different := 0; different < 12; {
		id := int64(len(list))
		mustExec(t, db, "INSERT INTO t VALUES (?, ?), (?, ?)", id, text, id+1, "short")
		for _, r := range queryAll(t, db, "SELECT id, _commit_timestamp FROM t$changelog WHERE id >= ?", id) {
			row := stamped{r[0].(int64), r[1].(time.Time)}
			if len(list) == 0 || !row.at.Equal(list[len(list)-1].at) {
				different++
			}
			list = append(list, row)
		}
	}
	return list
}

// Predicates on _commit_timestamp choose where a scan begins and ends, and are exact.
func TestCommitTimestamp(t *testing.T) {
	for _, c := range []struct{ name, ddl, from string }{
		{"log", "CREATE TABLE t (id BIGINT, pad STRING) WITH ('bucket.num' = '1')", "t"},
		{"log without projection", "CREATE TABLE t (id BIGINT, pad STRING) WITH ('bucket.num' = '1', 'table.log.format' = 'indexed')", "t"},
		{"changelog", "CREATE TABLE t (id BIGINT, pad STRING, PRIMARY KEY (id)) WITH ('bucket.num' = '1')", "t$changelog"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var fetched atomic.Int64
			db := ownWith(t, func(cfg *fluss.Config) {
				cfg.OnRequest = func(r fluss.RequestInfo) {
					if r.API == "FETCH_LOG" {
						fetched.Add(int64(r.ResponseBytes))
					}
				}
			})
			mustExec(t, db, "DROP TABLE IF EXISTS t")
			mustExec(t, db, c.ddl)
			list := stampedRows(t, db)
			bytes := func(query string, args ...any) int64 {
				before := fetched.Load()
				queryAll(t, db, query, args...)
				return fetched.Load() - before
			}
			first, middle, last := list[0].at, list[len(list)/2].at, list[len(list)-1].at
			all := bytes("SELECT id, pad FROM " + c.from)
			if n := bytes("SELECT id, pad FROM "+c.from+" WHERE _commit_timestamp >= ?", last); n > all/3 {
				t.Errorf("the newest rows took %d of %d bytes", n, all)
			}
			if n := bytes("SELECT id, pad FROM "+c.from+" WHERE _commit_timestamp <= ?", first); n > all*2/3 {
				t.Errorf("the oldest rows took %d of %d bytes", n, all)
			}
			if n := bytes("SELECT id, pad FROM "+c.from+" WHERE _commit_timestamp > ?", last); n > all/10 {
				t.Errorf("no rows took %d of %d bytes", n, all)
			}
			if n := bytes("SELECT id, pad FROM "+c.from+" WHERE _commit_timestamp > ? AND _commit_timestamp < ?", last, first); n > 0 {
				t.Errorf("an empty interval took %d bytes", n)
			}
			zone := time.FixedZone("east", 5*3600)
			instants := []time.Time{first, middle, last, first.Add(-time.Hour), last.Add(24 * time.Hour), middle.Add(500 * time.Microsecond), middle.Add(-time.Nanosecond), time.UnixMilli(0), time.Unix(-100, 0)}
			for _, at := range instants {
				literal := "TIMESTAMP '" + at.UTC().Format("2006-01-02 15:04:05.999999999") + "'"
				for _, op := range []string{"=", "<", "<=", ">", ">=", "<>"} {
					want := chosen(list, func(s stamped) bool { return holds(op, s.at.Compare(at)) })
					checkIDs(t, db, want, "SELECT id FROM "+c.from+" WHERE _commit_timestamp "+op+" ?", at)
					if op == "=" && at.Nanosecond()%1e6 != 0 { // a literal is held against the column's type
						continue
					}
					checkIDs(t, db, want, "SELECT id FROM "+c.from+" WHERE _commit_timestamp "+op+" "+literal)
				}
				want := chosen(list, func(s stamped) bool { return !s.at.Before(first) && !s.at.After(at) })
				checkIDs(t, db, want, "SELECT id FROM "+c.from+" WHERE _commit_timestamp BETWEEN :a AND :b", named("a", first.In(zone), "b", at.In(zone))...)
			}
			checkIDs(t, db, chosen(list, func(s stamped) bool { return s.at.After(first) && s.at.Before(last) && s.id%2 == 0 && s.id > 3 }),
				"SELECT id FROM "+c.from+" WHERE ? < _commit_timestamp AND _commit_timestamp < ? AND pad <> 'short' AND _log_offset > 3", first, last)
			checkIDs(t, db, nil, "SELECT id FROM "+c.from+" WHERE _commit_timestamp > ?", nil)
			checkIDs(t, db, chosen(list, func(s stamped) bool { return !s.at.Equal(middle) }), "SELECT id FROM "+c.from+" WHERE NOT (_commit_timestamp = ?)", middle)
			checkIDs(t, db, chosen(list, func(s stamped) bool { return s.at.Before(middle) || s.at.Equal(last) }),
				"SELECT id FROM "+c.from+" WHERE _commit_timestamp < ? OR _commit_timestamp IN (?, ?)", middle, last, last)
			n := len(chosen(list, func(s stamped) bool { return s.at.Before(middle) }))
			play(t, db, []step{
				{sql: "SELECT COUNT(*) FROM " + c.from + " WHERE _commit_timestamp < ?", args: []any{middle}, want: []string{fmt.Sprint(n)}},
				{sql: "SELECT COUNT(*) FROM " + c.from + " WHERE _commit_timestamp < TO_TIMESTAMP_LTZ(" + fmt.Sprint(middle.UnixMilli()) + ", 3)", want: []string{fmt.Sprint(n)}},
				{sql: "SELECT COUNT(*) FROM " + c.from + " WHERE _commit_timestamp BETWEEN TO_TIMESTAMP_LTZ(1000, 0) AND to_timestamp_ltz(1000001, 3)", want: []string{"0"}},
				{sql: "SELECT COUNT(*) FROM " + c.from + " WHERE _commit_timestamp < TO_TIMESTAMP_LTZ(id, 3)", is: fluss.ErrUnsupported, words: []string{"TO_TIMESTAMP_LTZ"}},
				{sql: "SELECT COUNT(*) FROM " + c.from + " WHERE _commit_timestamp >= ?", args: []any{middle}, want: []string{fmt.Sprint(len(list) - n)}},
				{sql: "SELECT /*+ OFFSETS('0:0-2') */ COUNT(*) FROM " + c.from + " WHERE _commit_timestamp <= ?", args: []any{first}, want: []string{"2"}},
				{sql: "SELECT /*+ LAST(2) */ id FROM " + c.from + " WHERE _commit_timestamp < ?", args: []any{last}},
				{sql: "SELECT id FROM " + c.from + " WHERE _commit_timestamp < 'soon'", is: fluss.ErrValue, words: []string{"_commit_timestamp", "soon"}},
				{sql: "SELECT id FROM " + c.from + " WHERE _commit_timestamp < ?", args: []any{true}, is: fluss.ErrValue, words: []string{"_commit_timestamp"}},
			})
		})
	}
}

// Text without a zone is read in loc.
func TestCommitTimestampZone(t *testing.T) {
	db := own(t)
	logOfTen(t, db)
	last := queryAll(t, db, "SELECT _commit_timestamp FROM l WHERE id = 9")[0][0].(time.Time)
	zone, err := time.LoadLocation("Asia/Kolkata")
	if err != nil {
		t.Fatal(err)
	}
	east := ownWith(t, func(cfg *fluss.Config) { cfg.Location = zone })
	text := last.In(zone).Format("2006-01-02 15:04:05.000")
	n := printed(queryAll(t, db, "SELECT COUNT(*) FROM l WHERE _commit_timestamp >= ?", last)[0][0])
	play(t, east, []step{
		{sql: "SELECT COUNT(*) FROM l WHERE _commit_timestamp >= TIMESTAMP '" + text + "'", want: []string{n}},
		{sql: "SELECT COUNT(*) FROM l WHERE _commit_timestamp >= '" + text + "'", want: []string{n}},
		{sql: "SELECT COUNT(*) FROM l WHERE _commit_timestamp >= ?", args: []any{text}, want: []string{n}},
		{sql: "SELECT COUNT(*) FROM l WHERE _commit_timestamp >= TO_TIMESTAMP_LTZ(" + fmt.Sprint(last.UnixMilli()) + ", 3)", want: []string{n}},
		{sql: "SELECT COUNT(*) FROM l WHERE _commit_timestamp > ?", args: []any{text}, want: []string{"0"}},
	})
	play(t, db, []step{{sql: "SELECT COUNT(*) FROM l WHERE _commit_timestamp >= ?", args: []any{text}, want: []string{"0"}}}) // in UTC it is hours ahead
}

func holds(op string, order int) bool {
	switch op {
	case "=":
		return order == 0
	case "<>":
		return order != 0
	case "<":
		return order < 0
	case "<=":
		return order <= 0
	case ">":
		return order > 0
	}
	return order >= 0
}

func chosen(list []stamped, keep func(stamped) bool) []string {
	var out []string
	for _, s := range list {
		if keep(s) {
			out = append(out, fmt.Sprint(s.id))
		}
	}
	return out
}

func checkIDs(t *testing.T, db *sql.DB, want []string, query string, args ...any) {
	t.Helper()
	if got := texts(queryAll(t, db, query, args...)); !slices.Equal(got, want) {
		t.Errorf("%s %s\ngot  %s\nwant %s", query, shortArgs(args), strings.Join(got, " "), strings.Join(want, " "))
	}
}
