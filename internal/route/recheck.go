package route

import (
	"context"
	"time"

	"github.com/gofluss/fluss/internal/catalog"
)

// A table that is written whole rows to is looked at again in the background when recheckAfter has passed, and in front of
// the write when staleAfter has: a server takes rows of an older schema and does not tell that there is a newer one.
const (
	recheckAfter = time.Second
	staleAfter   = 5 * time.Second
)

// Recheck looks whether a key table is still what the cache says, if nobody did for a while, so that the next Table gives
// its newer schema. It never fails: what cannot be told now shows in the write itself.
func (c *Client) Recheck(ctx context.Context, path catalog.TablePath) {
	known := c.tables.byPath.get(path)
	if known == nil || !known.table.IsKeyTable() {
		return
	}
	age := time.Since(time.Unix(0, known.seen.Load()))
	if age < recheckAfter {
		return
	}
	f := c.readTableOnce(path)
	if age < staleAfter {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, c.cfg.AttemptTimeout)
	defer cancel()
	f.wait(ctx) // whatever comes of it
}
