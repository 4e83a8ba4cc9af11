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
var leaderAndISR = regexp.MustCompile(`LeaderAndIsr\{leader=(-?\d+), leaderEpoch=\d+, isr=\[([^\]]*)\].*for bucket TableBucket\{tableId=(\d+), bucket=(\d+)\}`)

// WaitInSync waits until every bucket of a table without partitions has a leader that answers, and so many replicas in
// sync.
func (c *Cluster) WaitInSync(ctx context.Context, db, table string, replicas int) error {
	if err := c.WaitLeaders(ctx, db, table); err != nil {
		return err
	}
	err := poll(ctx, func() error {
		m, err := c.metadata(ctx, c.coordinator, db, table)
		if err != nil {
			return err
		}
		inSync, err := c.inSync(m.tableID)
		if err != nil {
			return err
		}
		for _, b := range m.buckets {
			if n := inSync[b.bucket]; n < replicas {
				return fmt.Errorf("bucket %d has %d replicas in sync, %d wanted", b.bucket, n, replicas)
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("replicas of %s.%s: %w", db, table, err)
	}
	return nil
}

// inSync reads from the coordinator's log how many replicas of each bucket of a table are in sync.
func (c *Cluster) inSync(table uint64) (map[uint64]int, error) {
	text, err := os.ReadFile(c.coordinator.log)
	if err != nil {
		return nil, err
	}
	found := map[uint64]int{}
	for _, m := range leaderAndISR.FindAllSubmatch(text, -1) {
		if string(m[3]) != strconv.FormatUint(table, 10) {
			continue
		}
		bucket, err := strconv.ParseUint(string(m[4]), 10, 32)
		if err != nil {
			return nil, err
		}
		n := 0
		if len(m[2]) > 0 {
			n = 1 + strings.Count(string(m[2]), ",")
		}
		found[bucket] = n
	}
	return found, nil
}
