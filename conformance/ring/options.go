package ring

import (
	"io"
	"log/slog"
	"time"
)

// Options say what Run does to a cluster. The zero value of a field means its default.
//
// The load ends when Duration has passed, Ops calls were made, Acknowledged rows were acknowledged and Faults.Run has
// returned: all of them.
type Options struct {
	Ring string // what the report calls it: "embedded", "replicated", "single"
	DSN  string // of the cluster, without a database; its timeouts are the ring's choice
	Seed uint64 // of the load; the same seed makes the same statements, in an order that the scheduler decides

	Duration     time.Duration
	Ops          int // statements, reads and writes
	Acknowledged int // rows

	Workers int // goroutines that share one sql.DB; 32
	Groups  int // groups of keys in use at a time; 24

	only []string // kinds of calls that the workers make; none: all

	// CallTimeout is the deadline of the calls that get no short one; 20s. It has to be longer than a failover.
	CallTimeout time.Duration
	// SettleTimeout is how long the cluster may take, after the last fault, until every write is acknowledged; 2m.
	SettleTimeout time.Duration

	// TableOptions are further table properties, such as "'table.replication.factor' = '3'"; "" for none.
	TableOptions string

	// Before is what the process held before a server of its own was started; nil: measured when Run begins.
	Before *Footprint
	// Stop, if not nil, ends a server in this process after the pools were closed, so that its memory is not taken for
	// the driver's.
	Stop func() error

	// Logger takes what the driver logs; nil: nothing.
	Logger *slog.Logger
	// Progress, if not nil, is told every ten seconds how far it is.
	Progress io.Writer
}

func (o *Options) setDefaults() {
	if o.Workers == 0 {
		o.Workers = 32
	}
	if o.Groups == 0 {
		o.Groups = 24
	}
	if o.CallTimeout == 0 {
		o.CallTimeout = 20 * time.Second
	}
	if o.SettleTimeout == 0 {
		o.SettleTimeout = 2 * time.Minute
	}
}
