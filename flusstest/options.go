package flusstest

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/gofluss/fluss/internal/wire"
)

// An Option changes what NewServer makes.
type Option func(*options)

type options struct {
	tablets     int
	replicas    int
	buckets     int
	users       map[string]string
	authorize   bool
	superUsers  []string
	lake        string
	inMemory    bool
	clock       *Clock
	strict      bool
	maxRequest  int
	electing    time.Duration
	check       time.Duration
	partitions  int
	totalBucket int
}

func defaults() options {
	return options{
		tablets: 1, replicas: 1, buckets: 1, check: 10 * time.Minute, partitions: 1000, totalBucket: 128000,
		maxRequest: wire.MaxRequestFrame,
	}
}

// TabletServers sets the number of tablet servers, 1 by default. Their ids are 0 to n-1.
func TabletServers(n int) Option { return func(o *options) { o.tablets = max(n, 1) } }

// Replicas sets the replication factor of tables that name none, 1 by default. The replicas of a bucket are always in
// sync. What the number changes is where leaderships can go, and that a waiting FETCH_LOG is woken by new data only
// when there is more than one.
func Replicas(n int) Option { return func(o *options) { o.replicas = max(n, 1) } }

// DefaultBuckets sets the bucket count of tables that name none, 1 by default.
func DefaultBuckets(n int) Option { return func(o *options) { o.buckets = max(n, 1) } }

// Users turns SASL/PLAIN on for all listeners and says who may enter: passwords by user name. Everybody may do
// everything, unless Authorize says otherwise.
func Users(passwords map[string]string) Option {
	return func(o *options) { o.users = maps.Clone(passwords) }
}

// Authorize turns the authorizer on: the super users may do everything, and everybody else what CALL sys.add_acl allows
// them, which is nothing at first. Without Users everybody is the user ANONYMOUS.
func Authorize(superUsers ...string) Option {
	return func(o *options) { o.authorize, o.superUsers = true, slices.Clone(superUsers) }
}

// Lake makes it a cluster with a lake of a format ("paimon", "iceberg" or "lance"): tables get that format unless they name
// another, which decides how their keys and buckets are made, and may be in the lake (table.datalake.enabled). Nothing is
// ever tiered into it.
func Lake(format string) Option { return func(o *options) { o.lake = strings.ToLower(format) } }

// InMemory replaces TCP by a network in memory, which only Server.Dial reaches. It works within a testing/synctest
// bubble when the server is made there.
func InMemory() Option { return func(o *options) { o.inMemory = true } }

// WithClock gives the server a clock for commit timestamps, creation times and automatic partitions. Timeouts and
// delays go by the runtime's own time.
func WithClock(c *Clock) Option { return func(o *options) { o.clock = c } }

// Strict makes the server answer requests that the real one passes over in silence: an unknown API, one of the other
// kind of server, a body that does not parse. They get code 2 (UNSUPPORTED_VERSION), or 3 (CORRUPT_MESSAGE) for the body.
func Strict() Option { return func(o *options) { o.strict = true } }

// MaxRequestSize sets the largest request, in bytes of the whole frame; 100 MiB by default, as
// netty.server.max-request-size.
func MaxRequestSize(n int) Option { return func(o *options) { o.maxRequest = n } }

// ElectionTime makes the buckets of a new table or partition wait so long for their leaders, as those of the real server
// do: metadata names none in the meantime. 0 by default.
func ElectionTime(d time.Duration) Option { return func(o *options) { o.electing = d } }

// PartitionCheckInterval sets how often automatic partitions are made and dropped, 10 minutes by default as
// auto-partition.check.interval. With a Clock of the test's own, each move of it makes a check instead.
func PartitionCheckInterval(d time.Duration) Option { return func(o *options) { o.check = max(d, 1) } }

// MaxPartitions sets the most partitions a table can have, 1000 by default as max.partition.num.
func MaxPartitions(n int) Option { return func(o *options) { o.partitions = n } }
