package route

import (
	"context"

	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/wire"
	"github.com/gofluss/fluss/internal/wire/flusspb"
)

// ListDatabases returns the names of the databases that the user may see, in the server's order.
func (c *Client) ListDatabases(ctx context.Context) ([]string, error) {
	var resp flusspb.ListDatabasesResponse
	err := c.describe(ctx, "the list of databases", wire.APIListDatabases, &flusspb.ListDatabasesRequest{}, &resp)
	return resp.DatabaseName, err
}

// DatabaseExists reports whether there is a database of that name.
func (c *Client) DatabaseExists(ctx context.Context, name string) (bool, error) {
	var resp flusspb.DatabaseExistsResponse
	err := c.describe(ctx, "database "+name, wire.APIDatabaseExists, &flusspb.DatabaseExistsRequest{DatabaseName: &name}, &resp)
	return resp.GetExists(), err
}

// ListTables returns the names of a database's tables, in the server's order.
func (c *Client) ListTables(ctx context.Context, database string) ([]string, error) {
	var resp flusspb.ListTablesResponse
	err := c.describe(ctx, "the list of tables", wire.APIListTables, &flusspb.ListTablesRequest{DatabaseName: &database}, &resp)
	return resp.TableName, err
}

// TableExists reports whether there is a table of that path.
func (c *Client) TableExists(ctx context.Context, path catalog.TablePath) (bool, error) {
	var resp flusspb.TableExistsResponse
	err := c.describe(ctx, "table "+path.String(), wire.APITableExists, &flusspb.TableExistsRequest{TablePath: tablePath(path)}, &resp)
	return resp.GetExists(), err
}

// FreshTable asks for a table even when it is in the cache, where the answer goes.
func (c *Client) FreshTable(ctx context.Context, path catalog.TablePath) (*catalog.Table, error) {
	ctx, cancel := c.bounded(ctx)
	defer cancel()
	return c.readTable(ctx, path)
}

// describe asks any server, within the time of a request.
func (c *Client) describe(ctx context.Context, what string, key wire.APIKey, req, resp proto.Message) error {
	ctx, cancel := c.bounded(ctx)
	defer cancel()
	return c.ask(ctx, what, key, req, resp)
}
