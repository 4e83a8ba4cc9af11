package route

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/wire"
	"github.com/gofluss/fluss/internal/wire/flusspb"
)

// ddl is a change of the catalog, or a question about one. Only the coordinator makes them.
type ddl struct {
	what      string // for messages
	key       wire.APIKey
	req, resp proto.Message
	again     bool // the same request again does no harm: IF [NOT] EXISTS
	read      bool // nothing is changed
}

// change sends a change to the coordinator. As long as no byte has left it tries again, at the address that the
// servers name now. Once a byte left it sends again only what may be repeated; else the outcome is unknown.
//
// Without a deadline one attempt ends at RequestTimeout and all of them at WriteTimeout; a question at RequestTimeout.
func (c *Client) change(ctx context.Context, d ddl) error {
	limit := c.cfg.WriteTimeout
	if d.read {
		limit = c.cfg.RequestTimeout
	}
	ctx, cancel := boundedBy(ctx, time.Now().Add(limit))
	defer cancel()
	var p pace
	open := false // a copy was sent and not answered
	for {
		err := c.changeOnce(ctx, d)
		open = open || err != nil && !isServerError(err) && sent(err) && !d.read
		switch {
		case err == nil:
			return nil
		case isServerError(err):
			if again, final := d.refused(err); !again {
				return final
			}
		case errors.Is(err, ErrClosed) && !sent(err), is[*wire.UnsupportedError](err), is[*wire.ErrRequestTooLarge](err):
			return err
		case c.cluster.Load() == nil: // never reached, and tried often enough
			return errors.Unwrap(err)
		case sent(err) && !d.again && !d.read:
			return &UnknownOutcomeError{What: d.what, Cause: cause(ctx, err)}
		}
		if ctx.Err() != nil || p.sleep(ctx) != nil {
			if open {
				return &UnknownOutcomeError{What: d.what, Cause: cause(ctx, err)}
			}
			return waited(d.what, ctx.Err(), err, nil)
		}
		if err := c.readCluster(ctx); err != nil && !worthRepeating(err) {
			return err
		}
	}
}

// refused judges the coordinator's refusal: whether the change is sent again, or else its final error. Some codes
// say that the coordinator may have gone on all the same.
func (d *ddl) refused(err error) (again bool, final error) {
	refusal, _ := asServerError(err)
	switch code := refusal.Code; {
	case code == wire.CodeInvalidCoordinator:
		return true, nil
	case code == wire.CodeInvalidReplicationFactor && strings.Contains(refusal.Message, noTablets):
		return true, nil
	case !worthRepeating(err):
		return false, err
	case code.Ambiguous() && !d.again && !d.read:
		return false, &UnknownOutcomeError{What: d.what, Cause: err}
	}
	return true, nil
}

// noTablets is in the answer of a coordinator that has its port open and does not lead yet: it sees nobody.
const noTablets = "available tablet servers: 0"

// notSent marks an error that came before the request was given to a connection.
type notSent struct{ error }

func (e notSent) Unwrap() error { return e.error }

func sent(err error) bool { return !is[notSent](err) && wire.Sent(err) }

// cause prefers the end of the context to what it interrupted.
func cause(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

func (c *Client) changeOnce(ctx context.Context, d ddl) error {
	conn, err := c.coordinator(ctx)
	if err != nil {
		return notSent{err}
	}
	return conn.Call(ctx, d.key, c.cfg.RequestTimeout, d.req, d.resp)
}

var errNoCoordinator = errors.New("no coordinator is known")

// coordinator returns a connection to the coordinator.
func (c *Client) coordinator(ctx context.Context) (*wire.Conn, error) {
	k := c.cluster.Load()
	if k == nil || k.boss == nil {
		if err := c.readCluster(ctx); err != nil {
			return nil, err
		}
		if k = c.cluster.Load(); k == nil || k.boss == nil {
			return nil, errNoCoordinator
		}
	}
	conn, err := c.nodeConn(ctx, k.bossAt, smallConn)
	if err != nil {
		return nil, err
	}
	if kind := conn.ServerType(); kind != 0 && kind != wire.CoordinatorServer {
		return nil, fmt.Errorf("%s is not a coordinator any more", k.bossAt.addr)
	}
	return conn, nil
}

// CreateDatabase creates a database; json is its descriptor, nil for an empty one.
func (c *Client) CreateDatabase(ctx context.Context, name string, json []byte, ignoreIfExists bool) error {
	return c.change(ctx, ddl{
		what: "CREATE DATABASE " + name, key: wire.APICreateDatabase,
		req:  &flusspb.CreateDatabaseRequest{DatabaseName: &name, DatabaseJson: json, IgnoreIfExists: &ignoreIfExists},
		resp: &flusspb.CreateDatabaseResponse{}, again: ignoreIfExists,
	})
}

// DropDatabase drops a database; cascade drops its tables too.
func (c *Client) DropDatabase(ctx context.Context, name string, ignoreIfNotExists, cascade bool) error {
	var all []dropped
	if cascade {
		all = c.beforeDropAll(ctx, name)
	}
	err := c.change(ctx, ddl{
		what: "DROP DATABASE " + name, key: wire.APIDropDatabase,
		req:  &flusspb.DropDatabaseRequest{DatabaseName: &name, IgnoreIfNotExists: &ignoreIfNotExists, Cascade: &cascade},
		resp: &flusspb.DropDatabaseResponse{}, again: ignoreIfNotExists,
	})
	for path := range c.tables.byPath.keys() {
		if path.Database == name {
			c.forget(path)
		}
	}
	if err == nil {
		c.graves.add(all)
	}
	return err
}

// CreateTable creates a table. It may take a moment until the table can be used; reads and writes wait for that. First it
// waits for the end of the table of that name that was dropped before, if any.
func (c *Client) CreateTable(ctx context.Context, path catalog.TablePath, d *catalog.Descriptor, ignoreIfExists bool) error {
	c.awaitGone(ctx, c.graves.take(path))
	err := c.change(ctx, ddl{
		what: "CREATE TABLE " + path.String(), key: wire.APICreateTable,
		req: &flusspb.CreateTableRequest{
			TablePath: tablePath(path), TableJson: catalog.EncodeDescriptor(d), IgnoreIfExists: &ignoreIfExists,
		},
		resp: &flusspb.CreateTableResponse{}, again: ignoreIfExists,
	})
	c.forget(path)
	return err
}

// DropTable drops a table.
func (c *Client) DropTable(ctx context.Context, path catalog.TablePath, ignoreIfNotExists bool) error {
	all := c.beforeDrop(ctx, path)
	err := c.change(ctx, ddl{
		what: "DROP TABLE " + path.String(), key: wire.APIDropTable,
		req:  &flusspb.DropTableRequest{TablePath: tablePath(path), IgnoreIfNotExists: &ignoreIfNotExists},
		resp: &flusspb.DropTableResponse{}, again: ignoreIfNotExists,
	})
	c.forget(path)
	if err == nil {
		c.graves.add(all)
	}
	return err
}

// AlterTable changes a table; the request's path is set here. It is never sent twice: a column cannot be added
// again.
func (c *Client) AlterTable(ctx context.Context, path catalog.TablePath, req *flusspb.AlterTableRequest) error {
	req.TablePath = tablePath(path)
	if req.IgnoreIfNotExists == nil {
		req.IgnoreIfNotExists = new(bool)
	}
	err := c.change(ctx, ddl{
		what: "ALTER TABLE " + path.String(), key: wire.APIAlterTable, req: req, resp: &flusspb.AlterTableResponse{},
	})
	if known := c.tables.byPath.get(path); known != nil {
		c.Invalidate(known.table)
	}
	return err
}
