package conformance

import (
	"context"
	"errors"
	"testing"

	"github.com/gofluss/fluss"
	"github.com/gofluss/fluss/internal/wire"
)

// TestNoDowngrade: credentials that a server does not take, be it that it wants none, are an error. No request follows on
// a connection that is not authenticated.
func TestNoDowngrade(t *testing.T) {
	db, g := openGated(t, func(cfg *fluss.Config) {
		cfg.User, cfg.Password, cfg.SASL = "nobody", "s3cret-w0rd", "plain"
	})
	ctx, cancel := context.WithTimeout(context.Background(), refusalTimeout)
	defer cancel()
	for _, r := range everyCall(db, func() (context.Context, context.CancelFunc) { return context.WithCancel(ctx) }) {
		secretFree(t, r.err, "s3cret-w0rd")
		if !errors.Is(r.err, fluss.ErrAuthentication) {
			t.Errorf("%s: got %v, want ErrAuthentication", r.call, r.err)
		}
	}
	for _, api := range []wire.APIKey{wire.APIGetMetadata, wire.APIGetTableInfo, wire.APIListDatabases, wire.APICreateTable} {
		if n := g.Requests(api); n != 0 {
			t.Errorf("%d requests %v", n, api)
		}
	}
	if tries := g.Requests(wire.APIAuthenticate); int64(tries) != g.Dials() || tries == 0 {
		t.Errorf("%d tries on %d connections", tries, g.Dials())
	}
}
