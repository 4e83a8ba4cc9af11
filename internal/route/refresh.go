package route

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/wire"
	"github.com/gofluss/fluss/internal/wire/flusspb"
)

// refreshLeaders starts reading the leaders of a partition again, or joins who does. A partition that comes too
// late for the refresh under way is in the next one: its waiters find no leader and come again. The error is
// final: table or partition are gone.
func (c *Client) refreshLeaders(s *tableState, partition int64) (*flight[struct{}], error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.dead != nil {
		return nil, s.dead
	}
	if err := s.gone[partition]; err != nil {
		return nil, err
	}
	s.wanted[partition] = true
	if s.refresh != nil {
		return s.refresh, nil
	}
	f := newFlight[struct{}]()
	run := func(ctx context.Context) {
		err := c.runRefresh(ctx, s)
		s.mu.Lock()
		s.refresh = nil
		s.mu.Unlock()
		f.land(struct{}{}, err)
	}
	if !c.spawn(run) {
		return nil, ErrClosed
	}
	s.refresh = f
	return f, nil
}

// nextPause is how long a refresh has to wait: those that ask for the same again within calm are spaced, by a twelfth of it
// at most, so that who wants short attempts has short pauses too. What was asked before a server left at news does not
// count, and for as long as calm after that the pauses are a quarter: the next leader refuses until it knows that it is one.
func (s *tableState) nextPause(now time.Time, calm time.Duration, news int64) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	var last time.Time
	for id, at := range s.asked {
		switch {
		case now.Sub(at) > calm || at.UnixNano() < news:
			delete(s.asked, id)
		case s.wanted[id] && at.After(last):
			last = at
		}
	}
	if last.IsZero() {
		if len(s.asked) == 0 {
			s.pace = pace{}
		}
		return 0
	}
	most := calm / 12
	if now.UnixNano()-news < int64(calm) {
		most /= 4
	}
	return min(s.pace.next(), most) - now.Sub(last)
}

// takeWanted returns what a refresh has to ask for, whether it has to look at the table itself first, or beside it, and
// whether the coordinator should be asked: what the tablet servers know did not help.
func (s *tableState) takeWanted(now time.Time) (ids []int64, verify, aside, boss bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for id := range s.wanted {
		ids = append(ids, id)
		s.asked[id] = now
	}
	clear(s.wanted)
	verify = s.verify
	aside = !verify && s.pace.n > 3 && s.pace.n%4 == 0
	boss = s.boss || s.pace.n > 0
	s.verify, s.boss = false, false
	return ids, verify, aside, boss
}

// runRefresh is one reading of the leaders. When the same is asked for again and again the table itself is looked at too: a
// table that was dropped has no leaders either. Not at once, as a new leader refuses for a moment, and not in front of the
// reading, as who is asked may be stuck.
func (c *Client) runRefresh(ctx context.Context, s *tableState) error {
	news := c.news()
	if err := pauseUntil(ctx, s.nextPause(time.Now(), 2*c.cfg.AttemptTimeout, c.lookout.left.Load()), news); err != nil {
		return ErrClosed
	}
	ids, verify, aside, boss := s.takeWanted(time.Now())
	if aside {
		s.verifying.start(c, func(ctx context.Context) (struct{}, error) { // what it finds the next refresh sees
			ctx, cancel := context.WithTimeout(ctx, 2*c.cfg.AttemptTimeout)
			defer cancel()
			return struct{}{}, c.verifyTable(ctx, s)
		})
	}
	ctx, cancel := context.WithTimeout(ctx, 2*c.cfg.AttemptTimeout)
	defer cancel()
	if verify {
		if err := c.verifyTable(ctx, s); err != nil {
			return err
		}
	}
	return c.readLeaders(ctx, s, ids, boss)
}

// verifyTable asks whether the table of that path is still this incarnation. GET_TABLE_INFO is read from the
// cluster's store, so it is right on every server, while metadata lags behind.
func (c *Client) verifyTable(ctx context.Context, s *tableState) error {
	t, err := c.readTable(ctx, s.path)
	switch {
	case err == nil && t.ID == s.id:
		return nil
	case err == nil:
		err = &TableChangedError{Path: s.path, Old: s.id, New: t.ID}
	case !hasCode(err, wire.CodeTableNotExist) && !hasCode(err, wire.CodeDatabaseNotExist):
		return err
	}
	s.mu.Lock()
	s.dead = err
	s.leaders.Store(&leaders{}) // who still holds s finds out
	s.mu.Unlock()
	c.bury(s)
	return err
}

// readLeaders asks for the leaders of partitions; catalog.NoPartition stands for the table itself.
func (c *Client) readLeaders(ctx context.Context, s *tableState, ids []int64, boss bool) error {
	req := &flusspb.MetadataRequest{TablePath: []*flusspb.PbTablePath{tablePath(s.path)}}
	for _, id := range ids {
		if id != catalog.NoPartition {
			req.PartitionsId = append(req.PartitionsId, id)
		}
	}
	var m flusspb.MetadataResponse
	err := c.askAny(ctx, "leaders of table "+s.path.String(), boss, wire.APIGetMetadata, req, &m)
	switch {
	case hasCode(err, wire.CodePartitionNotExists):
		return c.sortOutPartitions(ctx, s, req.PartitionsId)
	case hasCode(err, wire.CodeUnknownServerError): // so it answers for a table that is not there
		if gone := c.verifyTable(ctx, s); gone != nil {
			return gone
		}
		return fmt.Errorf("metadata of table %s: %w", s.path, errNotYet{err})
	case err != nil:
		return err
	}
	c.learn(&m)
	return c.takeLeaders(ctx, s, req.PartitionsId, &m)
}

func (c *Client) takeLeaders(ctx context.Context, s *tableState, ids []int64, m *flusspb.MetadataResponse) error {
	found := false
	for _, t := range m.TableMetadata {
		if catalogPath(t.TablePath) != s.path {
			continue
		}
		if t.GetTableId() != s.id { // the server is behind, or we are
			return c.verifyTable(ctx, s)
		}
		found = true
		if len(ids) == 0 {
			s.setLeaders(leaders{catalog.NoPartition: leaderList(s.buckets, t.BucketMetadata)})
		}
		if known := c.tables.byPath.get(s.path); known != nil && known.table.Schema.ID < int(t.GetSchemaId()) {
			c.Invalidate(known.table)
		}
	}
	if !found { // not there, or hidden from this user: GET_TABLE_INFO tells
		return c.verifyTable(ctx, s)
	}
	fresh := leaders{}
	for _, p := range m.PartitionMetadata {
		fresh[p.GetPartitionId()] = leaderList(s.buckets, p.BucketMetadata)
	}
	s.setLeaders(fresh)
	ids = slices.DeleteFunc(ids, func(id int64) bool { return fresh[id] != nil })
	if len(ids) == 0 {
		return nil
	}
	return c.sortOutPartitions(ctx, s, ids)
}

func leaderList(buckets int, metadata []*flusspb.PbBucketMetadata) []leader {
	list := make([]leader, buckets)
	for i := range list {
		list[i] = noLeader
	}
	for _, b := range metadata {
		id := int(b.GetBucketId())
		if b.LeaderId == nil || id < 0 || id >= buckets {
			continue
		}
		list[id] = leader{server: b.GetLeaderId(), epoch: -1}
		if b.LeaderEpoch != nil {
			list[id].epoch = b.GetLeaderEpoch()
		}
	}
	return list
}

// sortOutPartitions finds out which of the partitions are gone, as one of them spoils the answer for all. The
// list of partitions is read from the cluster's store; those in it are asked for again.
func (c *Client) sortOutPartitions(ctx context.Context, s *tableState, ids []int64) error {
	list, err := c.listPartitions(ctx, s)
	if err != nil {
		return err
	}
	var left []int64
	s.mu.Lock()
	for _, id := range ids {
		if _, ok := list.byID[id]; ok {
			left = append(left, id)
			continue
		}
		s.gone[id] = &wire.ServerError{
			Code: wire.CodePartitionNotExists, API: wire.APIGetMetadata, Server: "all servers",
			Message: fmt.Sprintf("table %s has no partition with id %d any more", s.path, id),
		}
	}
	s.mu.Unlock()
	if len(left) == 0 || len(left) == len(ids) {
		return nil
	}
	return c.readLeaders(ctx, s, left, false)
}

// errNotYet is an unexplained refusal of a metadata request about a table that exists: the server does not know
// it yet.
type errNotYet struct{ error }

func catalogPath(p *flusspb.PbTablePath) catalog.TablePath {
	return catalog.TablePath{Database: p.GetDatabaseName(), Table: p.GetTableName()}
}
