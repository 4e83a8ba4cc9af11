package route

import (
	"strconv"

	"github.com/gofluss/fluss/internal/catalog"
)

// PartitionName returns the name of a partition as last told, or its id as text when no list named it.
func (c *Client) PartitionName(t *catalog.Table, id int64) string {
	if p := c.state(t).partitions.Load(); p != nil {
		if name, ok := p.byID[id]; ok {
			return name
		}
		if name, ok := p.older[id]; ok {
			return name
		}
	}
	return strconv.FormatInt(id, 10)
}
