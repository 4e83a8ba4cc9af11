//go:build !go1.27

package fluss_test

import (
	"database/sql"
	"strings"
	"testing"

	"github.com/gofluss/fluss/flusstest"
)

// Before Go 1.27 a slice is no destination of its own: that error is database/sql's, and Array is the way.
func TestScanNestedColumnsRefused(t *testing.T) {
	db, err := sql.Open("fluss", flusstest.Run(t).DSN())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, query := range []string{"CREATE TABLE nested (id INT, ints ARRAY<INT>, PRIMARY KEY (id) NOT ENFORCED)", "UPSERT INTO nested VALUES (1, ARRAY[1])"} {
		if _, err := db.Exec(query); err != nil {
			t.Fatal(err)
		}
	}
	var list []int32
	err = db.QueryRow("SELECT ints FROM nested WHERE id = 1").Scan(&list)
	if err == nil || !strings.Contains(err.Error(), "unsupported Scan, storing driver.Value type string into type *[]int32") {
		t.Errorf("got %v and %v", list, err)
	}
}
