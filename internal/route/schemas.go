package route

import (
	"maps"

	"github.com/gofluss/fluss/internal/catalog"
)

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
