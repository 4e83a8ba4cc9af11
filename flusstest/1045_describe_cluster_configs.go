package flusstest

// DESCRIBE_CLUSTER_CONFIGS, version 0. Tells what the options amount to, under the names of the real server's settings.

import (
	"maps"
	"slices"
	"strconv"

	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss/internal/wire/flusspb"
)

func (c *call) describeClusterConfigs(*flusspb.DescribeClusterConfigsRequest) (proto.Message, error) {
	initial := map[string]string{
		"default.bucket.number":      strconv.Itoa(c.srv.opt.buckets),
		"default.replication.factor": strconv.Itoa(c.srv.opt.replicas),
	}
	cl := c.srv.cluster
	cl.mu.RLock()
	defer cl.mu.RUnlock()
	answer := new(flusspb.DescribeClusterConfigsResponse)
	add := func(from map[string]string, source string) {
		for _, key := range slices.Sorted(maps.Keys(from)) {
			answer.Configs = append(answer.Configs, &flusspb.PbDescribeConfig{
				ConfigKey: &key, ConfigValue: proto.String(from[key]), ConfigSource: &source,
			})
		}
	}
	add(initial, "INITIAL_SERVER_CONFIG")
	add(cl.configs, "DYNAMIC_SERVER_CONFIG")
	return answer, nil
}
