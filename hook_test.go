package fluss_test

import (
	"database/sql"
	"slices"
	"sync"
	"testing"

	"github.com/gofluss/fluss"
	"github.com/gofluss/fluss/flusstest"
)

// TestOnRequest: every request is told, with its size and how it ended.
func TestOnRequest(t *testing.T) {
	srv := flusstest.Run(t)
	cfg := fluss.NewConfig(srv.Addresses()...)
	var mu sync.Mutex
	var seen []string
	var refused error
	cfg.OnRequest = func(r fluss.RequestInfo) {
		mu.Lock()
		defer mu.Unlock()
		seen = append(seen, r.API)
		if r.RequestBytes == 0 || r.Server == "" {
			t.Errorf("%+v", r)
		}
		if r.Err != nil {
			refused = r.Err
		}
	}
	c, err := fluss.NewConnector(cfg)
	if err != nil {
		t.Fatal(err)
	}
	db := sql.OpenDB(c)
	defer db.Close()
	if _, err := db.Exec("CREATE TABLE t (k INT PRIMARY KEY NOT ENFORCED, s STRING)"); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec("UPSERT INTO t VALUES (1, 'x')"); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec("CREATE TABLE t (k INT)"); err == nil {
		t.Fatal("the table was made twice")
	}
	mu.Lock()
	defer mu.Unlock()
	for _, api := range []string{"API_VERSIONS", "CREATE_TABLE", "GET_TABLE_INFO", "INIT_WRITER", "PUT_KV"} {
		if !slices.Contains(seen, api) {
			t.Errorf("%s was not told, only %v", api, seen)
		}
	}
	if e, ok := refused.(*fluss.Error); !ok || e.Name != "TABLE_ALREADY_EXIST" {
		t.Errorf("the refusal is told as %v", refused)
	}
}
