package conformance

import (
	"context"
	"database/sql"
	"errors"
	"testing"
	"time"

	"github.com/shopspring/decimal"
	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/mysqldialect"
)

type bunProfile struct {
	bun.BaseModel `bun:"table:customer_profile,alias:p"`

	ID         int             `bun:"customer_id,pk"`
	Name       string          `bun:"name"`
	Membership string          `bun:"membership"`
	Balance    decimal.Decimal `bun:"account_balance"`
}

type bunEvent struct {
	bun.BaseModel `bun:"table:order_events,alias:e"`

	ID     int64           `bun:"order_id"`
	Day    time.Time       `bun:"day,type:date"`
	Amount decimal.Decimal `bun:"amount"`
}

// bun with its MySQL dialect: every argument is written into the text.
func TestBun(t *testing.T) {
	std := own(t)
	play(t, std, []step{{sql: profileTable}, {sql: "CREATE TABLE order_events (order_id BIGINT, day DATE, amount DECIMAL(10, 2)) WITH ('bucket.num' = '1')"}})
	db := bun.NewDB(std, mysqldialect.New())
	ctx := timeout(t)
	check := func(_ any, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	rows := []bunProfile{{ID: 1, Name: `O'Brien \ x`, Membership: "gold", Balance: decimal.RequireFromString("12.5")}, {ID: 2, Name: "two"}, {ID: 3, Name: "three"}}
	check(db.NewInsert().Model(&rows[0]).Exec(ctx))
	more := rows[1:]
	check(db.NewInsert().Model(&more).Exec(ctx))
	event := &bunEvent{ID: 1, Day: time.Date(2026, 8, 1, 0, 0, 0, 0, time.UTC), Amount: decimal.RequireFromString("42.15")}
	check(db.NewInsert().Model(event).Exec(ctx))

	var one bunProfile
	check(nil, db.NewSelect().Model(&one).Where("p.customer_id = ?", 1).Scan(ctx))
	if one.Name != `O'Brien \ x` || one.Balance.String() != "12.5" {
		t.Errorf("%+v", one)
	}
	check(nil, db.NewSelect().Model(&one).Where("customer_id = ?", 2).Limit(1).Scan(ctx))
	if err := db.NewSelect().Model(&one).Where("customer_id = 9").Scan(ctx); !errors.Is(err, sql.ErrNoRows) {
		t.Errorf("a row that is not there: %v", err)
	}
	var list []bunProfile
	check(nil, db.NewSelect().Model(&list).Where("customer_id IN (?)", bun.List([]int{3, 1})).Scan(ctx))
	if len(list) != 2 || list[0].ID != 3 {
		t.Errorf("%+v", list)
	}
	list = nil
	check(nil, db.NewSelect().Model(&list).Order("customer_id").Limit(10).Offset(1).Scan(ctx))
	if len(list) != 2 || list[0].ID != 2 {
		t.Errorf("%+v", list)
	}
	if n, err := db.NewSelect().Model((*bunProfile)(nil)).Count(ctx); n != 3 || err != nil {
		t.Errorf("Count: %d, %v", n, err)
	}
	one = bunProfile{ID: 2, Name: "zwei"}
	check(db.NewInsert().Model(&one).On("DUPLICATE KEY UPDATE").Exec(ctx))
	one.Name = "due"
	result, err := db.NewUpdate().Model(&one).WherePK().Exec(ctx)
	check(nil, err)
	if n, _ := result.RowsAffected(); n != 1 {
		t.Errorf("update: %d", n)
	}
	check(db.NewUpdate().Model((*bunProfile)(nil)).Set("account_balance = account_balance + ?", 3).Where("customer_id = ?", 1).Exec(ctx))
	check(db.NewDelete().Model(&bunProfile{ID: 3}).WherePK().Exec(ctx))

	check(nil, db.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
		if _, err := tx.NewInsert().Model(&bunProfile{ID: 4, Name: "four"}).Exec(ctx); err != nil {
			return err
		}
		_, err := tx.NewUpdate().Model((*bunProfile)(nil)).Set("membership = ?", "new").Where("customer_id = ?", 4).Exec(ctx)
		return err
	}))
	gone := errors.New("gone")
	if err := db.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
		_, err := tx.NewDelete().Model(&bunProfile{ID: 1}).WherePK().Exec(ctx)
		return errors.Join(gone, err)
	}); !errors.Is(err, gone) {
		t.Error(err)
	}
	play(t, std, []step{
		{sql: "SELECT * FROM customer_profile ORDER BY customer_id LIMIT 10", want: []string{`1 O'Brien \ x gold 15.50`, "2 due  0.00", "4 four new 0.00"}},
		{sql: "SELECT * FROM order_events", want: []string{"1 2026-08-01T00:00:00Z 42.15"}},
	})
}
