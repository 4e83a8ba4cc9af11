package route

import (
	"context"
	"encoding/binary"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/wire"
)

// modelSeeds is how many runs of the model are made; MODEL_SEEDS asks for more.
var modelSeeds = func() int {
	if n, err := strconv.Atoi(os.Getenv("MODEL_SEEDS")); err == nil {
		return n
	}
	return 4
}()

// TestWriteModel runs writers against the model of a server while answers are lost, connections die, what they
// held arrives late, leaders move and refuse. Afterwards:
//
//   - an acknowledged row is in the log, once
//   - no row is in it twice
//   - a row reported not stored is not in it
//   - rows of one caller are in the order of its calls
//   - on a key table nothing of a write that its caller was told is unknown comes after a row whose write began
//     later and was acknowledged
func TestWriteModel(t *testing.T) {
	for seed := range uint64(modelSeeds) {
		inBubble(t, func(c *writerConfig) {
			c.requestTimeout, c.writeTimeout = 2*time.Second, 8*time.Second
		}, func(t *testing.T, r *writeRig) { runModel(t, r, seed) })
	}
}

// modelWrite is one write of the run.
type modelWrite struct {
	caller     int
	op         *WriteOp
	start, end time.Time
}

func runModel(t *testing.T, r *writeRig, seed uint64) {
	rng := rand.New(rand.NewPCG(seed, 1))
	for b := range int32(3) {
		for _, table := range []*catalog.Table{logTable, keyTable} {
			r.leaders[keyOf(table, b)] = leader{server: b % 2, epoch: 1}
		}
	}
	r.lateness = 3 * time.Second
	r.noEpoch = seed%4 == 3
	var calm, deaf bool // guarded by hookMu
	r.hook = func(s sentCopy) copyReply {
		if calm {
			return copyReply{delay: time.Millisecond}
		}
		apply := rng.IntN(2) == 0
		if deaf {
			return copyReply{silent: true, apply: apply}
		}
		switch rng.IntN(40) {
		case 0:
			return copyReply{cut: true, apply: apply}
		case 1:
			return copyReply{silent: true, apply: apply}
		case 2:
			return copyReply{code: wire.CodeRequestTimeout, apply: apply}
		case 3:
			codes := []wire.ErrorCode{9, 12, 29, 44, -1}
			return copyReply{code: codes[rng.IntN(len(codes))]}
		case 4:
			if slices.ContainsFunc(s.rows, func(r int64) bool { return r%7 == 0 }) {
				return copyReply{code: wire.CodeDeletionDisabled}
			}
		case 5:
			return copyReply{delay: time.Duration(rng.IntN(int(3 * time.Second)))}
		}
		return copyReply{delay: time.Duration(rng.IntN(int(5 * time.Millisecond)))}
	}
	const callers, steps = 10, 200
	var mu sync.Mutex
	var writes []modelWrite
	var work sync.WaitGroup
	for c := range callers {
		mine := rand.New(rand.NewPCG(seed, uint64(c)+2))
		work.Go(func() {
			for n := range steps {
				table := logTable
				if c%2 == 0 {
					table = keyTable
				}
				op := opOf(table, int32(mine.IntN(3)), int64(c*1_000_000+n*10), int64(c*1_000_000+n*10+1))
				ctx, cancel := bg, context.CancelFunc(func() {})
				if mine.IntN(3) == 0 {
					ctx, cancel = context.WithTimeout(bg, time.Duration(mine.IntN(int(4*time.Second))))
				}
				start := time.Now()
				_ = r.w.write(ctx, []*WriteOp{op})
				cancel()
				mu.Lock()
				writes = append(writes, modelWrite{c, op, start, time.Now()})
				mu.Unlock()
				time.Sleep(time.Duration(mine.IntN(int(20 * time.Millisecond))))
			}
		})
	}
	stop := make(chan struct{})
	var chaos sync.WaitGroup
	chaos.Go(func() {
		other := rand.New(rand.NewPCG(seed, 99))
		for {
			select {
			case <-stop:
				return
			case <-time.After(time.Duration(other.IntN(int(5 * time.Second)))):
			}
			table := []*catalog.Table{logTable, keyTable}[other.IntN(2)]
			switch other.IntN(3) {
			case 0:
				r.move(keyOf(table, int32(other.IntN(3))), int32(other.IntN(2)))
			case 1:
				r.cutAll()
			case 2: // a server that does not answer for longer than a write may take
				setDeaf(r, &deaf, true)
				time.Sleep(time.Duration(other.IntN(int(12 * time.Second))))
				setDeaf(r, &deaf, false)
			}
		}
	})
	work.Wait()
	close(stop)
	chaos.Wait()
	r.hookMu.Lock()
	calm = true
	r.hookMu.Unlock()
	for b := range int32(3) { // an acknowledged write to each bucket ends what is open
		for _, table := range []*catalog.Table{logTable, keyTable} {
			if op := opOf(table, b, int64(900_000_000)+int64(b)*10, int64(900_000_000)+int64(b)*10+1); r.w.write(bg, []*WriteOp{op}) != nil {
				t.Errorf("last write: %v", op.Err)
			}
		}
	}
	time.Sleep(time.Minute) // late copies arrive
	checkModel(t, r, writes, seed)
}

func setDeaf(r *writeRig, deaf *bool, to bool) {
	r.hookMu.Lock()
	defer r.hookMu.Unlock()
	*deaf = to
}

func checkModel(t *testing.T, r *writeRig, writes []modelWrite, seed uint64) {
	t.Helper()
	counts := map[Outcome]int{}
	at := map[catalog.Bucket]map[int64]int{} // position of a row in its bucket's log
	for _, w := range writes {
		b := w.op.Bucket
		if at[b] == nil {
			at[b] = map[int64]int{}
			for i, row := range r.rows(b) {
				if _, twice := at[b][row]; twice {
					t.Errorf("seed %d: row %d is stored twice in %v", seed, row, b)
				}
				at[b][row] = i
			}
		}
		first := firstRow(w.op)
		_, in := at[b][first]
		counts[w.op.Outcome]++
		switch {
		case w.op.Outcome == Stored && !in:
			t.Errorf("seed %d: row %d was acknowledged and is not in %v", seed, first, b)
		case w.op.Outcome == NotStored && in:
			t.Errorf("seed %d: row %d is in %v, reported not stored: %v", seed, first, b, w.op.Err)
		}
	}
	for i, a := range writes {
		for _, z := range writes[i+1:] {
			b := a.op.Bucket
			if b != z.op.Bucket || z.op.Outcome != Stored || z.start.Before(a.end) {
				continue
			}
			pa, in := at[b][firstRow(a.op)]
			late := a.op.Outcome == Unknown && !a.op.Table.IsKeyTable()
			if in && !late && pa > at[b][firstRow(z.op)] {
				t.Errorf("seed %d: row %d (%v) is behind row %d of a later write in %v", seed, firstRow(a.op), a.op.Outcome, firstRow(z.op), b)
			}
		}
	}
	t.Logf("seed %d: %d writes: %d stored, %d not stored, %d unknown; %d frames, %d batches, %d writer ids",
		seed, len(writes), counts[Stored], counts[NotStored], counts[Unknown], r.frames, len(r.sent), r.ids)
	if counts[Stored] < len(writes)/2 || counts[Unknown] == 0 {
		t.Errorf("seed %d: the run shows little", seed)
	}
}

func firstRow(op *WriteOp) int64 {
	if !op.Table.IsKeyTable() {
		return op.Rows[0].I
	}
	return int64(binary.BigEndian.Uint64(op.Records[5:]))
}
