package fluss_test

import (
	"database/sql"
	"fmt"
	"log"

	"github.com/gofluss/fluss"
	"github.com/gofluss/fluss/flusstest"
	"github.com/shopspring/decimal"
)

// ARRAY, MAP and ROW columns as Go values. A plain slice, map or struct binds too; to scan, it needs these.
func ExampleArray() {
	srv := flusstest.NewServer()
	defer srv.Close()
	db, err := sql.Open("fluss", srv.DSN())
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(`CREATE TABLE post (id INT, tags ARRAY<STRING>, prices MAP<STRING, DECIMAL(10, 2)>,
		author ROW<name STRING, age INT>, PRIMARY KEY (id) NOT ENFORCED)`); err != nil {
		log.Fatal(err)
	}
	type person struct {
		Name string
		Age  int
	}
	prices := fluss.Map[string, decimal.Decimal]{"CHF": decimal.RequireFromString("9.90")}
	if _, err := db.Exec("UPSERT INTO post VALUES (?, ?, ?, ?)", 1, fluss.Array[string]{"go", "sql"}, prices, person{"Ada", 36}); err != nil {
		log.Fatal(err)
	}
	var tags fluss.Array[string]
	var author person
	prices = nil
	if err := db.QueryRow("SELECT tags, prices, author FROM post WHERE id = ?", 1).Scan(&tags, &prices, fluss.Struct(&author)); err != nil {
		log.Fatal(err)
	}
	fmt.Println(tags, prices, author)
	// Output: [go sql] map[CHF:9.9] {Ada 36}
}
