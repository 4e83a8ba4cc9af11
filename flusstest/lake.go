package flusstest

import (
	"maps"
	"strings"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/wire"
)

const (
	lakeEnabledProperty = "table.datalake.enabled"
	lakeFormatProperty  = "table.datalake.format"
)

// lakeConfigs are the settings of a cluster with a lake, see Lake; nil without one.
func (s *Server) lakeConfigs() map[string]string {
	if s.opt.lake == "" {
		return nil
	}
	prefix := lakePrefix + s.opt.lake + "."
	return map[string]string{lakeFormatKey: s.opt.lake, prefix + "metastore": "filesystem", prefix + "warehouse": "/nowhere"}
}

// described is a table's descriptor as the servers tell it: a table in the lake has the settings of the cluster's lake among
// its properties. Source: TableRegistration.toTableInfo (Java, v0.9.1-incubating).
func (c *cluster) described(t *table) []byte {
	d := t.now.Descriptor
	if c.srv.opt.lake != "" && settings(d.Properties).enabled(lakeEnabledProperty) {
		d.Properties = maps.Clone(d.Properties)
		for key, value := range c.srv.lakeConfigs() {
			if key != lakeFormatKey {
				d.Properties["table."+key] = value
			}
		}
	}
	return catalog.EncodeDescriptor(&d)
}

// checkLakeChange checks a change of a table's properties against the lake that it is in, or is to be in.
func (c *cluster) checkLakeChange(t *table, key, value string) error {
	format := strings.ToLower(t.now.Properties[lakeFormatProperty])
	switch {
	case key == lakeEnabledProperty && format == "":
		return refuse(wire.CodeInvalidAlterTable, "The option '%s' cannot be altered for tables that were created before the Fluss cluster enabled datalake.", key)
	case key == lakeEnabledProperty && strings.EqualFold(value, "true") && c.srv.opt.lake == "":
		return refuse(wire.CodeInvalidAlterTable, "Cannot alter table %s in data lake, because the Fluss cluster doesn't enable datalake tables.", t.path)
	case settings(t.now.Properties).enabled(lakeEnabledProperty) && strings.HasPrefix(key, format+"."):
		return refuse(wire.CodeInvalidConfig, "Property '%s' is not supported to alter which is for datalake table.", key)
	}
	return nil
}
