package conformance

import (
	"context"
	"errors"
	"fmt"
	"testing"
)

// TestKafkaDocument runs the SQL of KAFKA.md.
func TestKafkaDocument(t *testing.T) {
	d := readDocument(t, "KAFKA.md")
	r := newScriptRun(t, "db")
	r.play(d.steps)
	t.Logf("%d statements, %d with rows", len(d.steps), r.answered)
	if r.answered < 7 {
		t.Errorf("%d statements with rows: the page was not taken apart", r.answered)
	}
}

// TestKafkaConsumer is the loop of KAFKA.md: it takes up where another one stopped, gets what is appended meanwhile, and ends
// with its context.
func TestKafkaConsumer(t *testing.T) {
	db := own(t)
	mustExec(t, db, "CREATE TABLE clicks (customer INT, page STRING) WITH ('bucket.num' = '1')")
	mustExec(t, db, "CREATE TABLE positions (consumer STRING, bucket INT, next_offset BIGINT, PRIMARY KEY (consumer, bucket) NOT ENFORCED) WITH ('bucket.key' = 'consumer')")
	mustExec(t, db, "INSERT INTO clicks VALUES (1, 'a'), (2, 'b'), (3, 'c')")

	consume := func(want int) (pages []string) {
		ctx, cancel := context.WithCancel(timeout(t))
		defer cancel()
		var next int64
		for _, r := range queryAll(t, db, "SELECT next_offset FROM positions WHERE consumer = 'mailer' AND bucket = 0") {
			next = r[0].(int64)
		}
		rows, err := db.QueryContext(ctx, fmt.Sprintf("SELECT /*+ FOLLOW OFFSETS('0:%d-') */ _log_offset, page FROM clicks", next))
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		for rows.Next() {
			if len(pages) == want {
				continue // read ahead of the end: not worked on, so not in positions
			}
			var offset int64
			var page string
			if err := rows.Scan(&offset, &page); err != nil {
				t.Fatal(err)
			}
			pages = append(pages, page)
			mustExec(t, db, "UPSERT INTO positions VALUES ('mailer', 0, ?)", offset+1)
			if len(pages) == 2 {
				mustExec(t, db, "INSERT INTO clicks VALUES (4, 'd')")
			}
			if len(pages) == want {
				cancel()
			}
		}
		if err := rows.Err(); !errors.Is(err, context.Canceled) {
			t.Errorf("the loop ended with %v", err)
		}
		return pages
	}
	if got := fmt.Sprint(consume(2)); got != "[a b]" {
		t.Errorf("first %s", got)
	}
	if got := fmt.Sprint(consume(2)); got != "[c d]" {
		t.Errorf("then %s", got)
	}
}
