package flusstest

// GET_LAKE_SNAPSHOT, version 0. The cluster has no lake: code 53.

import (
	"fmt"

	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss/internal/wire"
	"github.com/gofluss/fluss/internal/wire/flusspb"
)

func (c *call) getLakeSnapshot(q *flusspb.GetLakeSnapshotRequest) (proto.Message, error) {
	cl := c.srv.cluster
	cl.mu.RLock()
	defer cl.mu.RUnlock()
	what, which := "snapshot", ""
	switch {
	case q.GetReadable() && q.SnapshotId != nil:
		return nil, refuseJava(illegalArgument, "GetLakeSnapshotRequest cannot set both snapshot_id and readable=true; use one or the other to specify either a snapshot by id or the latest readable snapshot.")
	case q.GetReadable():
		what = "readable snapshot"
	case q.SnapshotId != nil:
		which = fmt.Sprintf(", snapshot id: %d", q.GetSnapshotId())
	}
	t, err := cl.find(tablePath(q.TablePath))
	if err != nil {
		return nil, err
	}
	return nil, refuse(wire.CodeLakeSnapshotNotExist, "Lake table %s doesn't exist for table: %s, table id: %d%s", what, t.path, t.id, which)
}
