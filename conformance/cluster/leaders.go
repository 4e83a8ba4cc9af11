package cluster

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
)

// Leaders returns, by bucket, the server id of each leader of a table without partitions, -1 where there is none, as tablet
// server from knows them; from -1 is the coordinator.
func (c *Cluster) Leaders(ctx context.Context, from int, db, table string) ([]int, error) {
	m, err := c.metadata(ctx, c.server(from), db, table)
	if err != nil {
		return nil, err
	}
	return m.leaders()
}

func (c *Cluster) server(id int) *server {
	if id < 0 {
		return c.coordinator
	}
	return c.tablets[id]
}

func (m *metadata) leaders() ([]int, error) {
	if len(m.buckets) == 0 {
		return nil, errors.New("no buckets yet")
	}
	list := make([]int, len(m.buckets))
	for _, b := range m.buckets {
		if b.bucket >= uint64(len(list)) {
			return nil, fmt.Errorf("bucket %d of %d", b.bucket, len(list))
		}
		list[b.bucket] = int(b.leader)
	}
	return list, nil
}

// leaderAndISR is how the coordinator logs that it writes the state of a bucket to ZooKeeper. No client may ask for the
// replicas in sync.
var leaderAndISR = regexp.MustCompile(`LeaderAndIsr\{leader=(-?\d+), leaderEpoch=\d+, isr=\[([^\]]*)\].*for bucket TableBucket\{tableId=(\d+), (?:partitionId=(\d+), )?bucket=(\d+)\}`)

// bucketOf is a bucket of a table; partition is "" where there are none.
type bucketOf struct{ partition, bucket string }

// WaitInSync waits until every bucket of a table without partitions has a leader that answers, and so many replicas in
// sync.
func (c *Cluster) WaitInSync(ctx context.Context, db, table string, replicas int) error {
	if err := c.WaitLeaders(ctx, db, table); err != nil {
		return err
	}
	return c.waitReplicas(ctx, db, table, func(m *metadata, inSync map[bucketOf]int) error {
		for _, b := range m.buckets {
			if n := inSync[bucketOf{"", strconv.FormatUint(b.bucket, 10)}]; n < replicas {
				return fmt.Errorf("bucket %d has %d replicas in sync, %d wanted", b.bucket, n, replicas)
			}
		}
		return nil
	})
}

// WaitPartitionsInSync waits until every bucket of every partition of a table that the coordinator knows has so many replicas
// in sync.
func (c *Cluster) WaitPartitionsInSync(ctx context.Context, db, table string, replicas int) error {
	return c.waitReplicas(ctx, db, table, func(_ *metadata, inSync map[bucketOf]int) error {
		if len(inSync) == 0 {
			return errors.New("no partitions yet")
		}
		for b, n := range inSync {
			if n < replicas {
				return fmt.Errorf("partition %s bucket %s has %d replicas in sync, %d wanted", b.partition, b.bucket, n, replicas)
			}
		}
		return nil
	})
}

// waitReplicas waits until enough is content with the buckets of a table and their replicas in sync.
func (c *Cluster) waitReplicas(ctx context.Context, db, table string, enough func(m *metadata, inSync map[bucketOf]int) error) error {
	err := poll(ctx, func() error {
		m, err := c.metadata(ctx, c.coordinator, db, table)
		if err != nil {
			return err
		}
		inSync, err := c.inSync(m.tableID)
		if err != nil {
			return err
		}
		return enough(m, inSync)
	})
	if err != nil {
		return fmt.Errorf("replicas of %s.%s: %w", db, table, err)
	}
	return nil
}

// inSync reads from the coordinator's log how many replicas of each bucket of a table are in sync.
func (c *Cluster) inSync(table uint64) (map[bucketOf]int, error) {
	text, err := os.ReadFile(c.coordinator.log)
	if err != nil {
		return nil, err
	}
	found := map[bucketOf]int{}
	for _, m := range leaderAndISR.FindAllSubmatch(text, -1) {
		if string(m[3]) != strconv.FormatUint(table, 10) {
			continue
		}
		n := 0
		if len(m[2]) > 0 {
			n = 1 + strings.Count(string(m[2]), ",")
		}
		found[bucketOf{string(m[4]), string(m[5])}] = n
	}
	return found, nil
}
