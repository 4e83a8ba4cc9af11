package conformance

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// migrated has a field of every kind that gorm makes a column of by itself.
type migrated struct {
	ID      int64 `gorm:"primaryKey;autoIncrement:false"`
	Name    string
	Small   int8
	Ratio   float64
	Single  float32
	OK      bool
	Raw     []byte
	At      time.Time
	Balance string `gorm:"type:decimal(15,2)"`
}

type migratedMore struct {
	migrated
	Note *string
}

func (migrated) TableName() string { return "migrated" }

// gorm's migrator reads information_schema: it makes a table, finds nothing to change in it, and adds a column.
func TestGormMigrate(t *testing.T) {
	std := own(t)
	db := openGorm(t, std)
	m := db.Migrator()
	if name := database(t, std); m.CurrentDatabase() != name {
		t.Errorf("current database %s, want %s", m.CurrentDatabase(), name)
	}
	if m.HasTable(&migrated{}) {
		t.Fatal("the table is there before it is made")
	}
	for range 2 { // the second time there is nothing to do
		if err := db.AutoMigrate(&migrated{}); err != nil {
			t.Fatal(err)
		}
	}
	if !m.HasTable("migrated") || !m.HasColumn(&migrated{}, "ratio") || m.HasColumn(&migrated{}, "note") {
		t.Error("HasTable, HasColumn")
	}
	if err := db.AutoMigrate(&migratedMore{}); err != nil {
		t.Fatal(err)
	}
	types, err := m.ColumnTypes("migrated")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range types {
		full, _ := c.ColumnType()
		nullable, _ := c.Nullable()
		key, _ := c.PrimaryKey()
		got = append(got, fmt.Sprint(c.Name(), " ", full, " ", nullable, " ", key))
	}
	want := "id bigint false true, name longtext true false, small tinyint true false, ratio double true false, single float true false, ok tinyint(1) true false, " +
		"raw longblob true false, at datetime(3) true false, balance decimal(15,2) true false, note longtext true false"
	if strings.Join(got, ", ") != want {
		t.Errorf("columns\ngot  %s\nwant %s", strings.Join(got, ", "), want)
	}
	tables, err := m.GetTables()
	if err != nil || len(tables) != 1 || tables[0] != "migrated" {
		t.Errorf("GetTables: %v %v", tables, err)
	}
	row := migrated{ID: 1, Name: "a", Small: -3, Ratio: 0.5, Single: 1.5, OK: true, Raw: []byte{1}, At: time.Date(2026, 8, 1, 1, 2, 3, 4e6, time.UTC), Balance: "1.50"}
	if err := db.Create(&row).Error; err != nil {
		t.Fatal(err)
	}
	var back migrated
	if err := db.First(&back, 1).Error; err != nil || fmt.Sprint(back) != fmt.Sprint(row) {
		t.Errorf("got  %v, %v\nwant %v", back, err, row)
	}
	if err := m.DropTable("migrated"); err != nil || m.HasTable("migrated") {
		t.Errorf("DropTable: %v", err)
	}
}
