package fluss

import (
	"context"
	"database/sql/driver"
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/route"
)

func (p *procedureCall) addServerTag(ctx context.Context) (*staticRows, error) {
	return p.tagServers(ctx, false)
}

func (p *procedureCall) removeServerTag(ctx context.Context) (*staticRows, error) {
	return p.tagServers(ctx, true)
}

func (p *procedureCall) tagServers(ctx context.Context, remove bool) (*staticRows, error) {
	text, err := p.given(0)
	if err != nil {
		return nil, err
	}
	var servers []int32
	for part := range strings.SplitSeq(text, ",") {
		id, err := strconv.ParseInt(strings.TrimSpace(part), 10, 32)
		if err != nil {
			return nil, p.refuse("tabletServers", "%q is no list of server ids such as '0,1,2'", text)
		}
		servers = append(servers, int32(id))
	}
	if text, err = p.given(1); err != nil {
		return nil, err
	}
	tag, err := p.oneOf("serverTag", text, route.ServerTags)
	if err != nil {
		return nil, err
	}
	return results(success), p.c.client.TagServers(ctx, servers, int32(tag), remove)
}

// rebalance starts a rebalance and gives its id.
func (p *procedureCall) rebalance(ctx context.Context) (*staticRows, error) {
	text, err := p.given(0)
	if err != nil {
		return nil, err
	}
	var goals []int32
	for part := range strings.SplitSeq(text, ",") {
		goal, err := p.oneOf("priorityGoals", part, route.RebalanceGoals)
		if err != nil {
			return nil, err
		}
		goals = append(goals, int32(goal))
	}
	id, err := p.c.client.StartRebalance(ctx, goals)
	return results(id), err
}

// rebalanceID is the argument of list_rebalance and cancel_rebalance; nil stands for the last one.
func (p *procedureCall) rebalanceID() *string {
	if v := p.args[0].values; len(v) > 0 {
		return v[0]
	}
	return nil
}

func (p *procedureCall) cancelRebalance(ctx context.Context) (*staticRows, error) {
	return results(success), p.c.client.CancelRebalance(ctx, p.rebalanceID())
}

// listRebalance gives a row, or none when there was no rebalance since the coordinator started.
func (p *procedureCall) listRebalance(ctx context.Context) (*staticRows, error) {
	out := &staticRows{columns: textColumns("rebalance_id", "rebalance_status", "rebalance_progress", "rebalance_plan")}
	r, err := p.c.client.RebalanceProgress(ctx, p.rebalanceID())
	if err != nil || r == nil {
		return out, err
	}
	plan, err := rebalancePlan(r)
	out.rows = [][]driver.Value{{r.ID, r.Status.String(), rebalanceProgress(r), plan}}
	return out, err
}

// rebalanceProgress is the share of buckets that are done with, as Flink prints it: two digits at most, NONE when there
// was nothing to move.
func rebalanceProgress(r *route.Rebalance) string {
	if len(r.Buckets) == 0 {
		return "NONE"
	}
	done := 0
	for i := range r.Buckets {
		if r.Buckets[i].Status.Final() {
			done++
		}
	}
	share := 100 * float64(done) / float64(len(r.Buckets))
	return strconv.FormatFloat(math.RoundToEven(share*100)/100, 'f', -1, 64) + "%"
}

// rebalancePlan is the JSON of RebalanceProgressJsonSerializer (Java, v0.9.1-incubating).
func rebalancePlan(r *route.Rebalance) (string, error) {
	type move struct {
		TableID         int64   `json:"table_id"`
		BucketID        int32   `json:"bucket_id"`
		PartitionID     *int64  `json:"partition_id,omitempty"`
		OriginalLeader  int32   `json:"original_leader"`
		NewLeader       int32   `json:"new_leader"`
		OriginReplicas  []int32 `json:"origin_replicas"`
		NewReplicas     []int32 `json:"new_replicas"`
		RebalanceStatus int32   `json:"rebalance_status"`
	}
	moves := make([]move, len(r.Buckets))
	for i := range r.Buckets {
		b := &r.Buckets[i]
		moves[i] = move{b.Bucket.TableID, b.Bucket.ID, nil, b.OldLeader, b.NewLeader, append([]int32{}, b.OldReplicas...), append([]int32{}, b.NewReplicas...), int32(b.Status)}
		if b.Bucket.PartitionID != catalog.NoPartition {
			moves[i].PartitionID = &b.Bucket.PartitionID
		}
	}
	text, err := json.Marshal(struct {
		ID       string `json:"rebalance_id"`
		Status   int32  `json:"rebalance_status"`
		Progress string `json:"progress"`
		Buckets  []move `json:"progress_for_buckets"`
	}{r.ID, int32(r.Status), rebalanceProgress(r), moves})
	return string(text), err
}

func (p *procedureCall) dropSnapshotLease(ctx context.Context) (*staticRows, error) {
	lease, err := p.given(0)
	if err != nil {
		return nil, err
	}
	return results(success), p.c.client.DropSnapshotLease(ctx, lease)
}
