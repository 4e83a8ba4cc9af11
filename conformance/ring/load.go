package ring

import (
	"context"
	"math/rand/v2"
	"slices"
)

// action is one kind of thing a worker does.
type action struct {
	name   string
	weight int
	do     func(w *worker, kind string)
}

// actions is the mix of the load.
var actions = []action{
	{"lookup", 22, (*worker).lookup},
	{"lookup in", 6, (*worker).lookupIn},
	{"prefix lookup", 6, (*worker).prefixLookup},
	{"limit scan", 2, (*worker).limitScan},
	{"full scan", 1, (*worker).fullScan},
	{"upsert", 16, (*worker).upsert},
	{"upsert rows", 4, (*worker).upsertRows},
	{"partial upsert", 5, (*worker).partialUpsert},
	{"update", 5, (*worker).update},
	{"delete", 5, (*worker).remove},
	{"increment", 5, (*worker).increment},
	{"append", 12, (*worker).append},
	{"append rows", 3, (*worker).appendRows},
	{"append returning", 3, (*worker).appendReturning},
	{"log scan", 3, (*worker).logScan},
	{"log limit scan", 1, (*worker).logLimitScan},
	{"transaction", 3, (*worker).transaction},
	{"stream transaction", 2, (*worker).streamTransaction},
	{"arrow append", 2, (*worker).arrowAppend},
	{"arrow log scan", 2, (*worker).arrowLogScan},
	{"arrow full scan", 1, (*worker).arrowFullScan},
	{"changelog scan", 2, (*worker).changelogScan},
	{"binlog scan", 1, (*worker).binlogScan},
	{"partition lookup", 5, (*worker).partLookup},
	{"partition scan", 1, (*worker).partScan},
	{"partition upsert", 4, (*worker).partUpsert},
	{"partition append", 3, (*worker).partAppend},
	{"partition log scan", 1, (*worker).partLogScan},
	{"partition log tail", 1, (*worker).partTail},
	{addPartKind, 1, (*worker).addPart},
	{"prepared lookup", 8, (*worker).preparedLookup},
	{"prepared lookup in", 3, (*worker).preparedLookupIn},
	{"prepared upsert", 6, (*worker).preparedUpsert},
	{"prepared append", 4, (*worker).preparedAppend},
	{"prepared log scan", 1, (*worker).preparedScan},
}

// kinds of calls beside those of the mix.
const (
	openKind    = "open group"
	closeKind   = "close group"
	verifyKind  = "verify group"
	dropKind    = "delete group"
	tailKind    = "log tail"
	changesKind = "changelog tail"
	inTxKind    = "in transaction"
	endTxKind   = "commit"
	addPartKind = "add partition"
	setupKind   = "set up"
	settleKind  = "settle counter"
	finalKind   = "final scan"
	rollbackTag = "rollback"
)

func newTallies() map[string]*tally {
	all := map[string]*tally{}
	for _, a := range actions {
		all[a.name] = &tally{}
	}
	for _, k := range []string{openKind, closeKind, verifyKind, dropKind, tailKind, changesKind, inTxKind, endTxKind, setupKind, settleKind, finalKind, rollbackTag} {
		all[k] = &tally{}
	}
	return all
}

// mix is what a worker draws from.
type mix struct {
	actions []action
	weights int
}

// mixOf is the whole load, or only some kinds of it.
func mixOf(only []string) (m mix) {
	for _, a := range actions {
		if len(only) == 0 || slices.Contains(only, a.name) {
			m.actions = append(m.actions, a)
			m.weights += a.weight
		}
	}
	return m
}

// work makes load until done is closed.
func (w *worker) work(done <-chan struct{}) {
	for {
		select {
		case <-done:
			return
		default:
		}
		dice := w.random.IntN(w.run.mix.weights)
		for _, a := range w.run.mix.actions {
			if dice -= a.weight; dice < 0 {
				a.do(w, a.name)
				break
			}
		}
	}
}

func (r *run) worker(id int) *worker {
	return &worker{run: r, id: id, random: rand.New(rand.NewPCG(r.o.Seed, uint64(id)))}
}

// with runs f on a live group, and closes the group when it was used enough.
func (w *worker) with(f func(g *group)) {
	g := w.run.groups.acquire(w.random)
	if g == nil { // all are being closed
		_ = Pause(context.Background(), stallTick)
		return
	}
	f(g)
	w.release(g)
}

func (w *worker) release(g *group) {
	if w.run.groups.release(g) {
		w.retire(g)
		w.open()
	}
}

// some returns up to n keys of a group, each at most once.
func (w *worker) some(g *group, n int) []keyOf {
	var keys []keyOf
	for _, i := range w.random.Perm(groupItems)[:min(n, groupItems)] {
		keys = append(keys, keyOf{g.id, i})
	}
	return keys
}
