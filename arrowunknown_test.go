package fluss_test

import (
	"context"
	"database/sql"
	"errors"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/gofluss/fluss"
	"github.com/gofluss/fluss/flusstest"
)

// Rows whose answer never comes are told as unknown when the context ends.
func TestAppendArrowUnknown(t *testing.T) {
	srv := flusstest.Run(t)
	db, err := sql.Open("fluss", srv.DSN()+"?write_timeout=1s")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec("CREATE TABLE l (id INT) WITH ('bucket.num' = '1')"); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	remove := srv.Hook(func(r *flusstest.Request) flusstest.Action {
		if r.API != flusstest.ProduceLog {
			return flusstest.Action{}
		}
		cancel() // it was sent
		return flusstest.Lose()
	})
	defer remove()
	err = withArrow(t, db, func(c fluss.ArrowConn) error {
		_, err := c.AppendArrow(ctx, "l", arrowJSON(t, []arrow.Field{arrowID}, `[{"id": 1}, {"id": 2}]`))
		return err
	})
	unknown, ok := errors.AsType[*fluss.AmbiguousWriteError](err)
	if !ok || !errors.Is(err, context.Canceled) || unknown.Buckets[0].Unknown != 2 {
		t.Errorf("%v", err)
	}
}
