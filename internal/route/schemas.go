package route

import (
	"context"
	"fmt"
	"maps"

	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/wire"
	"github.com/gofluss/fluss/internal/wire/flusspb"
)

// Schema returns a version of t's schema, from the cache when it is there.
func (c *Client) Schema(ctx context.Context, t *catalog.Table, id int) (*catalog.Schema, error) {
	if id == t.Schema.ID {
		return t.Schema, nil
	}
	s := c.state(t)
	if schema := s.schema(id); schema != nil {
		return schema, nil
	}
	ctx, cancel := c.bounded(ctx)
	defer cancel()
	schema, err := c.readSchema(ctx, t, id)
	if err == nil {
		s.keepSchema(schema)
	}
	return schema, err
}

// readSchema asks by path, which may be another table by now; so the table's id is checked afterwards.
func (c *Client) readSchema(ctx context.Context, t *catalog.Table, id int) (*catalog.Schema, error) {
	what := fmt.Sprintf("schema %d of table %s", id, t.Path)
	version := int32(id)
	req := &flusspb.GetTableSchemaRequest{TablePath: tablePath(t.Path), SchemaId: &version}
	var resp flusspb.GetTableSchemaResponse
	if err := c.askSchema(ctx, what, req, &resp); err != nil {
		return nil, err
	}
	if now, err := c.readTableOnce(t.Path).wait(ctx); err != nil {
		return nil, err
	} else if now.ID != t.ID {
		return nil, &TableChangedError{Path: t.Path, Old: t.ID, New: now.ID}
	}
	schema, err := catalog.DecodeSchema(resp.SchemaJson, int(resp.GetSchemaId()))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	if schema.ID != id {
		return nil, fmt.Errorf("%s: %w: it is schema %d", what, errMalformed, schema.ID)
	}
	return schema, nil
}

// askSchema gives a server the time of one attempt to hear of a new version: then the version does not exist.
func (c *Client) askSchema(ctx context.Context, what string, req, resp proto.Message) error {
	short, cancel := context.WithTimeout(ctx, c.cfg.AttemptTimeout)
	defer cancel()
	err := c.ask(short, what, wire.APIGetTableSchema, req, resp)
	if w, ok := err.(*WaitError); ok && ctx.Err() == nil && hasCode(w.Last, wire.CodeSchemaNotExist) {
		return w.Last
	}
	return err
}

// schema returns a version of the table's schema if it is known.
func (s *tableState) schema(id int) *catalog.Schema {
	if m := s.schemas.Load(); m != nil {
		return (*m)[id]
	}
	return nil
}

func (s *tableState) keepSchema(schema *catalog.Schema) {
	s.mu.Lock()
	defer s.mu.Unlock()
	m := map[int]*catalog.Schema{}
	if old := s.schemas.Load(); old != nil {
		m = maps.Clone(*old)
	}
	m[schema.ID] = schema
	s.schemas.Store(&m)
}
