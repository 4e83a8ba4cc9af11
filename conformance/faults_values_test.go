package conformance

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
	_ "time/tzdata" // zones by name, wherever the tests run

	"github.com/shopspring/decimal"

	"github.com/gofluss/fluss"
)

// The tests of this file and of its neighbours are faults that people reported about other clients and drivers, by kind:
// D01 is the first, and so on.

// D01: a decimal keeps its scale, scans into whatever database/sql can make of it, and never loses a digit in silence.
func TestD01Decimals(t *testing.T) {
	db := own(t)
	rounding := ownWith(t, func(c *fluss.Config) { c.DecimalRound = true })
	play(t, db, []step{
		{sql: "CREATE TABLE t (id INT, d DECIMAL(10, 2), PRIMARY KEY (id)) WITH ('bucket.num' = '1')"},
		{sql: "UPSERT INTO t VALUES (1, 2.00)", rows: 1},
		{sql: "SELECT d FROM t WHERE id = 1", want: []string{"2.00"}},
	})
	var (
		text  string
		raw   []byte
		f     float64
		boxed any
		ns    sql.NullString
		nf    sql.NullFloat64
		exact decimal.Decimal
		nd    decimal.NullDecimal
	)
	for _, c := range []struct {
		dest any
		got  func() any
		want string
	}{
		{&text, func() any { return text }, "2.00"}, {&raw, func() any { return string(raw) }, "2.00"}, {&f, func() any { return f }, "2"},
		{&boxed, func() any { return boxed }, "2.00"}, {&ns, func() any { return ns }, "{2.00 true}"}, {&nf, func() any { return nf }, "{2 true}"},
		{&exact, func() any { return exact.StringFixed(2) }, "2.00"}, {&nd, func() any { return nd.Decimal.String() }, "2"},
	} {
		if err := db.QueryRow("SELECT d FROM t WHERE id = 1").Scan(c.dest); err != nil || fmt.Sprint(c.got()) != c.want {
			t.Errorf("%T: got %v, %v, want %s", c.dest, c.got(), err, c.want)
		}
	}
	// database/sql converts no text with a decimal point to an integer, be the fraction zero or not.
	var n int64
	if err := db.QueryRow("SELECT d FROM t WHERE id = 1").Scan(&n); err == nil || !strings.Contains(err.Error(), "2.00") {
		t.Errorf("2.00 into an int64: %d, %v", n, err)
	}
	for _, surplus := range []struct{ in, rounded string }{{"123.455", "123.46"}, {"-123.455", "-123.46"}, {"0.005", "0.01"}, {"1.0049", "1.00"}, {"9.995", "10.00"}} {
		half, _ := decimal.NewFromString(surplus.in)
		for _, s := range []step{
			{sql: "INSERT INTO t VALUES (2, " + surplus.in + ")"}, {sql: "INSERT INTO t VALUES (2, '" + surplus.in + "')"}, {sql: "INSERT INTO t VALUES (2, ?)", args: []any{surplus.in}},
			{sql: "INSERT INTO t VALUES (2, ?)", args: []any{half}}, {sql: "INSERT INTO t VALUES (2, ?)", args: []any{half.InexactFloat64()}},
		} {
			s.rows = 1
			play(t, rounding, []step{s, {sql: "SELECT d FROM t WHERE id = 2", want: []string{surplus.rounded}}})
			s.is, s.words = fluss.ErrValue, []string{"column d", "DECIMAL(10,2)"}
			s.run(t, db)
		}
	}
	play(t, db, []step{
		{sql: "INSERT INTO t VALUES (3, 1.500)", rows: 1}, // zeros are no surplus
		{sql: "SELECT d FROM t WHERE id = 3", want: []string{"1.50"}},
		{sql: "INSERT INTO t VALUES (3, 100000000.00)", is: fluss.ErrValue, words: []string{"column d", "100000000"}},
	})
	play(t, rounding, []step{{sql: "INSERT INTO t VALUES (3, 99999999.995)", is: fluss.ErrValue, words: []string{"column d"}}})
}

// zoneOfProcess is set in the processes that TestD02LocalZone starts.
const zoneOfProcess = "FLUSS_TEST_ZONE"

// D02: the zone of the process does not reach types that have none. A process has one zone, so each has a process of its own.
func TestD02LocalZone(t *testing.T) {
	if zone := os.Getenv(zoneOfProcess); zone != "" {
		if time.Local.String() != zone {
			t.Fatalf("the process is not in %s", zone)
		}
		inLocalZone(t)
		return
	}
	for _, zone := range []string{"Pacific/Midway", "Pacific/Kiritimati"} { // 11 hours behind, 14 hours ahead
		t.Run(zone, func(t *testing.T) {
			c := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestD02LocalZone$", "-test.count=1")
			c.Env = append(os.Environ(), "TZ="+zone, zoneOfProcess+"="+zone, "FLUSS_TARGET="+Target(t))
			if out, err := c.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

func inLocalZone(t *testing.T) {
	db := own(t)
	play(t, db, []step{{sql: "CREATE TABLE t (day DATE, clock TIMESTAMP(0), tod TIME(0), at TIMESTAMP_LTZ(0), PRIMARY KEY (day)) WITH ('bucket.num' = '3')"}})
	for _, insert := range []step{
		{sql: "INSERT INTO t VALUES ('2024-03-10', '2024-03-10 00:30:00', '00:30:00', '2024-03-10 00:30:00')", rows: 1},
		{sql: "INSERT INTO t VALUES (?, ?, ?, ?)", rows: 1, args: []any{time.Date(2024, 3, 10, 0, 30, 0, 0, time.Local), // its own calendar day
			time.Date(2024, 3, 10, 0, 30, 0, 0, time.Local), time.Date(2024, 3, 10, 0, 30, 0, 0, time.Local), time.Date(2024, 3, 10, 0, 30, 0, 0, time.UTC)}},
		{sql: "INSERT INTO t VALUES (?, ?, ?, ?)", rows: 1, args: []any{"2024-03-10 00:00:00", time.Date(2024, 3, 10, 0, 30, 0, 0, time.UTC), "00:30:00", "2024-03-10T02:30:00+02:00"}},
	} {
		insert.run(t, db)
		var day, clock, at time.Time
		var dayText, clockText, tod string
		var civil fluss.Date
		if err := db.QueryRow("SELECT day, clock, day, clock, tod, at, day FROM t LIMIT 1").Scan(&day, &clock, &dayText, &clockText, &tod, &at, &civil); err != nil {
			t.Fatal(err)
		}
		got := fmt.Sprintln(day, clock, dayText, clockText, tod, at, civil)
		want := fmt.Sprintln("2024-03-10 00:00:00 +0000 UTC 2024-03-10 00:30:00 +0000 UTC 2024-03-10T00:00:00Z 2024-03-10T00:30:00Z 00:30:00 2024-03-10 00:30:00 +0000 UTC 2024-03-10")
		if got != want {
			t.Errorf("got  %swant %s", got, want)
		}
		// what was scanned, and the same day in other zones, find the row again
		for _, key := range []any{day, dayText, civil, "2024-03-10", time.Date(2024, 3, 10, 23, 59, 0, 0, time.Local), time.Date(2024, 3, 10, 0, 0, 0, 0, time.FixedZone("", -12*3600))} {
			if rows := queryAll(t, db, "SELECT day FROM t WHERE day = ?", key); len(rows) != 1 {
				t.Errorf("%v finds %d rows", key, len(rows))
			}
		}
		if n := affected(t, db, "DELETE FROM t WHERE day = ?", day); n != 1 {
			t.Errorf("%d rows deleted", n)
		}
	}
}

// D03: nothing, and an empty value, are two things.
func TestD03Empty(t *testing.T) {
	db := own(t)
	play(t, db, []step{
		{sql: "CREATE TABLE k (id INT, b BYTES, s STRING, PRIMARY KEY (id)) WITH ('bucket.num' = '1')"},
		{sql: "CREATE TABLE l (id INT, b BYTES, s STRING) WITH ('bucket.num' = '1')"},
		{sql: "CREATE TABLE named (name STRING, v INT, PRIMARY KEY (name)) WITH ('bucket.num' = '3')"},
	})
	cases := []struct {
		b, s         any
		nullB, nullS bool
	}{
		{[]byte(nil), (*string)(nil), true, true}, {[]byte{}, "", false, false}, {nil, nil, true, true}, {"", []byte{}, false, false},
		{sql.NullString{}, sql.NullString{}, true, true}, {sql.NullString{Valid: true}, sql.NullString{Valid: true}, false, false}, {new([]byte), new(string), true, false},
	}
	for _, table := range []string{"k", "l"} {
		for i, c := range cases {
			mustExec(t, db, "INSERT INTO "+table+" VALUES (?, ?, ?)", i, c.b, c.s)
		}
		rows, err := db.Query("SELECT id, b, s FROM " + table + " LIMIT 100")
		if err != nil {
			t.Fatal(err)
		}
		for rows.Next() {
			var id int
			var b []byte
			var s sql.NullString
			if err := rows.Scan(&id, &b, &s); err != nil {
				t.Fatal(err)
			}
			if c := cases[id]; (b == nil) != c.nullB || s.Valid == c.nullS || len(b)+len(s.String) != 0 {
				t.Errorf("%s: %#v, %#v came back as %#v, %#v", table, c.b, c.s, b, s)
			}
		}
		rows.Close()
	}
	play(t, db, []step{
		{sql: "INSERT INTO named VALUES ('', 1), (' ', 2)", rows: 2},
		{sql: "SELECT v FROM named WHERE name = ''", want: []string{"1"}},
		{sql: "SELECT v FROM named WHERE name = ?", args: []any{nil}},
		{sql: "INSERT INTO named VALUES (?, 3)", args: []any{nil}, is: fluss.ErrValue, words: []string{"column name", "NULL"}},
		{sql: "DELETE FROM named WHERE name = ''", rows: 1},
		{sql: "SELECT name FROM named", want: []string{" "}},
	})
}

// D09: names with commas, parentheses, dots and key words; comments and line ends anywhere.
func TestD09OddNames(t *testing.T) {
	db := own(t)
	const all = "SELECT * FROM odd_values ORDER BY `a,b` LIMIT 100"
	play(t, db, []step{
		{sql: "CREATE TABLE odd_values (`a,b` INT, `f(x)` STRING, `values` STRING, `order` INT, `b``q` STRING, größe INT, PRIMARY KEY (`a,b`)) WITH ('bucket.num' = '1')"},
		{sql: "insert into odd_values (\n  `order`, -- the order, (it) says\n  `values`, `f(x)`,\n\t`a,b`, größe, `b``q`)\nvalues (4, 'v', 'f', 1, 5, 'q') -- , (1)", rows: 1},
		{sql: "INSERT INTO odd_values VALUES (2, 'f),(', 'VALUES (', 40, '/* no comment */', 6) /* between */, # rows\n (3, '--', ')', 41, '`', 7);", rows: 2},
		{sql: "INSERT INTO odd_values(`a,b`,`values`)VALUES(4,'x'),(5,'?')", rows: 2},
		{sql: "/* first */ INSERT /* then */ INTO odd_values (`a,b`, `order`) VALUES (?, ?)", args: []any{6, 9}, rows: 1},
		{sql: all, names: "a,b f(x) values order b`q größe", want: []string{"1 f v 4 q 5", "2 f),( VALUES ( 40 /* no comment */ 6", "3 -- ) 41 ` 7",
			"4 NULL x NULL NULL NULL", "5 NULL ? NULL NULL NULL", "6 NULL NULL 9 NULL NULL"}},
		{sql: "SELECT `order`, größe FROM odd_values WHERE `f(x)` = 'f),(' LIMIT 5", names: "order größe", want: []string{"40 6"}},
		{sql: "UPDATE odd_values SET `order` = 42, `values` = 'set' WHERE `a,b` = 3", rows: 1},
		{sql: "SELECT `values`, `order` FROM odd_values WHERE `a,b` = 3", want: []string{"set 42"}},
		{sql: "INSERT INTO odd_values (`a,b`, `a.b`) VALUES (1, 2)", is: fluss.ErrColumnNotExist, words: []string{"a.b"}},
		{sql: "INSERT INTO odd_values (`a,b`, `order`, `order`) VALUES (1, 2, 3)", is: fluss.ErrColumnNotExist, words: []string{"order", "twice"}},
	})
}

// D10: nested values in batches of awkward sizes, projected alone and from the middle of a batch.
func TestD10Nested(t *testing.T) {
	db := own(t)
	values := [][]string{
		{`{"a":1,"":null}`, `{"a":1,"b":"x"}`, `[["a",null],[],null]`, `[{"n":1,"s":"x"},null]`},
		{`{}`, `{"a":null,"b":null}`, `[]`, `[]`},
		{`NULL`, `NULL`, `NULL`, `NULL`},
		{`{"k":9223372036854775807}`, `{"a":-1,"b":""}`, `[["q"]]`, `[{"n":null,"s":null}]`},
	}
	for _, n := range []int{101, 1025} {
		play(t, db, []step{
			{sql: "DROP TABLE IF EXISTS l"},
			{sql: "CREATE TABLE l (id INT, m MAP<STRING, BIGINT>, r ROW<a INT, b STRING>, aa ARRAY<ARRAY<STRING>>, ar ARRAY<ROW<n INT, s STRING>>) WITH ('bucket.num' = '1')"},
		})
		insert, args := "INSERT INTO l VALUES (?, ?, ?, ?, ?)"+strings.Repeat(", (?, ?, ?, ?, ?)", n-1), []any{}
		var want [][]string
		for i := range n {
			v := values[i%len(values)]
			args, want = append(args, i), append(want, v)
			for _, text := range v {
				if text == "NULL" {
					args = append(args, nil)
				} else {
					args = append(args, text)
				}
			}
		}
		mustExec(t, db, insert, args...)
		for _, start := range []int{0, 1, 100, n - 1, n} {
			for c, column := range []string{"m", "r", "aa", "ar"} {
				query := fmt.Sprintf("SELECT /*+ OFFSET(%d) */ %s FROM l", start, column)
				var column []string
				for _, w := range want[start:] {
					column = append(column, w[c])
				}
				compareTexts(t, query, nil, texts(queryAll(t, db, query)), column, false)
			}
			var whole []string
			for i, w := range want[start:] {
				whole = append(whole, fmt.Sprint(start+i)+" "+strings.Join(w, " "))
			}
			query := fmt.Sprintf("SELECT * FROM l WHERE _log_offset >= %d", start)
			compareTexts(t, query, nil, texts(queryAll(t, db, query)), whole, false)
		}
	}
}

// S1: a number fits its column or is an error that names column and range.
func TestS1Numbers(t *testing.T) {
	db := own(t)
	play(t, db, []step{
		{sql: "CREATE TABLE t (id INT, b BIGINT, ti TINYINT, PRIMARY KEY (id)) WITH ('bucket.num' = '1')"},
		{sql: "INSERT INTO t (id, b) VALUES (1, ?)", args: []any{uint64(1<<63 - 1)}, rows: 1},
		{sql: "INSERT INTO t (id, b) VALUES (2, ?)", args: []any{uint64(1 << 63)}, is: fluss.ErrValue, words: []string{"column b", "BIGINT", "-9223372036854775808 to 9223372036854775807"}},
		{sql: "INSERT INTO t (id, ti) VALUES (2, ?)", args: []any{128}, is: fluss.ErrValue, words: []string{"column ti", "TINYINT", "-128 to 127"}},
		{sql: "INSERT INTO t (id, ti) VALUES (2, 128)", is: fluss.ErrValue, words: []string{"column ti", "-128 to 127"}},
		{sql: "INSERT INTO t (id) VALUES (?)", args: []any{1.5}, is: fluss.ErrValue, words: []string{"column id", "1.5"}},
		{sql: "INSERT INTO t (id, ti) VALUES (?, ?)", args: []any{"7", 7.0}, rows: 1},
		{sql: "SELECT b FROM t WHERE id = 1", want: []string{"9223372036854775807"}},
		{sql: "SELECT id, ti FROM t WHERE id = ?", args: []any{uint8(7)}, want: []string{"7 7"}},
		{sql: "SELECT id FROM t WHERE id = ?", args: []any{int64(1) << 40}, is: fluss.ErrValue, words: []string{"column id"}},
	})
}

// S3: a partial update leaves the other columns alone, and a new key gets NULLs there.
func TestS3PartialUpdate(t *testing.T) {
	db := own(t)
	play(t, db, []step{
		{sql: "CREATE TABLE t (id INT, a STRING, b STRING, c STRING, PRIMARY KEY (id)) WITH ('bucket.num' = '1')"},
		{sql: "INSERT INTO t VALUES (1, 'a', 'b', 'c')", rows: 1},
		{sql: "INSERT INTO t (id, b) VALUES (1, 'b2'), (2, 'b')", rows: 2},
		{sql: "INSERT INTO t (c, id) VALUES (NULL, 1), ('c', 3)", rows: 2},
		{sql: "INSERT INTO t (id) VALUES (4)", rows: 1},
		{sql: "UPDATE t SET a = 'a2' WHERE id IN (1, 2, 5)", rows: 2},
		{sql: "SELECT * FROM t WHERE id IN (1, 2, 3, 4, 5)", want: []string{"1 a2 b2 NULL", "2 a2 b NULL", "3 NULL NULL c", "4 NULL NULL NULL"}},
	})
}

// S4: what was scanned stays as it is after Next and Close, and has no room behind it.
func TestS4ScannedBytes(t *testing.T) {
	db := own(t)
	const n = 500
	play(t, db, []step{
		{sql: "CREATE TABLE k (id INT, b BYTES, s STRING, PRIMARY KEY (id)) WITH ('bucket.num' = '2')"},
		{sql: "CREATE TABLE l (id INT, b BYTES, s STRING) WITH ('bucket.num' = '1')"},
	})
	value := func(id int) []byte { return bytes.Repeat([]byte(fmt.Sprintf("<%d>", id)), 1+id%50) }
	insert, args, list := "", []any{}, []int{}
	for i := range n {
		insert, args, list = insert+", (?, ?, ?)", append(args, i, value(i), value(i)), append(list, i)
	}
	for _, table := range []string{"k", "l"} {
		mustExec(t, db, "INSERT INTO "+table+" VALUES "+insert[2:], args...)
	}
	for _, c := range []step{
		{sql: "SELECT id, b, s, b FROM k WHERE id IN (?)", args: []any{list}}, {sql: "SELECT id, b, s, b FROM k"}, {sql: "SELECT id, b, s, b FROM l"},
	} {
		rows, err := db.QueryContext(context.Background(), c.sql, c.args...)
		if err != nil {
			t.Fatal(err)
		}
		kept, text := map[int][]byte{}, map[int]string{}
		for rows.Next() {
			var id int
			var b []byte
			var s string
			var raw sql.RawBytes
			if err := rows.Scan(&id, &b, &s, &raw); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(raw, value(id)) {
				t.Errorf("%s: RawBytes of %d: %.50q", c.sql, id, raw)
			}
			if cap(raw) != len(raw) { // b is a copy of database/sql's
				t.Errorf("%s: room for %d bytes behind the value of %d", c.sql, cap(raw)-len(raw), id)
			}
			kept[id], text[id] = b, s
			_ = append(raw, "overwritten?"...)
		}
		rows.Close()
		queryAll(t, db, "SELECT * FROM l WHERE _log_offset < 100") // uses the same buffers again
		for id, b := range kept {
			if !bytes.Equal(b, value(id)) || text[id] != string(value(id)) {
				t.Errorf("%s: the value of %d changed to %.50q, %.50q", c.sql, id, b, text[id])
			}
		}
		if len(kept) != n {
			t.Errorf("%s: %d rows", c.sql, len(kept))
		}
	}
}
