package flusstest_test

import (
	"context"
	"fmt"
	"log"
	"strings"
	"sync/atomic"

	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss/flusstest"
	"github.com/gofluss/fluss/internal/wire"
	"github.com/gofluss/fluss/internal/wire/flusspb"
)

// connect opens a connection by hand, in the place of a client.
func connect(srv *flusstest.Server, node int) *wire.Conn {
	c, err := wire.Dial(context.Background(), srv.Addresses()[node], &wire.Config{Dial: srv.Dial})
	if err != nil {
		log.Fatal(err)
	}
	return c
}

func databases(c *wire.Conn) ([]string, error) {
	answer := new(flusspb.ListDatabasesResponse)
	err := c.Call(context.Background(), wire.APIListDatabases, 0, new(flusspb.ListDatabasesRequest), answer)
	return answer.DatabaseName, err
}

func Example() {
	srv := flusstest.NewServer(flusstest.TabletServers(3))
	defer srv.Close()

	fmt.Println("a coordinator and", len(srv.Addresses())-1, "tablet servers")
	fmt.Println(strings.HasPrefix(srv.DSN(), "fluss://127.0.0.1:"))

	c := connect(srv, 1)
	defer c.Close()
	fmt.Println(databases(c))
	// Output:
	// a coordinator and 3 tablet servers
	// true
	// [fluss] <nil>
}

func ExampleServer_Hook() {
	srv := flusstest.NewServer()
	defer srv.Close()
	var requests atomic.Int64
	remove := srv.Hook(func(r *flusstest.Request) flusstest.Action {
		requests.Add(1)
		if r.API == flusstest.ListDatabases {
			return flusstest.Refuse(48)
		}
		return flusstest.Action{}
	})

	c := connect(srv, 0)
	defer c.Close()
	_, err := databases(c)
	fmt.Println(strings.Contains(err.Error(), "AUTHORIZATION_EXCEPTION (48)"))
	remove()
	fmt.Println(databases(c))
	fmt.Println(requests.Load(), "requests seen: API_VERSIONS and LIST_DATABASES")
	// Output:
	// true
	// [fluss] <nil>
	// 2 requests seen: API_VERSIONS and LIST_DATABASES
}

func ExampleFirst() {
	srv := flusstest.NewServer()
	defer srv.Close()
	srv.Hook(flusstest.First(1, flusstest.ListDatabases, flusstest.Hangup()))

	c := connect(srv, 0)
	_, err := databases(c)
	fmt.Println("first: ", err != nil)
	c.Close()
	c = connect(srv, 0)
	defer c.Close()
	_, err = databases(c)
	fmt.Println("second:", err)
	// Output:
	// first:  true
	// second: <nil>
}

func ExampleServer_MoveLeader() {
	srv := flusstest.NewServer(flusstest.TabletServers(2))
	defer srv.Close()
	c := connect(srv, 0)
	defer c.Close()
	err := c.Call(context.Background(), wire.APICreateTable, 0, &flusspb.CreateTableRequest{
		TablePath: &flusspb.PbTablePath{DatabaseName: proto.String("fluss"), TableName: proto.String("t")},
		TableJson: []byte(`{"version":1,"schema":{"version":1,"columns":[{"name":"a","data_type":{"type":"INTEGER"},"id":0}],
			"highest_field_id":0},"partition_key":[],"properties":{},"custom_properties":{}}`),
		IgnoreIfExists: proto.Bool(false),
	}, new(flusspb.CreateTableResponse))
	if err != nil {
		log.Fatal(err)
	}

	fmt.Println("leader", srv.Leader("fluss.t", 0))
	if err := srv.MoveLeader("fluss.t", 0, 1); err != nil {
		log.Fatal(err)
	}
	fmt.Println("leader", srv.Leader("fluss.t", 0))
	// Output:
	// leader 0
	// leader 1
}
