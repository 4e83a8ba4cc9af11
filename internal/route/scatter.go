package route

import (
	"context"

	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/wire"
)

// scatterRead is a read of many buckets at once that gives a number for each.
type scatterRead struct {
	key          wire.APIKey
	onePartition bool // a request names one partition
	request      func(buckets []catalog.Bucket) proto.Message
	// parse reads the answer to a request for these buckets and calls set once for each entry.
	parse func(body []byte, asked []catalog.Bucket, set func(bucketNumber)) error
}

// bucketNumber is one bucket's entry in an answer.
type bucketNumber struct {
	wire.BucketStatus
	value   int64
	present bool
}

// shard is the part of a scatterRead that goes out in one request.
type shard struct {
	at      target
	which   []int // positions in the list of buckets
	buckets []catalog.Bucket
	reply   *reply
}

// scatter asks the leaders of all buckets, each server once (or once for each partition), and repeats what failed
// until every bucket has its number, an error is final, or ctx ends.
func (c *Client) scatter(ctx context.Context, t *catalog.Table, buckets []catalog.Bucket, r scatterRead) ([]int64, error) {
	ctx, cancel := c.bounded(ctx)
	defer cancel()
	values := make([]int64, len(buckets))
	todo := make([]int, len(buckets))
	for i := range todo {
		todo[i] = i
	}
	var p pace
	var last error
	for len(todo) > 0 {
		shards, left, err := c.shards(ctx, t, buckets, todo, r.onePartition)
		if err != nil {
			return nil, waitedOr(ctx, r.key.String()+" of table "+t.Path.String(), err, last)
		}
		slow := false // only time helps
		for _, s := range shards {
			req := r.request(s.buckets)
			s.reply = newReply()
			s.at.conn.Start(r.key, c.cfg.AttemptTimeout, func(dst []byte) []byte { return appendMessage(dst, req) }, s.reply)
		}
		for _, s := range shards {
			again, pause, err := c.gather(ctx, t, s, r, values)
			if err != nil && (ctx.Err() != nil || !worthRepeating(err)) {
				return nil, waitedOr(ctx, r.key.String()+" of table "+t.Path.String(), err, last)
			}
			if err != nil {
				last = err
			}
			slow = slow || pause
			left = append(left, again...)
		}
		if todo = left; slow && p.sleep(ctx) != nil {
			return nil, waitedOr(ctx, r.key.String()+" of table "+t.Path.String(), nil, last)
		}
	}
	return values, nil
}

// waitedOr is err, unless ctx ended: then it says what the call waited for.
func waitedOr(ctx context.Context, what string, err, last error) error {
	if ctx.Err() != nil {
		return waited(what, ctx.Err(), err, last)
	}
	return err
}

// shards groups buckets by leader. Buckets whose leader cannot be reached now are left for the next round.
func (c *Client) shards(ctx context.Context, t *catalog.Table, buckets []catalog.Bucket, todo []int, onePartition bool) (list []*shard, left []int, err error) {
	type place struct {
		server    int32
		partition int64
	}
	byPlace := map[place]*shard{}
	unreachable := map[int32]bool{} // one wait for all buckets that are led there
	s := c.state(t)
	for _, i := range todo { // so that one refresh asks for all partitions
		if _, ok := s.leader(buckets[i]); !ok {
			s.want(buckets[i].PartitionID)
		}
	}
	for _, i := range todo {
		b := buckets[i]
		if l, ok := s.leader(b); ok && unreachable[l.server] {
			c.suspect(t, b, l)
			left = append(left, i)
			continue
		}
		at, err := c.reach(ctx, t, b, smallConn)
		if err != nil {
			unreachable[at.leader.server] = true
			if ctx.Err() != nil || !worthRepeating(err) {
				return nil, nil, err
			}
			left = append(left, i)
			continue
		}
		where := place{server: at.leader.server, partition: catalog.NoPartition}
		if onePartition {
			where.partition = b.PartitionID
		}
		s := byPlace[where]
		if s == nil {
			s = &shard{at: at}
			byPlace[where] = s
			list = append(list, s)
		}
		s.which = append(s.which, i)
		s.buckets = append(s.buckets, b)
	}
	return list, left, nil
}

// gather waits for one answer and sorts its entries: values of the good ones, the positions of those to ask again, and
// whether to pause before that: not for those whose leaders are read again, which has its own pause.
// The error is final when it is not worth repeating, else it says why some are asked again.
func (c *Client) gather(ctx context.Context, t *catalog.Table, s *shard, r scatterRead, values []int64) (again []int, pause bool, why error) {
	body, err := s.reply.wait(ctx)
	if err == nil {
		got := make(map[catalog.Bucket]bucketNumber, len(s.buckets))
		err = r.parse(body, s.buckets, func(n bucketNumber) {
			got[catalog.Bucket{TableID: t.ID, PartitionID: n.Partition, ID: n.Bucket}] = n
		})
		if err == nil {
			return c.sortOut(t, s, r, got, values)
		}
	} else if ctx.Err() == nil {
		c.blame(s.at.node, smallConn, s.at.conn, err)
	}
	if worthRepeating(err) && ctx.Err() == nil {
		for _, b := range s.buckets {
			pause = !c.state(t).disproved(b, c.believed(t, b, s.at.leader), err) || pause
		}
	}
	return s.which, pause, err
}

func (c *Client) sortOut(
	t *catalog.Table, s *shard, r scatterRead, got map[catalog.Bucket]bucketNumber, values []int64,
) (again []int, pause bool, why error) {
	for k, b := range s.buckets {
		b.TableID = t.ID
		n, ok := got[b]
		err := n.Err(r.key, s.at.conn.Addr())
		switch {
		case !ok, err == nil && !n.present:
			return nil, false, malformed("%s: %s is left out", r.key, place(t.Path, b))
		case err == nil:
			values[s.which[k]] = n.value
			continue
		case !worthRepeating(err):
			return nil, false, err
		}
		why = err
		again = append(again, s.which[k])
		pause = !c.state(t).disproved(b, c.believed(t, b, s.at.leader), err) || pause
	}
	return again, pause, why
}

// believed is the leader of a bucket as it is known now, if it is on the server that was asked. Buckets of one
// server differ in their epochs.
func (c *Client) believed(t *catalog.Table, b catalog.Bucket, asked leader) leader {
	if l, ok := c.state(t).leader(b); ok && l.server == asked.server {
		return l
	}
	return asked
}

// reply is the answer to one started call.
type reply struct {
	done chan struct{}
	body []byte
	err  error
}

func newReply() *reply { return &reply{done: make(chan struct{})} }

// Answered is called by the connection.
func (r *reply) Answered(body []byte, err error) {
	r.body, r.err = body, err
	close(r.done)
}

func (r *reply) wait(ctx context.Context) ([]byte, error) {
	select {
	case <-r.done:
		return r.body, r.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
