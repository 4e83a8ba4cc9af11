package flusstest

// LIST_PARTITION_INFOS, version 0. In the order of the ids; the real server sorts nothing.

import (
	"slices"

	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss/internal/row"
	"github.com/gofluss/fluss/internal/wire"
	"github.com/gofluss/fluss/internal/wire/flusspb"
)

func (c *call) listPartitionInfos(q *flusspb.ListPartitionInfosRequest) (proto.Message, error) {
	cl := c.srv.cluster
	cl.mu.RLock()
	defer cl.mu.RUnlock()
	t, err := cl.find(tablePath(q.TablePath))
	if err != nil {
		return nil, err
	}
	if !t.now.IsPartitioned() {
		return nil, refuse(wire.CodeTableNotPartitioned, "Table '%s' is not a partitioned table.", t.path)
	}
	filter := specOf(q.PartialPartitionSpec)
	for _, want := range filter {
		if !slices.Contains(t.now.PartitionKeys, want.key) {
			return nil, refuseJava(flussRuntime,
				"Fail to list partitions for table: %s, partitionSpec: %s.", t.path, specText(filter, "/"))
		}
	}
	answer := new(flusspb.ListPartitionInfosResponse)
	for _, p := range t.sortedPartitions() {
		spec := new(flusspb.PbPartitionSpec)
		fits := true
		for i, value := range row.SplitPartitionName(p.name) {
			key := t.now.PartitionKeys[i]
			spec.PartitionKeyValues = append(spec.PartitionKeyValues, &flusspb.PbKeyValue{Key: &key, Value: &value})
			for _, want := range filter {
				fits = fits && (want.key != key || want.value == value)
			}
		}
		if fits {
			answer.PartitionsInfo = append(answer.PartitionsInfo, &flusspb.PbPartitionInfo{PartitionId: &p.id, PartitionSpec: spec})
		}
	}
	return answer, nil
}

func specOf(p *flusspb.PbPartitionSpec) []namedValue {
	var spec []namedValue
	for _, v := range p.GetPartitionKeyValues() {
		spec = append(spec, namedValue{v.GetKey(), v.GetValue()})
	}
	return spec
}
