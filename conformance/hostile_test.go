package conformance

import (
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"unicode/utf8"

	"github.com/gofluss/fluss"
)

var hostileCount = flag.Int("hostile", 1000, "how many strings TestHostileStrings sends")

// hostileParts are what strings are made of that a parser of SQL, or a codec, could trip over.
var hostileParts = []string{
	"'", "''", `"`, "`", `\`, `\\`, `\'`, `'\'`, `\0`, `\n`, `\%`, `\_`, `\u0041`, "--", "-- ", "#", "/*", "*/", "/*+ FOLLOW */", "/*! 1 */", "?", ":x", ":name", "::", "@@version", "@x",
	";", "'; DROP TABLE k; -- ", "\\'; DELETE FROM k; #", "NULL", "DEFAULT", "0x27", "X'27'", "%", "_", "$", "${x}", "{{x}}", "()", "VALUES", "),(", ",", " ", "  ", "\t", "\n", "\r\n", "\r",
	"\x00", "\x01", "\x08", "\x1a", "\x1b[0m", "\x7f", "\u0080", "\u0085", "\u00a0", "\u00ad", "\u0301", "e\u0301\u0302\u0303", "\u200b", "\u200d", "\u202e", "\u2028", "\u2029", "\ufeff", "\ufffd",
	"\ufffe", "\uffff", "\U00010000", "\U0001f468\u200d\U0001f469\u200d\U0001f467", "\U0010ffff", "größe", "名前", "עברית", "ﷺ", "İı", "ß", "a", "Z", "9", "-7", "1e5", "true", "[", "]", "{", "}", "<", ">", "&", "|",
}

// hostileInvalid are no UTF-8: halves of surrogates, overlong forms, bytes out of place, beyond the last character.
var hostileInvalid = []string{"\xed\xa0\x80", "\xed\xbf\xbf", "\xc0\x80", "\xc1\xbf", "\xe0\x80\x80", "\xff", "\xfe", "\x80", "\xc3", "\xe2\x82", "\xf0\x9f\x98", "\xf4\x90\x80\x80", "\xf8\x88\x80\x80\x80"}

// hostileString makes a string; one in a thousand is long.
func hostileString(r *rand.Rand) string {
	n := r.IntN(12)
	if r.IntN(1000) == 0 {
		n = 2000 + r.IntN(20_000)
	}
	var b strings.Builder
	for range n {
		b.WriteString(hostileParts[r.IntN(len(hostileParts))])
	}
	return b.String()
}

// literals are the ways to write a string: doubled quotes, backslashes, and double quotes around it.
var literals = []func(string) string{
	func(s string) string { return "'" + strings.NewReplacer(`\`, `\\`, "'", "''").Replace(s) + "'" },
	func(s string) string {
		return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`, `"`, `\"`, "\n", `\n`, "\r", `\r`, "\t", `\t`, "\x00", `\0`, "\x08", `\b`, "\x1a", `\Z`).Replace(s) + "'"
	},
	func(s string) string { return `"` + strings.NewReplacer(`\`, `\\`, `"`, `""`).Replace(s) + `"` },
}

// TestHostileStrings: every string comes back as it was sent, as a parameter and as a literal of each spelling, in a column, in the
// key, in an IN list and in a condition; strings that are no UTF-8 are refused wherever they stand.
func TestHostileStrings(t *testing.T) {
	db := own(t)
	for _, table := range []string{
		"k (id INT, how INT, s STRING, PRIMARY KEY (id, how)) WITH ('bucket.num' = '2', 'bucket.key' = 'id')",
		"byname (s STRING, id INT, PRIMARY KEY (s)) WITH ('bucket.num' = '2')",
		"l (id INT, how INT, s STRING) WITH ('bucket.num' = '1')",
	} {
		mustExec(t, db, "CREATE TABLE "+table)
	}
	const batch, workers = 100, 4
	h := &hostile{t: t, db: db}
	batches := make(chan int)
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for first := range batches {
				h.batch(first, min(batch, *hostileCount-first))
			}
		})
	}
	for first := 0; first < *hostileCount && !t.Failed(); first += batch {
		batches <- first
	}
	close(batches)
	wg.Wait()
	h.log()
	t.Logf("%d strings, %d values compared, %d refused", *hostileCount, h.compared.Load(), h.refused.Load())
}

type hostile struct {
	t                 *testing.T
	db                *sql.DB
	compared, refused atomic.Int64
}

// hostileBatch makes the strings of a batch: the same for the same number.
func hostileBatch(first, n int) []string {
	r := rand.New(rand.NewPCG(uint64(first), 5))
	list := make([]string, n)
	for i := range list {
		list[i] = hostileString(r)
	}
	return list
}

func (h *hostile) batch(first, n int) {
	list := hostileBatch(first, n)
	h.write(first, list)
	for i, s := range list {
		h.read(first+i, s)
		if h.t.Failed() {
			return
		}
	}
	h.keys(list)
	h.invalid(rand.New(rand.NewPCG(uint64(first), 6)))
}

// exec runs an INSERT, short in the message if it fails.
func (h *hostile) exec(text string, args ...any) {
	if _, err := h.db.Exec(text, args...); err != nil {
		h.t.Errorf("%.300q %.300q: %v", text, fmt.Sprint(args...), err)
	}
}

// write inserts each string as a parameter (how = -1: string, -2: []byte) and as a literal of each spelling (0, 1, 2).
func (h *hostile) write(first int, list []string) {
	var marks, texts []string
	var args []any
	for i, s := range list {
		marks = append(marks, "(?, ?, ?), (?, ?, ?)")
		args = append(args, first+i, -1, s, first+i, -2, []byte(s))
		for how, literal := range literals {
			texts = append(texts, fmt.Sprintf("(%d, %d, %s)", first+i, how, literal(s)))
		}
	}
	for _, table := range []string{"k", "l"} {
		h.exec("INSERT INTO "+table+" VALUES "+strings.Join(marks, ", "), args...)
		h.exec("INSERT INTO " + table + " VALUES " + strings.Join(texts, ", "))
	}
}

// read looks a string up by its number, and asks for it by conditions that hold and by one that does not.
func (h *hostile) read(id int, s string) {
	h.five(fmt.Sprintf("SELECT s FROM k WHERE id = %d", id), s)
	h.five("SELECT s FROM k WHERE id = ? AND s = ?", s, id, s)
	h.five("SELECT s FROM k WHERE id = :id AND s IN (:other, :s)", s, named("id", id, "s", s, "other", s+"x")...)
	h.five(fmt.Sprintf("SELECT s FROM k WHERE id = %d AND s IN ('', %s)", id, literals[id%len(literals)](s)), s)
	rows, err := tryQuery(h.t.Context(), h.db, fmt.Sprintf("SELECT s FROM k WHERE id = %d AND s <> %s", id, literals[(id+1)%len(literals)](s)))
	if len(rows) != 0 || err != nil {
		h.t.Errorf("%q is not equal to itself: %d rows, %v", s, len(rows), err)
	}
}

// five expects the five copies of a string.
func (h *hostile) five(query, s string, args ...any) {
	rows, err := tryQuery(h.t.Context(), h.db, query, args...)
	if err != nil || len(rows) != 2+len(literals) {
		h.t.Errorf("%.300q of %.300q: %d rows, %v", query, s, len(rows), err)
		return
	}
	for _, r := range rows {
		if r[0] != s {
			h.t.Errorf("%.300q\ngot  %.300q\nwant %.300q", query, r[0], s)
		}
		h.compared.Add(1)
	}
}

// keys writes strings as keys, half by parameters, and finds them in the order of a list.
func (h *hostile) keys(list []string) {
	list = slices.Compact(sorted(list))
	var marks, texts, values []string
	var args, ids []any
	for i, s := range list {
		if i%2 == 0 {
			marks, args = append(marks, "(?, ?)"), append(args, s, len(s))
		} else {
			texts = append(texts, fmt.Sprintf("(%s, %d)", literals[i%len(literals)](s), len(s)))
		}
		values, ids = append(values, literals[(i+1)%len(literals)](s)), append(ids, s)
	}
	h.exec("UPSERT INTO byname VALUES "+strings.Join(marks, ", "), args...)
	h.exec("UPSERT INTO byname VALUES " + strings.Join(texts, ", "))
	h.found(list, "SELECT s, id FROM byname WHERE s IN ("+strings.Join(values, ", ")+")")
	h.found(list, "SELECT s, id FROM byname WHERE s IN (?)", ids)
}

func (h *hostile) found(list []string, query string, args ...any) {
	rows, err := tryQuery(h.t.Context(), h.db, query, args...)
	if err != nil || len(rows) != len(list) {
		h.t.Errorf("%.300q: %d of %d keys, %v", query, len(rows), len(list), err)
		return
	}
	for i, r := range rows {
		if r[0] != list[i] || r[1] != int64(len(list[i])) {
			h.t.Errorf("key %.300q came back as %.300q, %v", list[i], r[0], r[1])
		}
		h.compared.Add(1)
	}
}

// invalid sends a string that is no UTF-8 in each place.
func (h *hostile) invalid(r *rand.Rand) {
	s := hostileString(r) + hostileInvalid[r.IntN(len(hostileInvalid))]
	if r.IntN(2) == 0 {
		s += "'x"
	}
	if utf8.ValidString(s) {
		h.t.Errorf("%q is valid", s)
	}
	literal := literals[r.IntN(len(literals))](s)
	for _, c := range []struct {
		text string
		args []any
	}{
		{"INSERT INTO k VALUES (0, -3, ?)", []any{s}},
		{"INSERT INTO k VALUES (0, -3, ?)", []any{[]byte(s)}},
		{"INSERT INTO k VALUES (0, -3, " + literal + ")", nil},
		{"INSERT INTO byname VALUES (?, 0)", []any{s}},
		{"INSERT INTO byname VALUES (" + literal + ", 0)", nil},
		{"UPDATE k SET s = ? WHERE id = 0 AND how = -1", []any{s}},
		{"DELETE FROM byname WHERE s = ?", []any{s}},
	} {
		_, err := h.db.Exec(c.text, c.args...)
		if !errors.Is(err, fluss.ErrValue) && !errors.Is(err, fluss.ErrSyntax) {
			h.t.Errorf("%.300q %.300q: got %v, want a refusal", c.text, c.args, err)
		}
		h.refused.Add(1)
	}
}

// log reads all copies from the log.
func (h *hostile) log() {
	if h.t.Failed() {
		return
	}
	rows, err := h.db.Query("SELECT id, s FROM l")
	if err != nil {
		h.t.Fatal(err)
	}
	defer rows.Close()
	seen := make([]int, *hostileCount)
	first, list := -1, []string(nil)
	for rows.Next() {
		var id int
		var s string
		if err := rows.Scan(&id, &s); err != nil {
			h.t.Fatal(err)
		}
		if at := id - id%100; at != first {
			first, list = at, hostileBatch(at, min(100, *hostileCount-at))
		}
		if s != list[id-first] {
			h.t.Errorf("log: got %.300q, want %.300q", s, list[id-first])
		}
		seen[id]++
		h.compared.Add(1)
	}
	if err := rows.Err(); err != nil {
		h.t.Fatal(err)
	}
	for id, n := range seen {
		if n != 2+len(literals) {
			h.t.Errorf("string %d is %d times in the log", id, n)
		}
	}
}
