package conformance

import (
	"database/sql"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/shopspring/decimal"

	"github.com/gofluss/fluss"
)

// customer is a row of the quickstart's key table.
type customer struct {
	ID         int32               `db:"customer_id"`
	Name       string              `db:"name"`
	Membership *string             `db:"membership"`
	Balance    decimal.NullDecimal `db:"account_balance"`
	Since      sql.Null[time.Time] `db:"since"`
}

// String prints a customer as the tests compare it.
func (c customer) String() string {
	s := fmt.Sprint(c.ID, " ", c.Name)
	if c.Membership != nil {
		s += " " + *c.Membership
	}
	if c.Balance.Valid {
		s += " " + c.Balance.Decimal.StringFixed(2)
	}
	if c.Since.Valid {
		s += " " + c.Since.V.Format(time.DateOnly)
	}
	return s
}

// sqlx, unchanged, over both kinds of tables.
func TestSqlx(t *testing.T) {
	plain := own(t)
	play(t, plain, []step{
		{sql: "CREATE TABLE customer (customer_id INT, name STRING, membership STRING, account_balance DECIMAL(15, 2), since DATE, PRIMARY KEY (customer_id)) WITH ('bucket.num' = '2')"},
		{sql: "CREATE TABLE event (id BIGINT, kind STRING) WITH ('bucket.num' = '1')"},
	})
	db := sqlx.NewDb(plain, "mysql") // whose parameters are '?'
	gold := "gold"
	day := sql.Null[time.Time]{V: time.Date(2026, 8, 1, 0, 0, 0, 0, time.UTC), Valid: true}
	balance := decimal.NullDecimal{Decimal: decimal.RequireFromString("12.50"), Valid: true} // its Valuer gives "12.5"
	const insert = "INSERT INTO customer (customer_id, name, membership, account_balance, since) VALUES (:customer_id, :name, :membership, :account_balance, :since)"
	result, err := db.NamedExec(insert, customer{1, "O'Brien \\ x", &gold, balance, day})
	if err != nil {
		t.Fatal(err)
	}
	if n, err := result.RowsAffected(); n != 1 || err != nil {
		t.Errorf("%d rows, %v", n, err)
	}
	if _, err := db.NamedExec(insert, []customer{{ID: 2, Name: "two"}, {ID: 3, Name: "three", Membership: &gold}}); err != nil {
		t.Fatal(err)
	}

	var one customer
	if err := db.Get(&one, "SELECT * FROM customer WHERE customer_id=?", 1); err != nil || one.String() != `1 O'Brien \ x gold 12.50 2026-08-01` {
		t.Errorf("Get: %v, %v", one, err)
	}
	if err := db.Get(&one, "SELECT * FROM customer WHERE customer_id=?", 9); !errors.Is(err, sql.ErrNoRows) {
		t.Errorf("Get of what is not there: %v", err)
	}
	query, args, err := sqlx.In("SELECT * FROM customer WHERE customer_id IN (?) AND name <> ?", []int{3, 9, 1, 2}, "two")
	if err != nil {
		t.Fatal(err)
	}
	var list []customer
	if err := db.Select(&list, db.Rebind(query), args...); err != nil || fmt.Sprint(list) != `[3 three gold 1 O'Brien \ x gold 12.50 2026-08-01]` {
		t.Errorf("In: %v, %v", list, err)
	}
	list = nil
	if err := db.Select(&list, "SELECT * FROM customer ORDER BY customer_id LIMIT ?", 2); err != nil || len(list) != 2 || list[1].ID != 2 {
		t.Errorf("Select: %v, %v", list, err)
	}
	var count int
	if err := db.Get(&count, "SELECT COUNT(*) FROM customer"); err != nil || count != 3 {
		t.Errorf("COUNT(*): %d, %v", count, err)
	}

	rows, err := db.NamedQuery("SELECT name, membership FROM customer WHERE customer_id = :customer_id", customer{ID: 3})
	if err != nil {
		t.Fatal(err)
	}
	for rows.Next() {
		m := map[string]any{}
		if err := rows.MapScan(m); err != nil || fmt.Sprint(m) != "map[membership:gold name:three]" {
			t.Errorf("MapScan: %v, %v", m, err)
		}
	}
	rows.Close()
	named, err := db.PrepareNamed("SELECT * FROM customer WHERE customer_id = :id")
	if err != nil {
		t.Fatal(err)
	}
	defer named.Close()
	if err := named.Get(&one, map[string]any{"id": 2}); err != nil || one.Name != "two" {
		t.Errorf("PrepareNamed: %v, %v", one, err)
	}

	result, err = db.NamedExec("UPDATE customer SET name = :name WHERE customer_id = :customer_id", customer{ID: 2, Name: "second"})
	if err != nil {
		t.Fatal(err)
	}
	if n, _ := result.RowsAffected(); n != 1 {
		t.Errorf("UPDATE: %d rows", n)
	}
	if n, _ := db.MustExec("DELETE FROM customer WHERE customer_id IN (?, ?)", 1, 8).RowsAffected(); n != 1 {
		t.Errorf("DELETE: %d rows", n)
	}
	if err := db.Select(&list, "SELECT * FROM customer WHERE customer_id IN (1, 2)"); err != nil || list[len(list)-1].Name != "second" {
		t.Errorf("after UPDATE and DELETE: %v, %v", list, err)
	}

	type event struct {
		ID     int64
		Kind   string
		Offset int64 `db:"_log_offset"`
	}
	if _, err := db.NamedExec("INSERT INTO event (id, kind) VALUES (:id, :kind)", []event{{ID: 1, Kind: "a"}, {ID: 2, Kind: "b"}}); err != nil {
		t.Fatal(err)
	}
	var events []event
	if err := db.Select(&events, "SELECT id, kind, _log_offset FROM event WHERE _log_offset >= ?", 1); err != nil || fmt.Sprint(events) != "[{2 b 1}]" {
		t.Errorf("log: %v, %v", events, err)
	}
	if _, err := db.Exec("UPSERT INTO event VALUES (1, 'x')"); !errors.Is(err, fluss.ErrUnsupported) {
		t.Errorf("UPSERT into a log: %v", err)
	}
}
