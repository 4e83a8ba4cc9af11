package route

import (
	"context"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/wire/flusspb"
)

// Operations of PbAlterConfig and the only position that 0.9.1 accepts for a new column.
const (
	setConfig    int32 = 0
	deleteConfig int32 = 1
	lastPosition int32 = 0
)

// AddColumns appends columns to a table. Their ids are the server's to choose, those given here are not sent.
func (c *Client) AddColumns(ctx context.Context, path catalog.TablePath, columns []catalog.Column) error {
	req := &flusspb.AlterTableRequest{}
	for i := range columns {
		add := &flusspb.PbAddColumn{ColumnName: &columns[i].Name, DataTypeJson: catalog.EncodeType(&columns[i].Type), ColumnPositionType: new(lastPosition)}
		if columns[i].Comment != "" {
			add.Comment = &columns[i].Comment
		}
		req.AddColumns = append(req.AddColumns, add)
	}
	return c.AlterTable(ctx, path, req)
}

// Property is a table property; a nil Value takes it away.
type Property struct {
	Key   string
	Value *string
}

// AlterProperties sets and resets properties of a table, in one change.
func (c *Client) AlterProperties(ctx context.Context, path catalog.TablePath, list []Property) error {
	return c.AlterTable(ctx, path, &flusspb.AlterTableRequest{ConfigChanges: alterConfigs(list)})
}
