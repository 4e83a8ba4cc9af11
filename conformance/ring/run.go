package ring

import (
	"context"
	"errors"
)

// Run makes the tables in a database of its own, runs load and faults, waits until the cluster serves again, verifies
// everything through a second pool, closes both and measures what stays. What it finds is in the Report; an error means
// that the ring itself could not be run, and then there is a Report as far as it came, or none.
func Run(ctx context.Context, o Options, f Faults) (*Report, error) {
	o.setDefaults()
	return nil, errors.New("ring: to come")
}
