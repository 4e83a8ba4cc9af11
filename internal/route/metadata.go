package route

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strconv"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/wire"
	"github.com/gofluss/fluss/internal/wire/flusspb"
)

// cluster is the newest list of servers that a server told. Immutable.
type cluster struct {
	boss    *catalog.Server // nil: no coordinator known
	bossAt  *node
	members []catalog.Server // live tablet servers, by id
	order   []*node          // of members, in the same order
	tablets map[int32]*node
}

func (k *cluster) same(o *cluster) bool {
	return k != nil && slices.Equal(k.members, o.members) &&
		(k.boss == o.boss || k.boss != nil && o.boss != nil && *k.boss == *o.boss)
}

// without returns the tablet servers of k that are not in fresh.
func (k *cluster) without(fresh *cluster) (gone []*node) {
	if k == nil {
		return nil
	}
	for _, n := range k.order {
		if !slices.Contains(fresh.order, n) {
			gone = append(gone, n)
		}
	}
	return gone
}

// learn takes the list of servers from a metadata answer. A list without tablet servers comes from a server that
// does not know better yet: the old one stays.
func (c *Client) learn(m *flusspb.MetadataResponse) {
	departed, forgotten := c.takeList(m)
	for _, n := range departed {
		for class := range n.links {
			c.unlink(&n.links[class])
		}
	}
	for _, n := range forgotten {
		c.drop(n)
	}
}

// takeList returns the nodes of tablet servers that are in the list no more, and those that no list has, nor the
// configuration.
func (c *Client) takeList(m *flusspb.MetadataResponse) (departed, forgotten []*node) {
	c.learning.Lock()
	defer c.learning.Unlock()
	old := c.cluster.Load()
	if len(m.TabletServers) == 0 && old != nil {
		return nil, nil
	}
	k := &cluster{tablets: make(map[int32]*node, len(m.TabletServers))}
	for _, s := range m.TabletServers {
		k.members = append(k.members, server(s))
	}
	slices.SortFunc(k.members, func(a, b catalog.Server) int { return int(a.ID) - int(b.ID) })
	used := map[*node]bool{}
	for i := range k.members {
		n := c.nodes.get(address(&k.members[i]))
		used[n] = true
		k.order = append(k.order, n)
		k.tablets[k.members[i].ID] = n
	}
	switch {
	case m.CoordinatorServer != nil:
		boss := server(m.CoordinatorServer)
		k.boss, k.bossAt = &boss, c.nodes.get(address(&boss))
		used[k.bossAt] = true
	case old != nil && old.boss != nil: // better an address that may be stale than none
		k.boss, k.bossAt = old.boss, c.nodes.get(old.bossAt.addr)
		used[k.bossAt] = true
	}
	for _, n := range k.order {
		n.left.Store(false)
	}
	if old.same(k) {
		return nil, nil
	}
	departed = old.without(k)
	c.lookout.depart(departed) // before anybody sees the new list
	c.cluster.Store(k)
	return departed, c.nodes.keep(used)
}

func server(n *flusspb.PbServerNode) catalog.Server {
	return catalog.Server{ID: n.GetNodeId(), Host: n.GetHost(), Port: n.GetPort()}
}

func address(s *catalog.Server) string { return net.JoinHostPort(s.Host, strconv.Itoa(int(s.Port))) }

// conn returns a connection to a tablet server, dialing it when there is none: one dial for all who wait. A
// connection is replaced when it broke, and also when it kept silent for AttemptTimeout (the old one then stays
// open for a while), so two calls may return different ones.
func (c *Client) conn(ctx context.Context, server int32, class connClass) (*wire.Conn, error) {
	n := c.tablet(server)
	if n == nil { // newer than our list
		if err := c.readCluster(ctx); err != nil {
			return nil, err
		}
		if n = c.tablet(server); n == nil {
			return nil, &absentError{server}
		}
	}
	conn, err := c.nodeConn(ctx, n, class)
	if err != nil {
		return nil, err
	}
	if kind := conn.ServerType(); kind != 0 && kind != wire.TabletServer {
		return nil, fmt.Errorf("%s is not a tablet server any more", n.addr)
	}
	return conn, nil
}

// absentError says that a leader is not among the live servers. It passes when the lists of servers agree again.
type absentError struct{ server int32 }

func (e *absentError) Error() string {
	return fmt.Sprintf("tablet server %d is not among the live servers", e.server)
}

func (c *Client) tablet(server int32) *node {
	if k := c.cluster.Load(); k != nil {
		return k.tablets[server]
	}
	return nil
}

// readCluster reads the list of servers again, once for all who wait.
func (c *Client) readCluster(ctx context.Context) error {
	f, _ := c.census.start(c, func(ctx context.Context) (struct{}, error) {
		ctx, cancel := context.WithTimeout(ctx, c.cfg.RequestTimeout)
		defer cancel()
		var m flusspb.MetadataResponse
		err := c.ask(ctx, "the list of servers", wire.APIGetMetadata, &flusspb.MetadataRequest{}, &m)
		if err == nil {
			c.learn(&m)
		}
		return struct{}{}, err
	})
	_, err := f.wait(ctx)
	if err != nil && ctx.Err() != nil {
		return &WaitError{For: "the list of servers", Err: ctx.Err()}
	}
	return err
}

// anyNodes returns the servers that a question for any server goes to, in order: tablet servers, rotating, then
// the configured addresses; those in trouble last. boss puts the coordinator in front.
func (c *Client) anyNodes(boss bool) []*node {
	var all []*node
	k := c.cluster.Load()
	if boss && k != nil && k.bossAt != nil {
		all = append(all, k.bossAt)
	}
	if k != nil && len(k.order) > 0 {
		at := int(c.turn.Add(1)) % len(k.order)
		all = append(append(all, k.order[at:]...), k.order[:at]...)
	}
	for _, n := range c.nodes.first {
		if !slices.Contains(all, n) {
			all = append(all, n)
		}
	}
	now := time.Now()
	slices.SortStableFunc(all, func(a, b *node) int { return rank(a.troubled(now)) - rank(b.troubled(now)) })
	return all
}

func rank(last bool) int {
	if last {
		return 1
	}
	return 0
}

// bootRounds is how often all configured addresses are tried while no server has been reached yet.
const bootRounds = 3

// ask sends a question that every server answers to one after the other until one does. what is for the error
// text. It ends with ctx, with a refusal that no other server would take back, and, while the cluster has never
// been reached, after bootRounds.
func (c *Client) ask(ctx context.Context, what string, key wire.APIKey, req, resp proto.Message) error {
	return c.askAny(ctx, what, false, key, req, resp)
}

// askAny is ask, with the coordinator in front when boss is set. So it is for metadata while there is unrest: tablet servers
// may go on naming one that left.
func (c *Client) askAny(ctx context.Context, what string, boss bool, key wire.APIKey, req, resp proto.Message) error {
	boss = boss || key == wire.APIGetMetadata && c.unrest(time.Now())
	var p pace
	var last error
	for round := 1; ; {
		all := c.anyNodes(boss)
		err := errNoAddress
		for tried := 0; tried < len(all) && ctx.Err() == nil; tried++ {
			if err = c.askOne(ctx, all[tried:], key, req, resp); err == nil || !worthRepeating(err) {
				return err
			}
			if errors.Is(err, errAllDown) {
				break
			}
		}
		if ctx.Err() == nil && c.cluster.Load() == nil {
			if round++; round > bootRounds || len(all) == 0 {
				return err
			}
		}
		if p.sleep(ctx) != nil {
			return waited(what, ctx.Err(), err, last)
		}
		last = err
	}
}

var (
	errNoAddress = errors.New("no server address is known")
	errAllDown   = errors.New("no server can be reached")
)

// askOne asks the first of the servers that can be had.
func (c *Client) askOne(ctx context.Context, all []*node, key wire.APIKey, req, resp proto.Message) error {
	n, conn, err := c.firstConn(ctx, all, smallConn)
	if err != nil {
		if refusesForGood(err) || errors.Is(err, ErrClosed) {
			return err
		}
		return fmt.Errorf("%w: %w", errAllDown, err)
	}
	err = conn.Call(ctx, key, c.cfg.AttemptTimeout, req, resp)
	if err != nil && ctx.Err() == nil {
		c.blame(n, smallConn, conn, err)
	}
	return err
}

// blame notes that a connection failed a read: its server is asked last for a while, and a silent connection is
// not used again.
func (c *Client) blame(n *node, class connClass, conn *wire.Conn, err error) {
	if _, refused := errors.AsType[*wire.ServerError](err); refused || n == nil || errors.Is(err, errBypassed) {
		return
	}
	c.cfg.Logger.Debug("fluss: a read got no answer", "server", n.addr, "error", err)
	n.fault()
	n.retire(class, conn)
}
