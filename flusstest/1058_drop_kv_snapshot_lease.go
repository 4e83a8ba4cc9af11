package flusstest

// DROP_KV_SNAPSHOT_LEASE, version 0. There are no snapshots and so no leases; the real server, too, takes a lease that it
// does not know for one that is gone.

import (
	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss/internal/wire/flusspb"
)

func (c *call) dropKVSnapshotLease(*flusspb.DropKvSnapshotLeaseRequest) (proto.Message, error) {
	return new(flusspb.DropKvSnapshotLeaseResponse), nil
}
