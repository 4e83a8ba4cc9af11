package route

import (
	"context"

	"github.com/gofluss/fluss/internal/wire"
	"github.com/gofluss/fluss/internal/wire/flusspb"
)

// ClusterConfig is a setting of the cluster.
type ClusterConfig struct {
	Key    string
	Value  *string // nil: none
	Source string  // INITIAL_SERVER_CONFIG or DYNAMIC_SERVER_CONFIG
}

// ClusterConfigs returns the settings that the coordinator was started with or was given since, in its order. Defaults are
// not among them; passwords are, in clear text.
func (c *Client) ClusterConfigs(ctx context.Context) ([]ClusterConfig, error) {
	resp := &flusspb.DescribeClusterConfigsResponse{}
	err := c.change(ctx, ddl{
		what: "the settings of the cluster", key: wire.APIDescribeClusterConfigs, read: true,
		req: &flusspb.DescribeClusterConfigsRequest{}, resp: resp,
	})
	list := make([]ClusterConfig, len(resp.Configs))
	for i, s := range resp.Configs {
		list[i] = ClusterConfig{Key: s.GetConfigKey(), Value: s.ConfigValue, Source: s.GetConfigSource()}
	}
	return list, err
}

// AlterClusterConfigs sets and resets settings of the cluster, all of them or none.
func (c *Client) AlterClusterConfigs(ctx context.Context, list []Property) error {
	return c.change(ctx, ddl{
		what: "the settings of the cluster", key: wire.APIAlterClusterConfigs, again: true,
		req: &flusspb.AlterClusterConfigsRequest{AlterConfigs: alterConfigs(list)}, resp: &flusspb.AlterClusterConfigsResponse{},
	})
}

func alterConfigs(list []Property) []*flusspb.PbAlterConfig {
	out := make([]*flusspb.PbAlterConfig, len(list))
	for i := range list {
		op := setConfig
		if list[i].Value == nil {
			op = deleteConfig
		}
		out[i] = &flusspb.PbAlterConfig{ConfigKey: &list[i].Key, ConfigValue: list[i].Value, OpType: &op}
	}
	return out
}
