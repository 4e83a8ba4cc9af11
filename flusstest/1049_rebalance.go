package flusstest

// REBALANCE (1049), LIST_REBALANCE_PROGRESS (1050) and CANCEL_REBALANCE (1051), version 0. The buckets are spread evenly
// from the start, so a rebalance finds nothing to move and is complete at once; it has no regard for server tags.

import (
	"crypto/rand"
	"fmt"

	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss/internal/wire"
	"github.com/gofluss/fluss/internal/wire/flusspb"
)

// rebalanceGoals are the names of GoalType (Java, v0.9.1-incubating) by their numbers.
var rebalanceGoals = []string{"REPLICA_DISTRIBUTION", "LEADER_DISTRIBUTION", "RACK_AWARE"}

const rebalanceCompleted int32 = 3

func (c *call) rebalance(q *flusspb.RebalanceRequest) (proto.Message, error) {
	for _, goal := range q.Goals {
		if goal < 0 || int(goal) >= len(rebalanceGoals) {
			return nil, refuseJava(illegalArgument, "Value %d must be one of %s", goal, javaList(rebalanceGoals))
		}
	}
	cl := c.srv.cluster
	cl.mu.Lock()
	defer cl.mu.Unlock()
	cl.rebalanceID = newUUID()
	return &flusspb.RebalanceResponse{RebalanceId: proto.String(cl.rebalanceID)}, nil
}

func newUUID() string {
	var b [16]byte
	rand.Read(b[:]) // never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

func (c *call) listRebalanceProgress(q *flusspb.ListRebalanceProgressRequest) (proto.Message, error) {
	id, err := c.lastRebalance(q.RebalanceId, "list")
	if err != nil || id == "" {
		return new(flusspb.ListRebalanceProgressResponse), err
	}
	return &flusspb.ListRebalanceProgressResponse{RebalanceId: &id, RebalanceStatus: proto.Int32(rebalanceCompleted)}, nil
}

func (c *call) cancelRebalance(q *flusspb.CancelRebalanceRequest) (proto.Message, error) {
	_, err := c.lastRebalance(q.RebalanceId, "cancel")
	return new(flusspb.CancelRebalanceResponse), err
}

// lastRebalance is the id of the last rebalance, "" before the first. Any other id is refused, unless there was none.
func (c *call) lastRebalance(want *string, verb string) (string, error) {
	cl := c.srv.cluster
	cl.mu.RLock()
	defer cl.mu.RUnlock()
	if want != nil && cl.rebalanceID != "" && *want != cl.rebalanceID {
		return "", refuse(wire.CodeNoRebalanceInProgress, "Rebalance task id %s to %s is not the current rebalance task id %s.", *want, verb, cl.rebalanceID)
	}
	return cl.rebalanceID, nil
}
