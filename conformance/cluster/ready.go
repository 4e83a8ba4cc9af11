package cluster

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// The probe table lives in the database every server has, so that no extra database shows up in a listing.
const (
	probeDatabase = "fluss"
	probeTable    = "gofluss_probe"
)

// WaitReady waits until the cluster can be used. An open port says little: a coordinator opens its own before it owns the
// cluster and then answers from an empty view. Ready means that coordinator and tablet servers name the given number
// of live tablet servers, and that a new table with a bucket for each gets leaders that answer a lookup.
func (c *Cluster) WaitReady(ctx context.Context, tablets int) error {
	running := c.running()
	try := func(f func() error) error {
		return poll(ctx, func() error {
			for _, s := range running {
				if err := s.ended(); err != nil {
					return fatal(err)
				}
			}
			return f()
		})
	}
	if err := try(func() error { return c.seesTablets(ctx, c.coordinator, tablets) }); err != nil {
		return err
	}
	if err := try(func() error { return c.tryProbe(ctx, tablets) }); err != nil {
		return err
	}
	for _, s := range running {
		if s == c.zooKeeper {
			continue
		}
		if err := try(func() error { return c.seesTablets(ctx, s, tablets) }); err != nil {
			return err
		}
	}
	return nil
}

// tryProbe makes the probe table, waits for its leaders and drops it. A table made while a tablet server's ZooKeeper
// session had just expired stays without leaders for good (seen on an overloaded machine): the caller tries again.
func (c *Cluster) tryProbe(ctx context.Context, tablets int) error {
	if err := c.createProbe(ctx, tablets, min(c.opts.Replication, tablets)); err != nil {
		return fmt.Errorf("create the probe table: %w", err)
	}
	patience, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	led := c.WaitLeaders(patience, probeDatabase, probeTable)
	if err := c.dropProbe(ctx); err != nil {
		return firstError(led, fmt.Errorf("drop the probe table: %w", err))
	}
	return led
}

// waitServing waits until a server answers GET_METADATA and, for a tablet server, is in the coordinator's list.
func (c *Cluster) waitServing(ctx context.Context, s *server) error {
	return poll(ctx, func() error {
		if err := s.ended(); err != nil {
			return fatal(err)
		}
		if _, err := c.metadata(ctx, s, "", ""); err != nil {
			return err
		}
		if s == c.coordinator || c.coordinator.pid() == 0 {
			return nil
		}
		m, err := c.metadata(ctx, c.coordinator, "", "")
		if err != nil {
			return err
		}
		for _, n := range m.tablets {
			if s.name == fmt.Sprintf("tablet-%d", n.id) {
				return nil
			}
		}
		return fmt.Errorf("the coordinator does not list %s yet", s.name)
	})
}

func (c *Cluster) seesTablets(ctx context.Context, s *server, want int) error {
	m, err := c.metadata(ctx, s, "", "")
	if err == nil && len(m.tablets) != want {
		err = fmt.Errorf("%s lists %d tablet servers, %d wanted", s.name, len(m.tablets), want)
	}
	return err
}

// WaitLeaders waits until every bucket of a table without partitions has a leader that answers a lookup (key tables) or
// refuses it as a log table's leader does.
func (c *Cluster) WaitLeaders(ctx context.Context, db, table string) error {
	err := poll(ctx, func() error {
		m, err := c.metadata(ctx, c.coordinator, db, table)
		if err != nil {
			return err
		}
		if len(m.buckets) == 0 {
			return errors.New("no buckets yet")
		}
		for _, b := range m.buckets {
			if err := c.lookupNothing(ctx, m, b); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("leaders of %s.%s: %w", db, table, err)
	}
	return nil
}

// Answers asks the server that the coordinator names as the leader of a bucket, over a new connection: nil when it answers as
// that leader.
func (c *Cluster) Answers(ctx context.Context, db, table string, bucket int) error {
	m, err := c.metadata(ctx, c.coordinator, db, table)
	if err != nil {
		return err
	}
	for _, b := range m.buckets {
		if b.bucket == uint64(bucket) {
			return c.lookupNothing(ctx, m, b)
		}
	}
	return fmt.Errorf("no bucket %d yet", bucket)
}

// lookupNothing asks a bucket's leader for a key that no table has.
func (c *Cluster) lookupNothing(ctx context.Context, m *metadata, b bucketLeader) error {
	n, alive := m.tablet(b.leader)
	if !alive || n.id >= uint64(len(c.tablets)) {
		return fmt.Errorf("bucket %d has no live leader (%d)", b.bucket, b.leader)
	}
	p, err := c.dial(ctx, c.tablets[n.id].addr())
	if err != nil {
		return err
	}
	defer p.close()
	bucket := appendText(appendNumber(nil, 2, b.bucket), 3, "\xff gofluss probe")
	answer, err := p.call(ctx, apiLookup, appendBytes(appendNumber(nil, 1, m.tableID), 2, bucket))
	if err != nil {
		return err
	}
	return checkLookup(answer)
}

// notPrimaryKeyTable is the code of a leader that is asked for a key of a log table.
const notPrimaryKeyTable = 20

func checkLookup(answer []byte) error {
	var refused error
	err := eachField(answer, func(f field) {
		if f.number != 1 {
			return
		}
		e := &serverError{}
		refused = firstError(refused, eachField(f.bytes, func(f field) {
			switch f.number {
			case 3:
				e.code = f.value
			case 4:
				e.message = string(f.bytes)
			}
		}))
		if e.code != 0 && e.code != notPrimaryKeyTable {
			refused = firstError(refused, e)
		}
	})
	return firstError(err, refused)
}

func (c *Cluster) createProbe(ctx context.Context, buckets, replication int) error {
	json := fmt.Sprintf(`{"version":1,"schema":{"version":1,"columns":[{"name":"k","data_type":{"type":"INTEGER","nullable":false},"id":0}],`+
		`"primary_key":["k"],"highest_field_id":0},"partition_key":[],"bucket_key":["k"],"bucket_count":%d,`+
		`"properties":{"table.replication.factor":"%d"},"custom_properties":{}}`, buckets, replication)
	body := appendBytes(nil, 1, tablePath(probeDatabase, probeTable))
	body = appendText(body, 2, json)
	return c.askCoordinator(ctx, apiCreateTable, appendNumber(body, 3, 1))
}

func (c *Cluster) dropProbe(ctx context.Context) error {
	body := appendBytes(nil, 1, tablePath(probeDatabase, probeTable))
	return c.askCoordinator(ctx, apiDropTable, appendNumber(body, 2, 1))
}

func (c *Cluster) askCoordinator(ctx context.Context, api uint16, body []byte) error {
	p, err := c.dial(ctx, c.coordinator.addr())
	if err != nil {
		return err
	}
	defer p.close()
	_, err = p.call(ctx, api, body)
	return err
}

func (c *Cluster) metadata(ctx context.Context, s *server, db, table string) (*metadata, error) {
	p, err := c.dial(ctx, s.addr())
	if err != nil {
		return nil, err
	}
	defer p.close()
	return p.getMetadata(ctx, db, table)
}

func (c *Cluster) dial(ctx context.Context, addr string) (*probeConn, error) {
	return dialProbe(ctx, addr, c.opts.SuperUser, c.opts.Users[c.opts.SuperUser])
}

// fatalError ends a poll.
type fatalError struct{ error }

func fatal(err error) error { return fatalError{err} }

// poll tries until it works, ten times a second. At the context's end the last failure is told.
func poll(ctx context.Context, try func() error) error {
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		err := try()
		if err == nil {
			return nil
		}
		if f, ok := err.(fatalError); ok {
			return f.error
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%w (last try: %w)", ctx.Err(), err)
		case <-tick.C:
		}
	}
}
