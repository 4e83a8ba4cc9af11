package flusstest

// ALTER_CLUSTER_CONFIGS, version 0. Settings are kept and described, and have no effect.

import (
	"maps"
	"strings"

	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss/internal/wire/flusspb"
)

func (c *call) alterClusterConfigs(q *flusspb.AlterClusterConfigsRequest) (proto.Message, error) {
	const class = "org.apache.fluss.exception.ConfigException"
	cl := c.srv.cluster
	cl.mu.Lock()
	defer cl.mu.Unlock()
	next := maps.Clone(cl.configs)
	for _, change := range q.AlterConfigs {
		key := change.GetConfigKey()
		if !strings.HasPrefix(key, "datalake.") && key != "kv.rocksdb.shared-rate-limiter.bytes-per-sec" {
			return nil, refuseJava(class, "The config key %s is not allowed to be changed dynamically.", key)
		}
		switch op := change.GetOpType(); op {
		case opSet:
			next[key] = change.GetConfigValue()
		case opDelete:
			delete(next, key)
		case opAppend:
			return nil, refuseJava(class, "Unsupported config operation type APPEND")
		case opSubtract:
			return nil, refuseJava(class, "Unsupported config operation type SUBTRACT")
		default:
			return nil, refuseJava(illegalArgument, "Unsupported AlterConfigOpType: %d", op)
		}
	}
	cl.configs = next
	return new(flusspb.AlterClusterConfigsResponse), nil
}
