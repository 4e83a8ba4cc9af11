package conformance

import (
	"fmt"
	"testing"
	"time"

	"github.com/gofluss/fluss"
)

// Columns are added; rows from before read NULL, statements that were planned before see the new columns.
func TestAddColumn(t *testing.T) {
	db := own(t)
	name := database(t, db)
	for _, table := range []struct {
		create, read string
		changes      bool
	}{
		{"CREATE TABLE %s (id INT, v STRING, PRIMARY KEY (id)) WITH ('bucket.num' = '1')", "SELECT * FROM %s WHERE id IN (1, 2, 3)", true},
		{"CREATE TABLE %s (id INT, v STRING, PRIMARY KEY (id)) WITH ('bucket.num' = '2', 'table.kv.format' = 'indexed')", "SELECT * FROM %s WHERE id IN (1, 2, 3)", true},
		{"CREATE TABLE %s (id INT, v STRING) WITH ('bucket.num' = '1')", "SELECT * FROM %s", false},
		{"CREATE TABLE %s (id INT, v STRING) WITH ('bucket.num' = '1', 'table.log.format' = 'indexed')", "SELECT * FROM %s", false},
	} {
		tn := fmt.Sprintf("t%d", time.Now().UnixNano())
		read := fmt.Sprintf(table.read, tn)
		all := "SELECT * FROM " + tn + " LIMIT 10"
		play(t, db, []step{
			{sql: fmt.Sprintf(table.create, tn)},
			{sql: "INSERT INTO " + tn + " VALUES (1, 'old')", rows: 1},
			{sql: read, names: "id v", want: []string{"1 old"}},
			{sql: "SELECT v FROM " + tn + " LIMIT 10", want: []string{"old"}},
			{sql: "ALTER TABLE " + tn + " ADD n BIGINT COMMENT 'new'"},
			{sql: read, names: "id v n", want: []string{"1 old NULL"}},
			{sql: all, names: "id v n", want: []string{"1 old NULL"}},
			{sql: "INSERT INTO " + tn + " VALUES (1, 'old')", fails: true, words: []string{"3"}},
			{sql: "INSERT INTO " + tn + " VALUES (2, 'new', 7)", rows: 1},
			{sql: "ALTER TABLE " + tn + " ADD COLUMN (a ARRAY<INT>, r ROW<x INT, y STRING>)"},
			{sql: "ALTER TABLE " + tn + " ADD COLUMN z DECIMAL(5, 2), ADD COLUMN zz DATE"},
			{sql: "INSERT INTO " + tn + " VALUES (3, 'newest', 8, ARRAY[1, 2], ROW(1, 'y'), 1.5, DATE '2026-08-01')", rows: 1},
			{sql: read, names: "id v n a r z zz", want: []string{"1 old NULL NULL NULL NULL NULL", "2 new 7 NULL NULL NULL NULL", `3 newest 8 [1,2] {"x":1,"y":"y"} 1.50 2026-08-01T00:00:00Z`}},
			{sql: "SELECT z, id FROM " + tn + " LIMIT 10", sort: true, want: []string{"1.50 3", "NULL 1", "NULL 2"}},
			{sql: "SELECT id FROM " + tn + " WHERE n IS NULL LIMIT 10", want: []string{"1"}},
			{sql: "SELECT COUNT(*) FROM " + tn, want: []string{"3"}},
			{sql: "DESCRIBE " + tn, want: describedAfterAdd(table.changes)},
		})
		if table.changes {
			play(t, db, []step{
				{sql: "UPDATE " + tn + " SET n = 5 WHERE id = 1", rows: 1},
				{sql: "INSERT INTO " + tn + " (id, v) VALUES (3, 'partial')", rows: 1},
				{sql: read, want: []string{"1 old 5 NULL NULL NULL NULL", "2 new 7 NULL NULL NULL NULL", `3 partial 8 [1,2] {"x":1,"y":"y"} 1.50 2026-08-01T00:00:00Z`}},
				{sql: "DELETE FROM " + tn + " WHERE id = 2", rows: 1},
				{sql: "SELECT id, n FROM " + tn + "$changelog WHERE _change_type = 'delete'", want: []string{"2 7"}},
			})
		}
	}
	play(t, db, []step{
		{sql: "CREATE TABLE t (id INT, v STRING, PRIMARY KEY (id)) WITH ('bucket.num' = '1')"},
		{sql: "ALTER TABLE t ADD n INT NOT NULL", is: fluss.ErrUnsupported, words: []string{"ADD COLUMN n INT NOT NULL", "no default values", "leave out NOT NULL"}},
		{sql: "ALTER TABLE t ADD v INT", is: fluss.ErrColumnExists, words: []string{name + ".t has a column v already"}},
		{sql: "ALTER TABLE t ADD (a INT, a STRING)", fails: true, words: []string{"column a is added twice"}},
		{sql: "ALTER TABLE t ADD a DECIMAL(39)", fails: true, words: []string{"column a", "precision"}},
		{sql: "ALTER TABLE t ADD a INT FIRST", is: fluss.ErrUnsupported, words: []string{"FIRST"}},
		{sql: "ALTER TABLE t DROP COLUMN v", is: fluss.ErrUnsupported, words: []string{"DROP COLUMN"}},
		{sql: "ALTER TABLE t RENAME COLUMN v TO w", is: fluss.ErrUnsupported, words: []string{"RENAME COLUMN"}},
		{sql: "ALTER TABLE t MODIFY v INT", is: fluss.ErrUnsupported, words: []string{"MODIFY"}},
		{sql: "ALTER TABLE t ADD _log_offset BIGINT", fails: true, words: []string{"_log_offset", "reserved"}},
		{sql: "ALTER TABLE nope ADD a INT", is: fluss.ErrTableNotExist, words: []string{name + ".nope"}},
		{sql: "ALTER TABLE t$changelog ADD a INT", is: fluss.ErrUnsupported, words: []string{"t$changelog"}},
		{sql: "DESC t", want: []string{"id INT NO PRI NULL bucket key ", "v STRING YES  NULL  "}},
	})
}

func describedAfterAdd(key bool) []string {
	id := "id INT YES  NULL  "
	if key {
		id = "id INT NO PRI NULL bucket key "
	}
	return []string{id, "v STRING YES  NULL  ", "n BIGINT YES  NULL  new", "a ARRAY<INT> YES  NULL  ", "r ROW<`x` INT, `y` STRING> YES  NULL  ", "z DECIMAL(5,2) YES  NULL  ", "zz DATE YES  NULL  "}
}

// TestAddColumnAgain adds columns to tables in place of those that were just dropped. A coordinator of 0.9.1 that deletes the
// old one late overlooks the column of the new one, which CREATE TABLE prevents.
func TestAddColumnAgain(t *testing.T) {
	db := own(t)
	for range 5 {
		play(t, db, []step{
			{sql: "CREATE TABLE t (id INT, v STRING, PRIMARY KEY (id)) WITH ('bucket.num' = '8')"},
			{sql: "INSERT INTO t VALUES (1, 'a'), (2, 'b'), (3, 'c')", rows: 3},
			{sql: "ALTER TABLE t ADD n INT"},
			{sql: "INSERT INTO t VALUES (1, 'd', 4)", rows: 1},
			{sql: "SELECT * FROM t WHERE id IN (1, 2, 3)", names: "id v n", want: []string{"1 d 4", "2 b NULL", "3 c NULL"}},
			{sql: "DROP TABLE t"},
		})
	}
}

// A Connector that did not make the change notices it: by a newer row, and before it writes whole rows.
func TestAddColumnElsewhere(t *testing.T) {
	db, other := own(t), own(t)
	play(t, db, []step{
		{sql: "CREATE TABLE t (id INT, v STRING, PRIMARY KEY (id)) WITH ('bucket.num' = '1')"},
		{sql: "CREATE TABLE l (id INT, v STRING) WITH ('bucket.num' = '1')"},
		{sql: "INSERT INTO t VALUES (1, 'a'), (2, 'b')", rows: 2},
		{sql: "INSERT INTO l VALUES (1, 'a')", rows: 1},
	})
	play(t, other, []step{ // planned for the old schema
		{sql: "SELECT * FROM t WHERE id = 1", names: "id v", want: []string{"1 a"}},
		{sql: "SELECT * FROM t LIMIT 5", names: "id v", want: []string{"1 a", "2 b"}},
		{sql: "SELECT * FROM l", names: "id v", want: []string{"1 a"}},
		{sql: "UPDATE t SET v = 'c' WHERE id = 2", rows: 1},
		{sql: "INSERT INTO t VALUES (2, 'd')", rows: 1},
	})
	play(t, db, []step{
		{sql: "ALTER TABLE t ADD n INT"},
		{sql: "ALTER TABLE l ADD n INT"},
		{sql: "UPDATE t SET n = 10 WHERE id = 1", rows: 1},
		{sql: "INSERT INTO t VALUES (2, 'd', 20), (3, 'e', 30)", rows: 2},
		{sql: "INSERT INTO l VALUES (2, 'b', 20)", rows: 1},
	})
	play(t, other, []step{
		{sql: "UPDATE t SET v = 'f' WHERE id = 2", rows: 1}, // of the new column it does not know yet
		{sql: "SELECT * FROM t WHERE id = 1", names: "id v n", want: []string{"1 a 10"}},
		{sql: "SELECT * FROM t LIMIT 5", names: "id v n", want: []string{"1 a 10", "2 f 20", "3 e 30"}},
		{sql: "SELECT id FROM l", want: []string{"1", "2"}}, // meets a batch of the new schema
		{sql: "SELECT * FROM l", names: "id v n", want: []string{"1 a NULL", "2 b 20"}},
		{sql: "INSERT INTO t VALUES (3, 'g')", fails: true, words: []string{"3"}},
	})

	// A writer that reads nothing looks again when it did not for a while.
	writer := own(t)
	play(t, writer, []step{{sql: "INSERT INTO t VALUES (4, 'h', 40)", rows: 1}})
	play(t, db, []step{
		{sql: "ALTER TABLE t ADD m INT"},
		{sql: "INSERT INTO t VALUES (4, 'h', 40, 400)", rows: 1},
	})
	ctx := timeout(t)
	for {
		_, err := writer.ExecContext(ctx, "INSERT INTO t (id, v, n) VALUES (5, 'x', 50)")
		if err != nil {
			t.Fatal(err)
		}
		if _, err = writer.ExecContext(ctx, "INSERT INTO t VALUES (5, 'x', 50)"); err != nil {
			break // it knows the fourth column
		}
	}
	play(t, writer, []step{
		{sql: "INSERT INTO t (id, v, n) VALUES (4, 'i', 41)", rows: 1},
		{sql: "SELECT * FROM t WHERE id = 4", want: []string{"4 i 41 400"}},
	})
}

func TestAlterProperties(t *testing.T) {
	db := own(t)
	name := database(t, db)
	play(t, db, []step{
		{sql: "CREATE TABLE t (id INT, v STRING, PRIMARY KEY (id)) WITH ('bucket.num' = '1', 'owner' = 'me', 'keep' = 'it')"},
		{sql: "INSERT INTO t VALUES (1, 'a')", rows: 1},
		{sql: "ALTER TABLE t SET ('owner' = 'you', 'x.y' = 'z', 'table.log.tiered.local-segments' = '5')"},
		{sql: "SELECT * FROM t WHERE id = 1", want: []string{"1 a"}},
	})
	if got := tableOf(t, name, "t"); printed(got.CustomProperties) != "map[keep:it owner:you x.y:z]" || got.Properties["table.log.tiered.local-segments"] != "5" {
		t.Errorf("after SET: %v, %v", got.CustomProperties, got.Properties)
	}
	play(t, db, []step{
		{sql: "ALTER TABLE t RESET ('owner', 'x.y', 'table.log.tiered.local-segments')"},
		{sql: "INSERT INTO t VALUES (1, 'b')", rows: 1},
		{sql: "SELECT * FROM t WHERE id = 1", want: []string{"1 b"}},
		{sql: "ALTER TABLE t SET ('table.log.ttl' = '1d')", fails: true, words: []string{"table.log.ttl"}}, // the server's
		{sql: "ALTER TABLE t SET ('bucket.num' = '2')", is: fluss.ErrUnsupported, words: []string{"bucket.num", "when the table is created"}},
		{sql: "ALTER TABLE t SET ('table.no.such' = '2')", fails: true, words: []string{"table.no.such"}},
		{sql: "ALTER TABLE t SET ()", fails: true, words: []string{"names no option"}},
		{sql: "ALTER TABLE nope SET ('a' = 'b')", is: fluss.ErrTableNotExist, words: []string{"nope"}},
	})
	if got := tableOf(t, name, "t"); printed(got.CustomProperties) != "map[keep:it]" {
		t.Errorf("after RESET: %v", got.CustomProperties)
	}
}
