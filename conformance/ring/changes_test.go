package ring

import (
	"slices"
	"testing"
)

func all(op uint64) rowState { return rowState{present: true, a: op, b: op, n: op} }

// TestChanges: the judge of a key's change log gets what a broken cluster would write, and has to say so.
func TestChanges(t *testing.T) {
	none := rowState{}
	mixed := rowState{present: true, a: 1, b: 2, n: 1}
	for _, test := range []struct {
		name     string
		events   []event
		rejected []uint64
		states   []rowState // after each change
		want     Verdict
	}{
		{"as written", []event{whole(1, 10, 20), whole(2, 30, 40)}, nil, []rowState{all(1), all(2)}, Verdict{}},
		{"the rows of a closed group are deleted", []event{whole(1, 10, 20)}, nil, []rowState{all(1), none}, Verdict{}},
		{"lost", []event{whole(1, 10, 20), whole(2, 30, 40)}, nil, []rowState{all(1)}, Verdict{Lost: 1}},
		{"nothing there", []event{whole(1, 10, 20)}, nil, nil, Verdict{Lost: 1}},
		{"twice", []event{whole(1, 10, 20), whole(2, 30, 40)}, nil, []rowState{all(1), all(2), all(1)}, Verdict{Doubled: 1}},
		{"twice at once", []event{whole(1, 10, 20)}, nil, []rowState{all(1), all(1)}, Verdict{Doubled: 1}},
		{"in the wrong order", []event{whole(1, 10, 20), whole(2, 30, 40)}, nil, []rowState{all(2), all(1)}, Verdict{Broken: 1}},
		{"in any order of writes at the same time", []event{whole(1, 10, 40), whole(2, 30, 50)}, nil, []rowState{all(2), all(1)}, Verdict{}},
		{"unknown, there", []event{maybe(whole(1, 10, 20)), whole(2, 30, 40)}, nil, []rowState{all(1), all(2)}, Verdict{}},
		{"unknown, not there", []event{maybe(whole(1, 10, 20)), whole(2, 30, 40)}, nil, []rowState{all(2)}, Verdict{}},
		{"unknown, behind an acknowledged write", []event{maybe(whole(1, 10, 20)), whole(2, 30, 40), whole(3, 50, 60)}, nil, []rowState{all(2), all(3), all(1)}, Verdict{Broken: 1}},
		{"unknown, twice", []event{maybe(whole(1, 10, 20)), whole(2, 30, 40)}, nil, []rowState{all(1), none, all(1), all(2)}, Verdict{Doubled: 1}},
		{"not stored, but there", []event{whole(1, 10, 20)}, []uint64{2}, []rowState{all(2), all(1)}, Verdict{UnknownUnreported: 1}},
		{"of nobody", []event{whole(1, 10, 20)}, nil, []rowState{all(1), all(7)}, Verdict{Wrong: 1}},
		{"partial update", []event{whole(1, 10, 20), partial(columnB, 2, 30, 40)}, nil, []rowState{all(1), mixed}, Verdict{}},
		{"partial update that changes more", []event{whole(1, 10, 20), partial(columnB, 2, 30, 40)}, nil, []rowState{all(1), {present: true, a: 0, b: 2, n: 1}}, Verdict{Wrong: 1}},
		{"deleted", []event{whole(1, 10, 20), deleted(30, 40), whole(2, 50, 60)}, nil, []rowState{all(1), none, all(2)}, Verdict{}},
		{"deleted when it was not there", []event{deleted(5, 9), whole(1, 10, 20)}, nil, []rowState{all(1)}, Verdict{}},
		{"deletion lost", []event{whole(1, 10, 20), deleted(30, 40), whole(2, 50, 60)}, nil, []rowState{all(1), all(2)}, Verdict{Broken: 1}},
		{"deleted by nobody", []event{whole(1, 10, 20), whole(2, 50, 60)}, nil, []rowState{all(1), none, all(2)}, Verdict{Doubled: 1}},
		{"read", []event{whole(1, 10, 20), saw(1, 25, 28), whole(2, 30, 40), saw(2, 45, 50)}, nil, []rowState{all(1), all(2)}, Verdict{}},
		{"read too early", []event{saw(1, 5, 8), whole(1, 10, 20)}, nil, []rowState{all(1)}, Verdict{Broken: 1}},
		{"stale", []event{whole(1, 10, 20), whole(2, 30, 40), saw(1, 45, 50)}, nil, []rowState{all(1), all(2)}, Verdict{Broken: 1}},
		{"back and forth", []event{whole(1, 10, 20), whole(2, 30, 100), saw(2, 40, 50), saw(1, 60, 70)}, nil, []rowState{all(1), all(2)}, Verdict{Broken: 1}},
		{"read in an order that the log has not", []event{whole(1, 10, 100), whole(2, 10, 100), saw(1, 40, 50), saw(2, 60, 70)}, nil, []rowState{all(2), all(1)}, Verdict{Broken: 1}},
	} {
		t.Run(test.name, func(t *testing.T) {
			h, j := &history{}, &judge{}
			for _, e := range test.events {
				h.add(e)
			}
			for _, op := range test.rejected {
				h.reject(op)
			}
			h.checkChanges(j, append([]rowState{none}, test.states...))
			if j.verdict != test.want {
				t.Errorf("got %+v, want %+v: %q", j.verdict, test.want, j.findings)
			}
		})
	}
}

// TestChangeLog: records that contradict one another.
func TestChangeLog(t *testing.T) {
	k := keyOf{1, 0}
	add := change{0, insertion, k, all(1)}
	before, after := change{1, updateBefore, k, all(1)}, change{2, updateAfter, k, all(2)}
	for _, test := range []struct {
		name    string
		records []change
		want    Verdict
	}{
		{"an update", []change{add, before, after}, Verdict{}},
		{"a gap", []change{add, {5, updateBefore, k, all(1)}, {6, updateAfter, k, all(2)}}, Verdict{}},
		{"inserted twice", []change{add, {1, insertion, k, all(2)}}, Verdict{Wrong: 1}},
		{"an offset twice", []change{add, before, after, after}, Verdict{Wrong: 1}},
		{"another row before", []change{add, {1, updateBefore, k, all(3)}, after}, Verdict{Wrong: 1}},
		{"nothing before", []change{add, {1, updateAfter, k, all(2)}}, Verdict{Wrong: 1}},
		{"something between", []change{add, before, {2, insertion, keyOf{2, 0}, all(3)}, {3, updateAfter, k, all(2)}}, Verdict{Wrong: 2}},
		{"another row deleted", []change{add, {1, deletion, k, all(2)}}, Verdict{Wrong: 1}},
		{"deleted when it was not there", []change{{0, deletion, k, all(1)}}, Verdict{Wrong: 1}},
	} {
		t.Run(test.name, func(t *testing.T) {
			l, j := newChangeLogs()[0], &judge{}
			for _, c := range test.records {
				l.take(j, c)
			}
			if j.verdict != test.want {
				t.Errorf("got %+v, want %+v: %q", j.verdict, test.want, j.findings)
			}
		})
	}
}

// TestChangeLogScan: what a scan gives has to be what was read before.
func TestChangeLogScan(t *testing.T) {
	k := keyOf{1, 0}
	list := []change{{0, insertion, k, all(1)}, {1, updateBefore, k, all(1)}, {2, updateAfter, k, all(2)}, {4, deletion, k, all(2)}}
	l := newChangeLogs()[0]
	for _, c := range list {
		l.take(&judge{}, c)
	}
	another := slices.Clone(list)
	another[2].state.b = 7
	for _, test := range []struct {
		name     string
		from, to int64
		got      []change
		want     Verdict
	}{
		{"all", 0, 5, list, Verdict{}},
		{"a part", 1, 4, list[1:3], Verdict{}},
		{"nothing", 3, 4, nil, Verdict{}},
		{"one left out", 0, 5, slices.Concat(list[:1], list[2:]), Verdict{Short: 1}},
		{"the last left out", 0, 5, list[:3], Verdict{Short: 1}},
		{"another value", 0, 5, another, Verdict{Wrong: 1}},
		{"too much", 0, 2, list, Verdict{Wrong: 1}},
		{"twice", 0, 5, slices.Concat(list[:1], list), Verdict{Wrong: 1}},
	} {
		t.Run(test.name, func(t *testing.T) {
			j := &judge{}
			l.compare(j, "scan", test.from, test.to, test.got)
			if j.verdict != test.want {
				t.Errorf("got %+v, want %+v: %q", j.verdict, test.want, j.findings)
			}
		})
	}
}

// TestChangeLogEnd: a closed group is judged when a scan that began after its last writes has come to its end, and its rows
// are deleted in the end.
func TestChangeLogEnd(t *testing.T) {
	for _, test := range []struct {
		name    string
		records []change
		begin   int64 // of the scan
		want    Verdict
	}{
		{"all there", []change{{0, insertion, keyOf{1, 0}, all(1)}, {1, deletion, keyOf{1, 0}, all(1)}}, 60, Verdict{}},
		{"lost", nil, 60, Verdict{Lost: 1}},
		{"not deleted", []change{{0, insertion, keyOf{1, 0}, all(1)}}, 60, Verdict{Lost: 1}},
		{"not read yet", []change{{0, insertion, keyOf{1, 0}, all(1)}, {1, deletion, keyOf{1, 0}, all(1)}}, 40, Verdict{Short: 1}},
		{"half an update", []change{{0, insertion, keyOf{1, 0}, all(1)}, {1, deletion, keyOf{1, 0}, all(1)}, {2, updateBefore, keyOf{-1, 0}, rowState{}}}, 60, Verdict{Short: 1, Wrong: 1}},
		{"of a group that nobody made", []change{{0, insertion, keyOf{1, 0}, all(1)}, {1, deletion, keyOf{1, 0}, all(1)}, {2, insertion, keyOf{2, 0}, all(2)}}, 60, Verdict{Wrong: 1}},
	} {
		t.Run(test.name, func(t *testing.T) {
			h := &history{group: 1}
			h.add(whole(1, 10, 20))
			l, j := newChangeLogs()[0], &judge{}
			l.close(&group{id: 1, items: map[int]*history{0: h}}, 50)
			for _, c := range test.records {
				l.take(j, c)
			}
			l.read(j, test.begin)
			l.end(j)
			if j.verdict != test.want {
				t.Errorf("got %+v, want %+v: %q", j.verdict, test.want, j.findings)
			}
		})
	}
}
