package examples

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log"
	"sync/atomic"

	"github.com/gofluss/fluss"
	"github.com/gofluss/fluss/flusstest"
)

// server starts an embedded server and opens it as a program would.
func server(opts ...flusstest.Option) (*flusstest.Server, *sql.DB, func()) {
	srv := flusstest.NewServer(opts...)
	db, err := sql.Open("fluss", srv.DSN())
	if err != nil {
		log.Fatal(err)
	}
	return srv, db, func() { db.Close(); srv.Close() }
}

// A repository is tested on the embedded server as it would be on a real one.
func Example() {
	_, db, stop := server()
	defer stop()
	ctx := context.Background()
	accounts := Accounts{DB: db}

	fmt.Println(accounts.Create(ctx), accounts.Set(ctx, 7, "10.50"), accounts.Set(ctx, 7, "12.00"))
	fmt.Println(accounts.Balance(ctx, 7))
	_, err := accounts.Balance(ctx, 8)
	fmt.Println(errors.Is(err, ErrNoAccount))
	// Output:
	// <nil> <nil> <nil>
	// 12.00 <nil>
	// true
}

// The answer to a write gets lost after the server stored it: the driver sends the same bytes again under the same
// number, and the event is there once.
func ExampleEvents_Add_lostAnswer() {
	srv, db, stop := server()
	defer stop()
	ctx := context.Background()
	events := Events{DB: db}
	if err := events.Create(ctx); err != nil {
		log.Fatal(err)
	}
	var sent atomic.Int64
	srv.Hook(flusstest.First(1, flusstest.ProduceLog, flusstest.Hangup()))
	srv.Hook(func(r *flusstest.Request) flusstest.Action {
		if r.API == flusstest.ProduceLog {
			sent.Add(1)
		}
		return flusstest.Action{}
	})

	fmt.Println(events.Add(ctx, 7, "opened"))
	fmt.Println(events.Count(ctx))
	fmt.Println("sent more than once:", sent.Load() > 1)
	// Output:
	// <nil>
	// 1 <nil>
	// sent more than once: true
}

// The server refuses a write for good: the error tells what it said, and that nothing was stored.
func ExampleAccounts_Set_refused() {
	srv, db, stop := server()
	defer stop()
	ctx := context.Background()
	accounts := Accounts{DB: db}
	if err := accounts.Create(ctx); err != nil {
		log.Fatal(err)
	}
	srv.Hook(flusstest.First(1, flusstest.PutKV, flusstest.Refuse(48)))

	err := accounts.Set(ctx, 7, "10.50")
	fmt.Println(errors.Is(err, fluss.ErrAuthorization), errors.Is(err, fluss.ErrAmbiguousWrite))
	_, err = accounts.Balance(ctx, 7)
	fmt.Println(err)
	// Output:
	// true false
	// no such account
}
