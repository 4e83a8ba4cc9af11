package route

import (
	"testing"
	"time"
)

func TestDropTableWaits(t *testing.T) {
	for _, test := range []struct {
		name           string
		slow, from, to time.Duration
		frozen, absent bool
	}{
		{name: "at once", to: 50 * time.Millisecond},
		{name: "slow", slow: 300 * time.Millisecond, from: 300 * time.Millisecond, to: time.Second},
		{name: "never", slow: time.Hour, from: goneTime, to: goneTime + 50*time.Millisecond},
		{name: "a frozen follower", frozen: true, to: goneTime + 50*time.Millisecond},
		{name: "no such table", absent: true, to: 50 * time.Millisecond},
	} {
		t.Run(test.name, func(t *testing.T) {
			run(t, 3, func(t *testing.T, f *fake) {
				path := f.create("t", 7, 4)
				if test.absent {
					path.Table = "another"
				}
				f.set(func() { f.slow = test.slow })
				c := f.client(nil)
				defer c.Close()
				if err := c.Ping(t.Context()); err != nil {
					t.Fatal(err)
				}
				f.set(func() { f.nodes[2].frozen = test.frozen })
				start := time.Now()
				if err := c.DropTable(t.Context(), path, true); err != nil {
					t.Fatal(err)
				}
				if took := time.Since(start); took < test.from || took > test.to {
					t.Errorf("took %v, want %v to %v", took, test.from, test.to)
				}
			})
		})
	}
}
