package conformance

import (
	"database/sql"
	"errors"
	"testing"

	"github.com/shopspring/decimal"
	"gorm.io/driver/mysql"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"
	"gorm.io/gorm/logger"
)

type gormProfile struct {
	CustomerID     int             `gorm:"primaryKey;autoIncrement:false"`
	Name           string          `gorm:"column:name"`
	Membership     *string         `gorm:"column:membership"`
	AccountBalance decimal.Decimal `gorm:"type:decimal(15,2)"`
}

func (gormProfile) TableName() string { return "customer_profile" }

func openGorm(t *testing.T, std *sql.DB) *gorm.DB {
	t.Helper()
	db, err := gorm.Open(mysql.New(mysql.Config{Conn: std}), &gorm.Config{Logger: logger.Discard})
	if err != nil {
		t.Fatal(err)
	}
	return db.WithContext(timeout(t))
}

// gorm with its MySQL dialector over our database: each write is in a transaction of its own.
func TestGorm(t *testing.T) {
	std := own(t)
	play(t, std, []step{{sql: profileTable}})
	db := openGorm(t, std)
	check := func(tx *gorm.DB, rows int64) {
		t.Helper()
		if tx.Error != nil || tx.RowsAffected != rows {
			t.Fatalf("%d rows, want %d: %v", tx.RowsAffected, rows, tx.Error)
		}
	}
	gold := "gold"
	check(db.Create(&gormProfile{1, "Ann", &gold, decimal.RequireFromString("12.5")}), 1)
	check(db.Create([]gormProfile{{CustomerID: 2, Name: "two"}, {CustomerID: 3, Name: "three"}, {CustomerID: 4, Name: "four"}}), 3)
	check(db.CreateInBatches([]gormProfile{{CustomerID: 5, Name: "five"}, {CustomerID: 6, Name: "six"}, {CustomerID: 7, Name: "seven"}}, 2), 3)

	var one gormProfile
	check(db.First(&one, 1), 1)
	if one.Name != "Ann" || *one.Membership != "gold" || one.AccountBalance.String() != "12.5" {
		t.Errorf("%+v", one)
	}
	one = gormProfile{}
	check(db.Where("customer_id = ?", 2).Take(&one), 1)
	if err := db.First(&gormProfile{}, 99).Error; !errors.Is(err, gorm.ErrRecordNotFound) {
		t.Errorf("a row that is not there: %v", err)
	}
	var list []gormProfile
	check(db.Find(&list, []int{3, 1, 98}), 2)
	var n int64
	if err := db.Model(&gormProfile{}).Count(&n).Error; n != 7 || err != nil {
		t.Errorf("Count: %d, %v", n, err)
	}
	one.Name = "zwei"
	check(db.Save(&one), 1)
	check(db.Save(&gormProfile{CustomerID: 8, Name: "eight"}), 1) // not there: the UPDATE finds nothing, so gorm inserts
	check(db.Model(&gormProfile{CustomerID: 1}).Update("name", "Anna"), 1)
	check(db.Model(&gormProfile{}).Where("customer_id = ?", 1).Where("customer_id = ?", 1).Update("account_balance", gorm.Expr("account_balance + ?", 3)), 1)
	check(db.Model(&gormProfile{CustomerID: 1}).Where("customer_id = ?", 1).Updates(map[string]any{"membership": nil}), 1)
	check(db.Clauses(clause.OnConflict{UpdateAll: true}).Create(&gormProfile{CustomerID: 3, Name: "drei"}), 1)
	check(db.Delete(&gormProfile{}, 4), 1)
	check(db.Delete(&gormProfile{}, []int{5, 6, 98}), 2)
	check(db.Where("customer_id = ?", 98).Delete(&gormProfile{}), 0)

	err := db.Transaction(func(tx *gorm.DB) error {
		if err := tx.Create(&gormProfile{CustomerID: 10, Name: "ten"}).Error; err != nil {
			return err
		}
		var seen gormProfile
		if err := tx.First(&seen, 10).Error; err != nil {
			return err
		}
		return tx.Model(&seen).Update("name", seen.Name+"!").Error
	})
	if err != nil {
		t.Error(err)
	}
	no := errors.New("no")
	if err := db.Transaction(func(tx *gorm.DB) error {
		return errors.Join(no, tx.Delete(&gormProfile{}, 1).Error)
	}); !errors.Is(err, no) {
		t.Error(err)
	}
	play(t, std, []step{{sql: "SELECT customer_id, name, membership, account_balance FROM customer_profile ORDER BY customer_id LIMIT 20",
		want: []string{"1 Anna NULL 15.50", "2 zwei NULL 0.00", "3 drei NULL 0.00", "7 seven NULL 0.00", "8 eight NULL 0.00", "10 ten! NULL 0.00"}}})
}
