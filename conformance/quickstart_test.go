package conformance

import (
	"bytes"
	"database/sql"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/gofluss/fluss"
)

// quickstartStory is what examples/quickstart prints, a regular expression a line. {n} is n more than the offset of its first
// event.
const quickstartStory = `-- key table: the newest row of each key
write  999999 "Quickstart User" go-client-before \d+\.\d\d
read   999999 "Quickstart User" go-client-before \d+\.\d\d
change 999999 "Quickstart User" go-client-after \d+\.\d\d
read   999999 "Quickstart User" go-client-after \d+\.\d\d
a missing key is sql.ErrNoRows: true
-- log table: every event
stored in bucket 0 at offsets {0} to {3}
event  {0} 1 42\.15 2026-08-01 1-URGENT Clerk#1
event  {1} 2 85\.60 2026-08-02 2-HIGH Clerk#2
event  {2} 3 129\.90 2026-08-03 3-MEDIUM Clerk#1
event  {3} 4 24\.50 2026-08-04 5-LOW Clerk#3
rows in demo.order_events: {4}
-- and, each one statement
several keys, the missing one told apart:
    2 Bob true
    404 <nil> false
    1 Ann true
the first rows of a scan:
    (1|2|999999) (Ann|Bob|Quickstart User)
    (1|2|999999) (Ann|Bob|Quickstart User)
    (1|2|999999) (Ann|Bob|Quickstart User)
partial update by column list: 1 row
partial update by UPDATE: 1 row
delete by key: 1 row
after the delete it is sql.ErrNoRows: true
after the updates: 1 "Ann" platinum 99\.99
`

// TestQuickstart builds the program of the quickstart and runs it twice on a fresh database: the first run stores four
// events, the second four more behind them, and the key table has one row for each key.
func TestQuickstart(t *testing.T) {
	db := open(t)
	mustExec(t, db, "DROP DATABASE IF EXISTS demo CASCADE")
	t.Cleanup(func() { db.Exec("DROP DATABASE IF EXISTS demo CASCADE") })
	program := filepath.Join(t.TempDir(), "quickstart")
	if out, err := exec.Command("go", "build", "-o", program, "github.com/gofluss/fluss/examples/quickstart").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	cfg, err := fluss.ParseDSN(Target(t))
	if err != nil {
		t.Fatal(err)
	}
	cfg.Database = "demo"
	run := func() (string, error) {
		var stdout, stderr bytes.Buffer
		cmd := exec.CommandContext(timeout(t), program)
		cmd.Env = append(os.Environ(), "FLUSS_DSN="+cfg.FormatDSN())
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		if err := cmd.Run(); err != nil {
			return "", fmt.Errorf("%w\n%s%s", err, stdout.Bytes(), stderr.Bytes())
		}
		return stdout.String(), nil
	}
	for n := range 2 {
		story, err := run()
		for range 2 {
			if err == nil || n > 0 || !overlooked(t, db, "demo") {
				break
			}
			mustExec(t, db, "DROP DATABASE demo CASCADE")
			story, err = run()
		}
		if err != nil {
			t.Fatalf("run %d: %v", n+1, err)
		}
		checkStory(t, story, 4*n)
	}
	for table, want := range map[string]string{
		"demo.order_events":     "8",
		"demo.customer_profile": "2",
		"demo.payment_events":   "0",
	} {
		if got := texts(queryAll(t, db, "SELECT COUNT(*) FROM "+table)); got[0] != want {
			t.Errorf("%s has %s rows, want %s", table, got[0], want)
		}
	}
	if got := queryAll(t, db, "SELECT membership FROM demo.customer_profile WHERE customer_id = 999999"); len(got) != 1 || got[0][0] != "go-client-after" {
		t.Errorf("the key that was changed: %v", got)
	}
}

// overlooked reports whether the coordinator misses a table of a database, which no program gets past (see awaitLeaders).
func overlooked(t *testing.T, db *sql.DB, database string) bool {
	t.Helper()
	if os.Getenv("FLUSS_TARGET") != "jvm" {
		return false
	}
	for _, table := range texts(queryAll(t, db, "SHOW TABLES FROM "+database)) {
		if !Cluster(t).Noticed(database, table) {
			t.Logf("the coordinator overlooks %s.%s: once more", database, table)
			return true
		}
	}
	return false
}

// checkStory compares what one run printed with the story, whose events have offsets from first on.
func checkStory(t *testing.T, output string, first int) {
	t.Helper()
	story := quickstartStory
	for i := range 5 {
		story = strings.ReplaceAll(story, fmt.Sprintf("{%d}", i), fmt.Sprint(first+i))
	}
	got := strings.Split(output, "\n")
	for i, line := range strings.Split(strings.TrimSuffix(story, "\n"), "\n") {
		if i >= len(got) || !regexp.MustCompile("^"+line+"$").MatchString(got[i]) {
			t.Fatalf("line %d is not %q in:\n%s", i+1, line, output)
		}
	}
	if !sameReads(got) {
		t.Errorf("a row was read otherwise than it was written:\n%s", output)
	}
	rest := strings.Join(got[strings.Count(story, "\n"):], "\n")
	history := regexp.MustCompile(`(?m)^    (insert|update_before|update_after|delete) \d+ Ann `).FindAllStringSubmatch(rest, -1)
	if len(history) < 5 || !strings.Contains(rest, "rows in demo.customer_profile: 2") || !strings.Contains(rest, "first change of customer_features: insert 0 c-1 team 0.75") {
		t.Errorf("the history of the key has %d changes, or the counts are missing:\n%s", len(history), rest)
	}
}

// sameReads compares each row that was printed before it was written with the one that was read back.
func sameReads(lines []string) bool {
	written := ""
	for _, l := range lines {
		switch kind, row, _ := strings.Cut(l, " "); kind {
		case "write", "change":
			written = strings.TrimSpace(row)
		case "read":
			if strings.TrimSpace(row) != written {
				return false
			}
		}
	}
	return true
}
