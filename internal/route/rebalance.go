package route

import (
	"context"

	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/wire"
	"github.com/gofluss/fluss/internal/wire/flusspb"
)

// The words of ServerTag, GoalType and RebalanceStatus (Java, v0.9.1-incubating) by their numbers on the wire.
var (
	ServerTags      = []string{"PERMANENT_OFFLINE", "TEMPORARY_OFFLINE"}
	RebalanceGoals  = []string{"REPLICA_DISTRIBUTION", "LEADER_DISTRIBUTION", "RACK_AWARE"}
	rebalanceStates = words{"NOT_STARTED", "REBALANCING", "FAILED", "COMPLETED", "CANCELED"}
)

// RebalanceStatus is a state of a rebalance, or of one bucket in it.
type RebalanceStatus int32

// String is the word of the state.
func (s RebalanceStatus) String() string { return rebalanceStates.word(int32(s)) }

// Final reports whether nothing more happens.
func (s RebalanceStatus) Final() bool { return s >= 2 }

// Rebalance is what the coordinator knows of a rebalance.
type Rebalance struct {
	ID      string
	Status  RebalanceStatus
	Buckets []BucketMove
}

// BucketMove is the plan for one bucket.
type BucketMove struct {
	Bucket                   catalog.Bucket
	Status                   RebalanceStatus
	OldLeader, NewLeader     int32
	OldReplicas, NewReplicas []int32
}

// TagServers marks tablet servers with one of ServerTags, or takes that mark away. A server has one mark at most.
func (c *Client) TagServers(ctx context.Context, servers []int32, tag int32, remove bool) error {
	d := ddl{
		what: "the tag of the servers", key: wire.APIAddServerTag, again: true,
		req: &flusspb.AddServerTagRequest{ServerIds: servers, ServerTag: &tag}, resp: &flusspb.AddServerTagResponse{},
	}
	if remove {
		d.key, d.req, d.resp = wire.APIRemoveServerTag, &flusspb.RemoveServerTagRequest{ServerIds: servers, ServerTag: &tag}, &flusspb.RemoveServerTagResponse{}
	}
	return c.change(ctx, d)
}

// StartRebalance moves buckets towards goals, the most important first, and returns the id of the rebalance. It is never
// sent twice.
func (c *Client) StartRebalance(ctx context.Context, goals []int32) (string, error) {
	resp := &flusspb.RebalanceResponse{}
	err := c.change(ctx, ddl{what: "the rebalance", key: wire.APIRebalance, req: &flusspb.RebalanceRequest{Goals: goals}, resp: resp})
	return resp.GetRebalanceId(), err
}

// CancelRebalance ends the rebalance of that id, or the current one when id is nil. Buckets that moved stay where they are.
func (c *Client) CancelRebalance(ctx context.Context, id *string) error {
	return c.change(ctx, ddl{
		what: "the end of the rebalance", key: wire.APICancelRebalance, again: true,
		req: &flusspb.CancelRebalanceRequest{RebalanceId: id}, resp: &flusspb.CancelRebalanceResponse{},
	})
}

// RebalanceProgress returns the rebalance of that id, or the last one when id is nil; nil when there was none.
func (c *Client) RebalanceProgress(ctx context.Context, id *string) (*Rebalance, error) {
	resp := &flusspb.ListRebalanceProgressResponse{}
	err := c.change(ctx, ddl{
		what: "the progress of the rebalance", key: wire.APIListRebalanceProgress, read: true,
		req: &flusspb.ListRebalanceProgressRequest{RebalanceId: id}, resp: resp,
	})
	if err != nil || resp.RebalanceId == nil {
		return nil, err
	}
	r := &Rebalance{ID: resp.GetRebalanceId(), Status: RebalanceStatus(resp.GetRebalanceStatus())}
	for _, t := range resp.TableProgress {
		for _, b := range t.BucketsProgress {
			plan := b.GetRebalancePlan()
			move := BucketMove{
				Bucket: catalog.Bucket{TableID: t.GetTableId(), PartitionID: catalog.NoPartition, ID: plan.GetBucketId()}, Status: RebalanceStatus(b.GetRebalanceStatus()),
				OldLeader: plan.GetOriginalLeader(), NewLeader: plan.GetNewLeader(), OldReplicas: plan.OriginalReplicas, NewReplicas: plan.NewReplicas,
			}
			if plan.PartitionId != nil {
				move.Bucket.PartitionID = plan.GetPartitionId()
			}
			r.Buckets = append(r.Buckets, move)
		}
	}
	return r, nil
}

// DropSnapshotLease lets go of all snapshots of key tables that were held under a lease. An unknown lease is no error.
func (c *Client) DropSnapshotLease(ctx context.Context, lease string) error {
	return c.change(ctx, ddl{
		what: "the lease", key: wire.APIDropKVSnapshotLease, again: true,
		req: &flusspb.DropKvSnapshotLeaseRequest{LeaseId: proto.String(lease)}, resp: &flusspb.DropKvSnapshotLeaseResponse{},
	})
}
