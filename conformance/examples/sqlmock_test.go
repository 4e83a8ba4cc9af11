package examples

import (
	"context"
	"database/sql"
	"errors"
	"testing"

	"github.com/DATA-DOG/go-sqlmock"
)

// The same repository on a mock: it says that the right statements are sent, while the tests on flusstest say that they
// do the right thing.
func TestAccountsOnMock(t *testing.T) {
	db, mock, err := sqlmock.New(sqlmock.QueryMatcherOption(sqlmock.QueryMatcherEqual))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	mock.ExpectExec(`UPSERT INTO accounts (id, balance) VALUES (?, ?)`).WithArgs(int64(7), "10.50").WillReturnResult(sqlmock.NewResult(0, 1))
	mock.ExpectQuery(`SELECT balance FROM accounts WHERE id = ?`).WithArgs(int64(7)).
		WillReturnRows(sqlmock.NewRows([]string{"balance"}).AddRow("10.50"))
	mock.ExpectQuery(`SELECT balance FROM accounts WHERE id = ?`).WithArgs(int64(8)).WillReturnError(sql.ErrNoRows)

	ctx, accounts := context.Background(), Accounts{DB: db}
	if err := accounts.Set(ctx, 7, "10.50"); err != nil {
		t.Error(err)
	}
	if balance, err := accounts.Balance(ctx, 7); err != nil || balance != "10.50" {
		t.Error(balance, err)
	}
	if _, err := accounts.Balance(ctx, 8); !errors.Is(err, ErrNoAccount) {
		t.Error(err)
	}
	if err := mock.ExpectationsWereMet(); err != nil {
		t.Error(err)
	}
}
