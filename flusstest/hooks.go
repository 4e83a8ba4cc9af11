package flusstest

import "github.com/gofluss/fluss/internal/wire"

type hooks struct{}

func (h *hooks) none() bool                              { return true }
func (h *hooks) perform(c *connection, req wire.Request) {}
