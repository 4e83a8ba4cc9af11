package ring

import "testing"

// TestVersion: what a read of a key with one writer may see.
func TestVersion(t *testing.T) {
	for _, test := range []struct {
		name  string
		told  []outcome // of the writes from 1 on
		reads []uint64  // one after another
		want  Verdict
	}{
		{"the last", []outcome{stored, stored}, []uint64{2, 2}, Verdict{}},
		{"nothing yet", nil, []uint64{0}, Verdict{}},
		{"lost", []outcome{stored}, []uint64{0}, Verdict{Broken: 1}},
		{"stale", []outcome{stored, stored}, []uint64{1}, Verdict{Broken: 1}},
		{"unknown, there", []outcome{stored, unknown}, []uint64{1, 2}, Verdict{}},
		{"unknown, not there", []outcome{stored, unknown}, []uint64{1, 1}, Verdict{}},
		{"unknown, there and gone", []outcome{stored, unknown}, []uint64{2, 1}, Verdict{Broken: 1}},
		{"unknown, behind an acknowledged one", []outcome{unknown, stored}, []uint64{1}, Verdict{Broken: 1}},
		{"not stored", []outcome{stored, notStored}, []uint64{1}, Verdict{}},
		{"not stored, but there", []outcome{stored, notStored}, []uint64{2}, Verdict{UnknownUnreported: 1}},
		{"of nobody", []outcome{stored}, []uint64{2}, Verdict{Wrong: 1}},
	} {
		t.Run(test.name, func(t *testing.T) {
			j, v := &judge{}, &version{}
			for _, o := range test.told {
				v.settle(v.issue(), o)
			}
			for _, n := range test.reads {
				v.see(j, "key", v.least(), n)
			}
			if j.verdict != test.want {
				t.Errorf("got %+v, want %+v: %q", j.verdict, test.want, j.findings)
			}
		})
	}
	j, v := &judge{}, &version{}
	least := v.least()
	v.settle(v.issue(), stored)
	if v.see(j, "key", least, 0); j.verdict != (Verdict{}) {
		t.Errorf("a read that began before the write: %+v", j.verdict)
	}
}

// TestNewest: the newest rows of a bucket are all of its last ones.
func TestNewest(t *testing.T) {
	var last []int64
	for at := range int64(newest) {
		last = append(last, 10+at)
	}
	for _, test := range []struct {
		name string
		end  int64 // that was known
		got  []int64
		want Verdict
	}{
		{"all", 30, last, Verdict{}},
		{"and newer ones", 25, last, Verdict{}},
		{"few", 3, []int64{0, 1, 2}, Verdict{}},
		{"none", 0, nil, Verdict{}},
		{"left out", 3, nil, Verdict{Short: 1}},
		{"older ones", 31, last, Verdict{Short: 1}},
		{"less", 30, last[1:], Verdict{Short: 1}},
		{"a gap", 4, []int64{0, 1, 3}, Verdict{Short: 1}},
		{"too many", 5, append([]int64{9}, last...), Verdict{Short: 1}},
	} {
		t.Run(test.name, func(t *testing.T) {
			j := &judge{}
			j.newest("newest", map[int32]int64{7: test.end}, map[int32][]int64{7: test.got})
			if j.verdict != test.want {
				t.Errorf("got %+v, want %+v: %q", j.verdict, test.want, j.findings)
			}
		})
	}
}
