package flusstest

// ALTER_CLUSTER_CONFIGS, version 0. Settings are checked as by the real server, kept and described, and have no effect.

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"

	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss/internal/wire/flusspb"
)

const (
	rateLimiterKey    = "kv.rocksdb.shared-rate-limiter.bytes-per-sec"
	lakeFormatKey     = "datalake.format"
	lakePrefix        = "datalake."
	configException   = "org.apache.fluss.exception.ConfigException"
	unsupportedInJava = "java.lang.UnsupportedOperationException"
)

func (c *call) alterClusterConfigs(q *flusspb.AlterClusterConfigsRequest) (proto.Message, error) {
	cl := c.srv.cluster
	cl.mu.Lock()
	defer cl.mu.Unlock()
	next := maps.Clone(cl.configs)
	for _, change := range q.AlterConfigs {
		if err := alterConfig(next, change); err != nil {
			return nil, err
		}
	}
	if err := checkConfigs(c.srv.lakeConfigs(), cl.configs, next); err != nil {
		return nil, err
	}
	cl.configs = next
	return new(flusspb.AlterClusterConfigsResponse), nil
}

// alterConfig makes one change of the settings.
func alterConfig(configs map[string]string, change *flusspb.PbAlterConfig) error {
	key := change.GetConfigKey()
	if !strings.HasPrefix(key, lakePrefix) && key != rateLimiterKey {
		return refuseJava(configException, "The config key %s is not allowed to be changed dynamically.", key)
	}
	switch op := change.GetOpType(); op {
	case opSet:
		configs[key] = change.GetConfigValue()
	case opDelete:
		delete(configs, key)
	case opAppend:
		return refuseJava(configException, "Unsupported config operation type APPEND")
	case opSubtract:
		return refuseJava(configException, "Unsupported config operation type SUBTRACT")
	default:
		return refuseJava(illegalArgument, "Unsupported AlterConfigOpType: %d", op)
	}
	return nil
}

// memorySize is a size as Java's MemorySize reads it.
var memorySize = regexp.MustCompile(`(?i)^\s*[0-9]+\s*(|b|bytes|k|kb|kibibytes|m|mb|mebibytes|g|gb|gibibytes|t|tb|tebibytes)\s*$`)

// checkConfigs checks the settings that change. initial are those of the lake that the cluster was started with. Source:
// DynamicServerConfig, LakeCatalogDynamicLoader (Java, v0.9.1-incubating).
func checkConfigs(initial, now, next map[string]string) error {
	if maps.Equal(now, next) {
		return nil
	}
	before, after := maps.Clone(initial), maps.Clone(initial)
	if initial == nil {
		before, after = map[string]string{}, map[string]string{}
	}
	maps.Copy(before, now)
	maps.Copy(after, next)
	format := after[lakeFormatKey]
	if format != before[lakeFormatKey] && format != "" && !slices.Contains(properties[lakeFormatProperty].words, strings.ToUpper(format)) {
		return unparsableConfig(lakeFormatKey, format, "DataLakeFormat")
	}
	if v, ok := after[rateLimiterKey]; ok && v != before[rateLimiterKey] && !memorySize.MatchString(v) {
		return unparsableConfig(rateLimiterKey, v, "MemorySize")
	}
	lake := cmp.Or(strings.ToLower(format), "null")
	for _, key := range slices.Sorted(maps.Keys(after)) {
		if key != lakeFormatKey && strings.HasPrefix(key, lakePrefix) && !strings.HasPrefix(key, lakePrefix+lake+".") {
			return refuseJava(configException, "Invalid configuration '%s' for '%s' datalake format", key, lake)
		}
	}
	if format != "" && !strings.EqualFold(format, before[lakeFormatKey]) {
		return refuseJava(unsupportedInJava, "No LakeStoragePlugin can be found for datalake format: %s", lake)
	}
	return nil
}

func unparsableConfig(key, value, class string) error {
	return refuseJava(configException, "Cannot parse '%s' as %s for config '%s': %s", value, class, key, unparsable(key, value))
}
