package flusstest

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gofluss/fluss/internal/catalog"
)

// leadership is who leads a bucket, as metadata tells it.
type leadership struct{ leader, epoch int32 }

// old is what metadata went on telling since it became stale.
type old struct {
	tablets []server
	leaders map[catalog.Bucket]leadership
}

// server is a line of the list of servers in metadata.
type server struct {
	id   int32
	host string
	port int32
}

// told returns what metadata says of a bucket's leader. Under the lock.
func (c *cluster) told(b *bucket) leadership {
	if c.stale != nil {
		if l, known := c.stale.leaders[b.key]; known {
			return l
		}
	}
	if !b.due.IsZero() && time.Now().Before(b.due) {
		return leadership{leader: noLeader, epoch: b.epoch}
	}
	return leadership{leader: b.leader, epoch: b.epoch}
}

// aliveServers returns the tablet servers that metadata tells of. Under the lock.
func (c *cluster) aliveServers() []server {
	if c.stale != nil {
		return c.stale.tablets
	}
	var list []server
	for _, n := range c.srv.tablets {
		if n.running() || c.killed[n.id] {
			host, port := n.hostPort()
			list = append(list, server{n.id, host, port})
		}
	}
	return list
}

// StaleMetadata makes GET_METADATA go on telling the leaders and servers of this moment, whatever happens, until it is
// called with false. Tables and partitions made meanwhile are told as they are.
func (s *Server) StaleMetadata(on bool) {
	c := s.cluster
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stale = nil
	if !on {
		return
	}
	keep := &old{tablets: c.aliveServers(), leaders: map[catalog.Bucket]leadership{}}
	for key, b := range c.buckets {
		keep.leaders[key] = c.told(b)
	}
	c.stale = keep
}

// move gives a bucket to another leader in the next epoch. Under the lock.
func (b *bucket) move(to int32) {
	if b.leader != to {
		b.leader = to
		b.epoch++
		b.took.Store(b.store.logEnd())
	}
}

// Leader returns the tablet server that leads a bucket of a table ("db.t") or, with the partition's values joined by
// '$', of a partition ("db.t/20240101"). -1: no one, or there is no such bucket.
func (s *Server) Leader(table string, bucket int) int {
	c := s.cluster
	c.mu.RLock()
	defer c.mu.RUnlock()
	if b, err := c.named(table, bucket); err == nil {
		return int(b.leader)
	}
	return int(noLeader)
}

// MoveLeader makes tablet server to the leader of a bucket; table is as for Leader. The old leader answers code 12 from
// now on. The new one knows all that it knew.
func (s *Server) MoveLeader(table string, bucket, to int) error {
	c := s.cluster
	c.mu.Lock()
	defer c.mu.Unlock()
	b, err := c.named(table, bucket)
	if err != nil {
		return err
	}
	if to < 0 || to >= len(s.tablets) || !s.tablets[to].running() {
		return fmt.Errorf("flusstest: tablet server %d does not run", to)
	}
	if id := int32(to); !slices.Contains(b.replicas, id) {
		b.replicas = append(slices.DeleteFunc(slices.Clone(b.replicas), func(r int32) bool { return r == b.leader }), id)
	}
	b.move(int32(to))
	return nil
}

// named finds a bucket by the name of its table or partition. Under the lock.
func (c *cluster) named(name string, id int) (*bucket, error) {
	name, part, parted := strings.Cut(name, "/")
	db, tbl, _ := strings.Cut(name, ".")
	t := c.tables[catalog.TablePath{Database: db, Table: tbl}]
	if t == nil {
		return nil, fmt.Errorf("flusstest: there is no table %q", name)
	}
	key := catalog.Bucket{TableID: t.id, PartitionID: catalog.NoPartition, ID: int32(id)}
	if parted {
		p := t.partitions[part]
		if p == nil {
			return nil, fmt.Errorf("flusstest: table %s has no partition %q", name, part)
		}
		key.PartitionID = p.id
	}
	if b := c.buckets[key]; b != nil {
		return b, nil
	}
	return nil, fmt.Errorf("flusstest: table %s has no bucket %d", name, id)
}

// StopTablet stops a tablet server as SIGTERM does: its listener and connections close, its leaderships go to other
// replicas in the next epoch, and buckets without one have no leader until it is back. Data stays.
func (s *Server) StopTablet(i int) {
	s.tablets[i].stop()
	s.tablets[i].thaw()
	c := s.cluster
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.killed, int32(i))
	c.elect(int32(i))
}

// KillTablet stops a tablet server as SIGKILL does: its listener and connections close, while metadata goes on telling of
// it as alive and as leader, until Failover or StartTablet.
func (s *Server) KillTablet(i int) {
	c := s.cluster
	c.mu.Lock()
	c.killed[int32(i)] = true
	c.mu.Unlock()
	s.tablets[i].stop()
	s.tablets[i].thaw()
}

// Failover lets the cluster find out that tablet server i is dead, or frozen: metadata tells of it no more, and its leaderships
// go to other replicas. A frozen one keeps its connections, and joins again by Thaw.
func (s *Server) Failover(i int) {
	c := s.cluster
	c.mu.Lock()
	frozen := s.tablets[i].expire()
	if frozen {
		c.elect(int32(i))
	}
	c.mu.Unlock()
	if !frozen {
		s.StopTablet(i)
	}
}

// elect gives the buckets that a tablet server leads, or those that nobody leads (noLeader), to replicas that run.
// Under the lock.
func (c *cluster) elect(id int32) {
	for _, b := range c.allBuckets() {
		if b.leader == id {
			b.move(c.nextReplica(b))
		}
	}
}

// nextReplica returns a replica whose server runs, or noLeader. Under the lock.
func (c *cluster) nextReplica(b *bucket) int32 {
	for _, r := range b.replicas {
		if c.srv.tablets[r].running() {
			return r
		}
	}
	return noLeader
}

// StartTablet starts a stopped tablet server again, on its old address. It leads the buckets that have no leader and
// gets no leadership back, as in a real cluster. Of each writer it remembers the newest batch only.
func (s *Server) StartTablet(i int) error {
	if err := s.tablets[i].start(); err != nil {
		return fmt.Errorf("flusstest: %w", err)
	}
	c := s.cluster
	c.mu.Lock()
	defer c.mu.Unlock()
	killed := c.killed[int32(i)]
	delete(c.killed, int32(i))
	for _, b := range c.allBuckets() {
		if killed && b.leader == int32(i) {
			b.leader = noLeader
		}
		if b.leader != noLeader {
			continue
		}
		if r := c.nextReplica(b); r != noLeader {
			b.store.forgetWriters()
			b.move(r)
		}
	}
	return nil
}

// StopCoordinator closes the coordinator's listener and connections: DDL fails, all else goes on.
func (s *Server) StopCoordinator() { s.coordinator.stop() }

// StartCoordinator starts a stopped coordinator again, on its old address.
func (s *Server) StartCoordinator() error {
	if err := s.coordinator.start(); err != nil {
		return fmt.Errorf("flusstest: %w", err)
	}
	return nil
}

// Freeze makes a tablet server take connections and bytes but do nothing, as SIGSTOP does, until Thaw. It keeps its
// leaderships; MoveLeader takes one away, Failover all.
func (s *Server) Freeze(i int) { s.tablets[i].freeze() }

// Thaw lets a frozen tablet server go on with what its sockets hold. After a Failover it leads what nobody else could.
func (s *Server) Thaw(i int) {
	c := s.cluster
	c.mu.Lock() // requests wait until it leads what it is going to lead
	defer c.mu.Unlock()
	if s.tablets[i].thaw() {
		c.elect(noLeader)
	}
}
