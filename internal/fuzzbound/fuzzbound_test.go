package fuzzbound

import (
	"fmt"
	"strings"
	"testing"
)

var sink []byte

// recorder takes what Check reports.
type recorder struct {
	testing.TB
	said string
}

func (r *recorder) Fatal(args ...any) { r.said = fmt.Sprint(args...) }

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		name               string
		input, size, extra int
		fails              bool
	}{
		{"within the slack", 0, slack / 2, 0, false},
		{"beyond it", 0, 4 * slack, 0, true},
		{"in proportion", slack, 4 * slack, 0, false},
		{"allowed by the caller", 0, 4 * slack, 4 * slack, false},
	} {
		r := &recorder{TB: t}
		seen.Store(allocated())
		runs := 0
		CheckWith(r, c.input, func() int {
			runs++
			sink = make([]byte, c.size)
			return c.extra
		})
		if fails := strings.Contains(r.said, "allocated"); fails != c.fails || fails != (runs == 1+tries) {
			t.Errorf("%s: reported %q after %d runs", c.name, r.said, runs)
		}
	}
	// Trees may take more where they are large, and only there.
	for input, size := range map[int]int{4 << 10: slack / 2, 64 << 10: 60 * 200 << 10} {
		CheckTree(t, input, func() { sink = make([]byte, size) })
	}
	r := &recorder{TB: t}
	if CheckTree(r, 4<<10, func() { sink = make([]byte, 4*slack) }); r.said == "" {
		t.Error("4 MiB for 4 KiB were taken for a tree")
	}
	// What was allocated before is not the work's.
	Check(t, 0, func() {})
	sink = make([]byte, 4*slack)
	Check(t, 0, func() { sink = make([]byte, slack/2) })
	// A pool that fills at first use is no finding.
	first := true
	Check(t, 0, func() {
		if first {
			sink, first = make([]byte, 4*slack), false
		}
	})
}

func BenchmarkCheck(b *testing.B) {
	for b.Loop() {
		Check(b, 0, func() {})
	}
}
