package route

import (
	"context"
	"slices"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/wire"
	"github.com/gofluss/fluss/internal/wire/flusspb"
)

// dialAhead is to how many servers the client connects before it knows which of them it needs.
const dialAhead = 3

// lookAhead asks for the leaders of the first table that a client uses while the table itself is still being read,
// which takes a server three times as long, and connects to them. nil: it is not the first.
func (c *Client) lookAhead(path catalog.TablePath) *flight[*flusspb.MetadataResponse] {
	if c.cluster.Load() != nil {
		return nil
	}
	f := newFlight[*flusspb.MetadataResponse]()
	ask := func(ctx context.Context) {
		ctx, cancel := context.WithTimeout(ctx, c.cfg.AttemptTimeout)
		defer cancel()
		m, err := c.askAhead(ctx, path)
		if err == nil {
			c.learn(m)
			c.dialLeaders(m)
		}
		f.land(m, err)
	}
	if !c.spawn(ask) {
		return nil
	}
	return f
}

// askAhead asks once. An error is nobody's: whoever needs the leaders asks again.
func (c *Client) askAhead(ctx context.Context, path catalog.TablePath) (*flusspb.MetadataResponse, error) {
	_, conn, err := c.firstConn(ctx, c.anyNodes(false), smallConn)
	if err != nil {
		return nil, err
	}
	req := &flusspb.MetadataRequest{TablePath: []*flusspb.PbTablePath{tablePath(path)}}
	m := new(flusspb.MetadataResponse)
	return m, conn.Call(ctx, wire.APIGetMetadata, c.cfg.AttemptTimeout, req, m)
}

// dialLeaders connects to those who lead buckets of the tables in m, unless they are many.
func (c *Client) dialLeaders(m *flusspb.MetadataResponse) {
	var servers []int32
	for _, t := range m.TableMetadata {
		for _, b := range t.BucketMetadata {
			if b.LeaderId != nil && !slices.Contains(servers, b.GetLeaderId()) {
				servers = append(servers, b.GetLeaderId())
			}
		}
	}
	if len(servers) > dialAhead {
		return
	}
	for _, id := range servers {
		if n := c.tablet(id); n != nil {
			c.dialLink(n, smallConn)
		}
	}
}

// takeAhead keeps the leaders of a table. Where they are still being asked for, those who need them wait for that.
func (c *Client) takeAhead(t *catalog.Table, ahead *flight[*flusspb.MetadataResponse]) {
	if ahead == nil || t.IsPartitioned() {
		return
	}
	s, f := c.state(t), newFlight[struct{}]()
	s.mu.Lock()
	asking := s.refresh != nil
	if !asking {
		s.refresh = f
	}
	s.mu.Unlock()
	if asking {
		return
	}
	ahead.onLand(func() { // at once when it has
		s.keepAhead(ahead)
		s.mu.Lock()
		s.refresh = nil
		s.mu.Unlock()
		f.land(struct{}{}, nil)
	})
}

// keepAhead takes the leaders out of an answer, unless they are known.
func (s *tableState) keepAhead(ahead *flight[*flusspb.MetadataResponse]) {
	if ahead.err != nil {
		return
	}
	for _, m := range ahead.val.TableMetadata {
		if _, known := (*s.leaders.Load())[catalog.NoPartition]; !known && m.GetTableId() == s.id {
			s.setLeaders(leaders{catalog.NoPartition: leaderList(s.buckets, m.BucketMetadata)})
		}
	}
}
