package flusstest

// DESCRIBE_CLUSTER_CONFIGS, version 0. Tells what the options amount to, under the names of the real server's settings.

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss/internal/wire/flusspb"
)

const initialConfig = "INITIAL_SERVER_CONFIG"

func (c *call) describeClusterConfigs(*flusspb.DescribeClusterConfigsRequest) (proto.Message, error) {
	initial := map[string]string{
		"default.bucket.number":      strconv.Itoa(c.srv.opt.buckets),
		"default.replication.factor": strconv.Itoa(c.srv.opt.replicas),
	}
	c.srv.securityConfigs(initial)
	maps.Copy(initial, c.srv.lakeConfigs())
	cl := c.srv.cluster
	cl.mu.RLock()
	defer cl.mu.RUnlock()
	answer := new(flusspb.DescribeClusterConfigsResponse)
	add := func(from map[string]string, source string) {
		for _, key := range slices.Sorted(maps.Keys(from)) {
			if _, set := cl.configs[key]; set && source == initialConfig {
				continue
			}
			answer.Configs = append(answer.Configs, &flusspb.PbDescribeConfig{
				ConfigKey: &key, ConfigValue: proto.String(from[key]), ConfigSource: &source,
			})
		}
	}
	add(initial, initialConfig)
	add(cl.configs, "DYNAMIC_SERVER_CONFIG")
	return answer, nil
}

// securityConfigs adds what Users and Authorize amount to. Passwords are told in clear text, as by the real server.
func (s *Server) securityConfigs(configs map[string]string) {
	if s.opt.users != nil {
		var jaas strings.Builder
		jaas.WriteString("org.apache.fluss.security.auth.sasl.plain.PlainLoginModule required")
		for _, user := range slices.Sorted(maps.Keys(s.opt.users)) {
			fmt.Fprintf(&jaas, " user_%s=%q", user, s.opt.users[user])
		}
		configs["security.sasl.enabled.mechanisms"] = "PLAIN"
		configs["security.sasl.plain.jaas.config"] = jaas.String() + ";"
	}
	if s.opt.authorize {
		configs["authorizer.enabled"] = "true"
		configs["super.users"] = "User:" + strings.Join(s.opt.superUsers, ";User:")
	}
}
