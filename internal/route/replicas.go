package route

import (
	"context"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/wire"
	"github.com/gofluss/fluss/internal/wire/flusspb"
)

// Replicas tells where a bucket lives: ids of tablet servers.
type Replicas struct {
	Bucket   catalog.Bucket
	Leader   int32 // -1: none
	Replicas []int32
}

// partitionsPerRequest bounds one question for the replicas of partitions.
const partitionsPerRequest = 100

// Replicas asks where the buckets of a table, or of some of its partitions, live. Buckets that the server does not tell of
// have no leader and no replicas. partitions holds NoPartition alone for a table without partitions.
func (c *Client) Replicas(ctx context.Context, t *catalog.Table, partitions []int64) ([]Replicas, error) {
	ctx, cancel := c.bounded(ctx)
	defer cancel()
	var out []Replicas
	for len(partitions) > 0 {
		some := partitions[:min(len(partitions), partitionsPerRequest)]
		partitions = partitions[len(some):]
		list, err := c.replicas(ctx, t, some)
		if err != nil {
			return nil, err
		}
		out = append(out, list...)
	}
	return out, nil
}

func (c *Client) replicas(ctx context.Context, t *catalog.Table, partitions []int64) ([]Replicas, error) {
	req := &flusspb.MetadataRequest{TablePath: []*flusspb.PbTablePath{tablePath(t.Path)}}
	for _, id := range partitions {
		if id != catalog.NoPartition {
			req.PartitionsId = append(req.PartitionsId, id)
		}
	}
	var m flusspb.MetadataResponse
	if err := c.ask(ctx, "the buckets of table "+t.Path.String(), wire.APIGetMetadata, req, &m); err != nil {
		return nil, err
	}
	told := map[int64][]*flusspb.PbBucketMetadata{}
	for _, info := range m.TableMetadata {
		if info.GetTableId() == t.ID {
			told[catalog.NoPartition] = info.BucketMetadata
		}
	}
	for _, p := range m.PartitionMetadata {
		told[p.GetPartitionId()] = p.BucketMetadata
	}
	var out []Replicas
	for _, id := range partitions {
		first := len(out)
		for n := range t.BucketCount {
			out = append(out, Replicas{Bucket: catalog.Bucket{TableID: t.ID, PartitionID: id, ID: int32(n)}, Leader: -1})
		}
		for _, b := range told[id] {
			if n := int(b.GetBucketId()); n >= 0 && n < t.BucketCount {
				r := &out[first+n]
				if r.Replicas = b.ReplicaId; b.LeaderId != nil {
					r.Leader = b.GetLeaderId()
				}
			}
		}
	}
	return out, nil
}

// Release infers the release of a server from the APIs that it offers, as ApiVersions does not tell it: "" when they do
// not say. It fails when the server cannot be reached within the time of one attempt.
func (c *Client) Release(ctx context.Context, s *catalog.Server) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, c.cfg.AttemptTimeout)
	defer cancel()
	conn, err := c.nodeConn(ctx, c.nodes.get(address(s)), smallConn)
	if err != nil {
		return "", err
	}
	for _, k := range []wire.APIKey{wire.APIGetTableStats, wire.APIDropKVSnapshotLease} { // a tablet server's, a coordinator's
		if _, ok := conn.Version(k); ok {
			return "0.9.1", nil
		}
	}
	return "", nil
}
