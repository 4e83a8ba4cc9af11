package examples

import (
	"context"
	"database/sql"
	"errors"
)

// Accounts keeps the balance of each account in the table accounts. It knows nothing but database/sql.
type Accounts struct{ DB *sql.DB }

// ErrNoAccount is returned for an account that does not exist.
var ErrNoAccount = errors.New("no such account")

// Create makes the table.
func (a Accounts) Create(ctx context.Context) error {
	_, err := a.DB.ExecContext(ctx, `CREATE TABLE IF NOT EXISTS accounts (id BIGINT, balance DECIMAL(12, 2), PRIMARY KEY (id) NOT ENFORCED)`)
	return err
}

// Set stores a balance.
func (a Accounts) Set(ctx context.Context, id int64, balance string) error {
	_, err := a.DB.ExecContext(ctx, `UPSERT INTO accounts (id, balance) VALUES (?, ?)`, id, balance)
	return err
}

// Balance returns what Set stored, or ErrNoAccount.
func (a Accounts) Balance(ctx context.Context, id int64) (balance string, err error) {
	err = a.DB.QueryRowContext(ctx, `SELECT balance FROM accounts WHERE id = ?`, id).Scan(&balance)
	if errors.Is(err, sql.ErrNoRows) {
		return "", ErrNoAccount
	}
	return balance, err
}

// Events keeps every event in the log table events.
type Events struct{ DB *sql.DB }

// Create makes the table.
func (e Events) Create(ctx context.Context) error {
	_, err := e.DB.ExecContext(ctx, `CREATE TABLE IF NOT EXISTS events (account BIGINT, what STRING)`)
	return err
}

// Add appends an event.
func (e Events) Add(ctx context.Context, account int64, what string) error {
	_, err := e.DB.ExecContext(ctx, `INSERT INTO events (account, what) VALUES (?, ?)`, account, what)
	return err
}

// Count returns the number of events.
func (e Events) Count(ctx context.Context) (n int, err error) {
	err = e.DB.QueryRowContext(ctx, `SELECT COUNT(*) FROM events`).Scan(&n)
	return n, err
}
