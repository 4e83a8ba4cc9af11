package conformance

import (
	"database/sql"
	"testing"

	"github.com/gofluss/fluss"
	"github.com/gofluss/fluss/conformance/internal/gate"
)

// openGated opens the target through a gate, closed when the test ends.
func openGated(t *testing.T, change func(*fluss.Config)) (*sql.DB, *gate.Gate) {
	t.Helper()
	g := gate.New()
	db := openConfig(t, func(cfg *fluss.Config) {
		cfg.Dial = g.Dial
		if change != nil {
			change(cfg)
		}
	})
	t.Cleanup(g.Thaw)
	return db, g
}
