package conformance

import (
	"errors"
	"testing"
	"testing/fstest"

	"github.com/pressly/goose/v3"
	store "github.com/pressly/goose/v3/database"

	"github.com/gofluss/fluss/conformance/examples"
)

// TestGoose applies migrations, finds nothing more to do, takes one back and applies it again.
func TestGoose(t *testing.T) {
	db := own(t)
	files := fstest.MapFS{}
	for name, text := range map[string]string{
		"1_orders.sql": "-- +goose NO TRANSACTION\n-- +goose Up\nCREATE TABLE orders (id BIGINT NOT NULL, v STRING, PRIMARY KEY (id) NOT ENFORCED) WITH ('bucket.num' = '2');\n-- +goose Down\nDROP TABLE orders;\n",
		"2_note.sql":   "-- +goose NO TRANSACTION\n-- +goose Up\nALTER TABLE orders ADD COLUMN note STRING;\n",
		"3_first.sql":  "-- +goose NO TRANSACTION\n-- +goose Up\nUPSERT INTO orders VALUES (1, 'one', 'first');\nUPSERT INTO orders VALUES (2, 'two', NULL);\n-- +goose Down\nDELETE FROM orders WHERE id IN (1, 2);\n",
	} {
		files[name] = &fstest.MapFile{Data: []byte(text)}
	}
	versions := examples.GooseStore{Table: "goose_db_version"}
	provider, err := goose.NewProvider("", db, files, goose.WithStore(versions))
	if err != nil {
		t.Fatal(err)
	}
	ctx := timeout(t)
	if list, err := provider.Up(ctx); err != nil || len(list) != 3 {
		t.Fatalf("up: %v %v", list, err)
	}
	if v, err := provider.GetDBVersion(ctx); v != 3 || err != nil {
		t.Errorf("version %d %v", v, err)
	}
	play(t, db, []step{{sql: "SELECT id, v, note FROM orders", want: []string{"1 one first", "2 two NULL"}, sort: true}})
	if pending, err := provider.HasPending(ctx); pending || err != nil {
		t.Errorf("pending %v %v", pending, err)
	}
	if r, err := provider.Down(ctx); err != nil || r.Source.Version != 3 {
		t.Fatalf("down: %v %v", r, err)
	}
	play(t, db, []step{{sql: "SELECT COUNT(*) FROM orders", want: []string{"0"}}})
	if list, err := provider.Up(ctx); err != nil || len(list) != 1 {
		t.Errorf("up again: %v %v", list, err)
	}
	status, err := provider.Status(ctx)
	if err != nil || len(status) != 3 {
		t.Fatalf("status: %v %v", status, err)
	}
	for _, s := range status {
		if s.State != goose.StateApplied || s.AppliedAt.IsZero() {
			t.Errorf("status of %d: %v at %v", s.Source.Version, s.State, s.AppliedAt)
		}
	}
	if _, err := versions.GetMigration(ctx, db, 99); !errors.Is(err, store.ErrVersionNotFound) {
		t.Errorf("a version that there is not: %v", err)
	}
	for table, want := range map[string]bool{"goose_db_version": true, "no_such_table": false} {
		if got, err := (examples.GooseStore{Table: table}).TableExists(ctx, db); got != want || err != nil {
			t.Errorf("%s exists: %v %v", table, got, err)
		}
	}
}
