package route

import (
	"encoding/binary"
	"testing"

	"github.com/gofluss/fluss/internal/wire"
)

// stamp sets the commit time of each batch of a bucket to its first offset.
func (f *fake) stamp(r ScanRange) {
	f.set(func() {
		for _, b := range f.logs[r.Bucket] {
			binary.LittleEndian.PutUint64(b.bytes[13:], uint64(b.base)) // outside of the CRC
		}
	})
}

// A range with Until ends in front of the first batch that is too late, and nothing behind it is fetched.
func TestScanUntil(t *testing.T) {
	run(t, 1, func(t *testing.T, f *fake) {
		c := f.client(nil)
		defer c.Close()
		_, spec := f.logTable(t, c, 1, 60, 100_000)
		f.stamp(spec.Ranges[0])
		for _, end := range []int64{600, -1} {
			for _, until := range []int64{1, 10, 11, 299, 300, 590} {
				spec.Ranges[0].End, spec.Ranges[0].Until = end, until
				before := f.count(wire.APIFetchLog)
				got, err := scanAll(t, c, spec)
				wantRecords(t, got, err, (until+9)/10*10, 0)
				if n := f.count(wire.APIFetchLog) - before; until <= 11 && n != 1 {
					t.Errorf("%d fetches to time %d", n, until)
				}
			}
		}
	})
}

func TestScanUntilRemote(t *testing.T) {
	dir := t.TempDir()
	run(t, 1, func(t *testing.T, f *fake) {
		c := f.client(nil)
		defer c.Close()
		_, spec := f.logTable(t, c, 1, 30, 100_000)
		f.stamp(spec.Ranges[0])
		f.remote(t, spec.Ranges[0].Bucket, dir, dir)
		for _, until := range []int64{1, 10, 55, 100, 101, 195, 205, 1000} {
			spec.Ranges[0].Until = until
			got, err := scanAll(t, c, spec)
			wantRecords(t, got, err, min((until+9)/10*10, 300), 0)
		}
		for _, since := range []int64{0, 10, 11, 95, 101, 200, 205, 290} { // from wherever the sparse index says
			spec.Ranges[0].Since, spec.Ranges[0].Until = since, 0
			got, err := scanAll(t, c, spec)
			wantRecords(t, got, err, 300-(since+9)/10*10, 0)
		}
	})
}
