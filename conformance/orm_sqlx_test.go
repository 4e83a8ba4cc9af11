package conformance

import (
	"testing"

	"github.com/jmoiron/sqlx"
	"github.com/shopspring/decimal"
)

type sqlxProfile struct {
	ID      int             `db:"customer_id"`
	Name    *string         `db:"name"`
	Balance decimal.Decimal `db:"account_balance"`
}

const profileTable = "CREATE TABLE customer_profile (customer_id INT, name STRING, membership STRING, account_balance DECIMAL(15, 2), PRIMARY KEY (customer_id)) WITH ('bucket.num' = '2')"

// sqlx: named parameters, slices of rows, IN, and a transaction.
func TestSqlxTransaction(t *testing.T) {
	std := own(t)
	play(t, std, []step{{sql: profileTable}})
	db := sqlx.NewDb(std, "mysql")
	ctx := timeout(t)
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	ann := "Ann"
	const insert = "INSERT INTO customer_profile (customer_id, name, account_balance) VALUES (:customer_id, :name, :account_balance)"
	_, err := db.NamedExecContext(ctx, insert, sqlxProfile{1, &ann, decimal.RequireFromString("12.5")})
	check(err)
	_, err = db.NamedExecContext(ctx, insert, []sqlxProfile{{2, nil, decimal.New(7, 0)}, {3, &ann, decimal.New(-1, -2)}})
	check(err)

	var one sqlxProfile
	check(db.GetContext(ctx, &one, "SELECT customer_id, name, account_balance FROM customer_profile WHERE customer_id = ?", 1))
	if one.ID != 1 || *one.Name != "Ann" || one.Balance.String() != "12.5" {
		t.Errorf("%+v", one)
	}
	query, args, err := sqlx.In("SELECT customer_id, name, account_balance FROM customer_profile WHERE customer_id IN (?)", []int{3, 9, 2})
	check(err)
	var some []sqlxProfile
	check(db.SelectContext(ctx, &some, db.Rebind(query), args...))
	if len(some) != 2 || some[0].ID != 3 || some[1].Name != nil {
		t.Errorf("%+v", some)
	}
	tx, err := db.BeginTxx(ctx, nil)
	check(err)
	_, err = tx.NamedExecContext(ctx, "UPDATE customer_profile SET account_balance = account_balance + :more WHERE customer_id = :id", map[string]any{"more": decimal.New(25, -1), "id": 1})
	check(err)
	_, err = tx.ExecContext(ctx, "DELETE FROM customer_profile WHERE customer_id = ?", 2)
	check(err)
	check(tx.GetContext(ctx, &one, "SELECT customer_id, name, account_balance FROM customer_profile WHERE customer_id = ?", 1))
	if one.Balance.String() != "15" {
		t.Errorf("in the transaction: %v", one.Balance)
	}
	check(tx.Commit())
	named, err := db.PrepareNamedContext(ctx, "SELECT customer_id, name, account_balance FROM customer_profile WHERE customer_id = :id")
	check(err)
	defer named.Close()
	check(named.GetContext(ctx, &one, map[string]any{"id": 3}))
	if one.ID != 3 {
		t.Errorf("%+v", one)
	}
	play(t, std, []step{{sql: "SELECT customer_id, account_balance FROM customer_profile WHERE customer_id IN (1, 2, 3)", want: []string{"1 15.00", "3 -0.01"}}})
}
