// Package route knows the cluster: where servers are, which one leads a bucket, which tables there are. It sends
// each request to the right server, joins the requests of many callers in shared frames, and tries again where
// that is safe. An error that leaves the package is final.
//
// Nothing runs in the background when nothing is asked: metadata is read again because an answer, or the lack of one, proved it
// stale, once for all who wait, and connections are opened when first needed.
package route

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/wire"
)

// Config is what a Client needs to know. New fills in the defaults named here for zero fields.
type Config struct {
	// Addresses are the servers asked first, host:port, coordinators and tablet servers alike.
	Addresses []string
	Wire      wire.Config

	AttemptTimeout time.Duration // silence after which a read is tried elsewhere; 3s
	RequestTimeout time.Duration // a read without deadline; one attempt of a write or of DDL; 30s
	WriteTimeout   time.Duration // a write with all its retries; 2m

	Acks              int32 // -1 (all), 1 or 0: taken as given
	DynamicPartitions bool  // create a missing partition on write

	MaxInflightBytes int // unacknowledged writes; 64 MiB
	MaxResponseBytes int // one answer; 64 MiB
	MaxScanBytes     int // what one scan may hold fetched ahead; 256 MiB

	// Openers read tiered log segments, by scheme of their location ("s3"). Local paths need none.
	Openers map[string]Opener

	Logger *slog.Logger // nil: silent
}

// Client is a cluster as one Connector sees it. It is safe for concurrent use.
type Client struct {
	cfg    Config
	ctx    context.Context // ends with Close; the context of all work that nobody in particular waits for
	cancel context.CancelFunc

	mu     sync.Mutex
	closed bool
	work   sync.WaitGroup // goroutines made by spawn

	nodes    nodes
	learning sync.Mutex              // of changes of cluster
	cluster  atomic.Pointer[cluster] // nil until a server told
	census   single[struct{}]        // reading the list of servers again
	turn     atomic.Uint32           // rotates who is asked first
	lookout  lookout
	graves   graves

	tables tableCache
	groups groupPool
	writes writeSide
}

// ErrClosed is returned by calls on a Client after Close.
var ErrClosed = errors.New("fluss: client is closed")

// New returns a client. It touches no network.
func New(cfg Config) *Client {
	def := func(d *time.Duration, v time.Duration) {
		if *d <= 0 {
			*d = v
		}
	}
	size := func(n *int, v int) {
		if *n <= 0 {
			*n = v
		}
	}
	def(&cfg.AttemptTimeout, 3*time.Second)
	def(&cfg.RequestTimeout, 30*time.Second)
	def(&cfg.WriteTimeout, 2*time.Minute)
	size(&cfg.MaxInflightBytes, 64<<20)
	size(&cfg.MaxResponseBytes, 64<<20)
	size(&cfg.MaxScanBytes, 256<<20)
	if cfg.Wire.MaxResponse <= 0 {
		cfg.Wire.MaxResponse = cfg.MaxResponseBytes
	}
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	c := &Client{cfg: cfg}
	c.ctx, c.cancel = context.WithCancel(context.Background())
	c.nodes.init(cfg.Addresses)
	c.tables.init()
	return c
}

// Close ends the client: writes get a bounded time to settle, then every call under way fails and all
// connections are closed. No goroutine of the client is left when it returns.
func (c *Client) Close() error {
	c.writes.close(c)
	c.mu.Lock()
	closed := c.closed
	c.closed = true
	c.mu.Unlock()
	if closed {
		return nil
	}
	c.cancel()
	c.work.Wait()
	c.nodes.closeAll()
	return nil
}

// Ping asks any server for the members of the cluster.
func (c *Client) Ping(ctx context.Context) error {
	ctx, cancel := c.bounded(ctx)
	defer cancel()
	return c.readCluster(ctx)
}

// ClusterInfo returns the coordinator (nil when there is none) and the live tablet servers, as a server tells now.
func (c *Client) ClusterInfo(ctx context.Context) (coordinator *catalog.Server, tablets []catalog.Server, err error) {
	if err := c.Ping(ctx); err != nil {
		return nil, nil, err
	}
	known := c.cluster.Load()
	if known == nil {
		return nil, nil, nil
	}
	return known.boss, known.members, nil
}

// spawn runs f in a goroutine that ends with the client: f gets the client's context, and Close waits for it.
// It reports false, and runs nothing, after Close.
func (c *Client) spawn(f func(ctx context.Context)) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return false
	}
	c.work.Add(1)
	go func() { // stopped by c.cancel, waited for by Close
		defer c.work.Done()
		f(c.ctx)
	}()
	return true
}

// bounded gives a context without a deadline that of a request that begins now.
func (c *Client) bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	return boundedBy(ctx, time.Now().Add(c.cfg.RequestTimeout))
}

// boundedBy gives a context without a deadline this one.
func boundedBy(ctx context.Context, deadline time.Time) (context.Context, context.CancelFunc) {
	if _, ok := ctx.Deadline(); ok {
		return ctx, func() {}
	}
	return context.WithDeadline(ctx, deadline)
}
