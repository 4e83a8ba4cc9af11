package ring

import (
	"context"
	"errors"
	"math/rand/v2"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/gofluss/fluss"
)

// grace is how far past the end of its context a call may return.
const grace = time.Second

// worker is one of the goroutines that make the load.
type worker struct {
	run    *run
	id     int
	random *rand.Rand
}

// span is when a call began and ended, in nanoseconds since the run began.
type span struct{ begin, end int64 }

// call makes one call of the load under a context of its own: most have a deadline that nothing should reach, a share a
// short one or one that is cancelled at a random moment. It counts the call, files its error and judges when it came back.
func (w *worker) call(kind string, f func(ctx context.Context) error) (span, error) {
	r := w.run
	ctx, cancel := context.WithTimeout(context.Background(), r.o.CallTimeout)
	defer cancel()
	var cancelled atomic.Int64 // when, since the run began; 0 if not
	switch w.random.IntN(14) {
	case 0:
		r.cancelled.Add(1)
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, w.soon())
		defer stop()
	case 1:
		r.cancelled.Add(1)
		timer := time.AfterFunc(w.soon(), func() {
			cancelled.Store(r.now())
			cancel()
		})
		defer timer.Stop()
	}
	return r.timed(ctx, kind, &cancelled, f)
}

// soon is when a call is given up: most of them while it is under way.
func (w *worker) soon() time.Duration {
	if w.random.IntN(8) == 0 {
		return time.Duration(w.random.Int64N(int64(300 * time.Millisecond)))
	}
	return time.Duration(w.random.Int64N(int64(8 * time.Millisecond)))
}

// patient makes a call that is only bounded by CallTimeout.
func (w *worker) patient(kind string, f func(ctx context.Context) error) (span, error) {
	ctx, cancel := context.WithTimeout(context.Background(), w.run.o.CallTimeout)
	defer cancel()
	return w.run.timed(ctx, kind, new(atomic.Int64), f)
}

// timed runs a call and judges its time and its error.
func (r *run) timed(ctx context.Context, kind string, cancelled *atomic.Int64, f func(ctx context.Context) error) (span, error) {
	watch := time.AfterFunc(r.untilLate(ctx), func() { // a call that hangs tells where
		stacks := make([]byte, 1<<20)
		r.stacks.CompareAndSwap(nil, new(string(stacks[:runtime.Stack(stacks, true)])))
	})
	defer watch.Stop()
	s := span{begin: r.now()}
	err := f(ctx)
	s.end = r.now()
	r.log.ops.Add(1)
	r.tallies[kind].add(time.Duration(s.end-s.begin), err != nil)
	r.judgeTime(ctx, kind, s, cancelled.Load(), err)
	if err != nil {
		r.file(kind, err, ctx)
	}
	return s, err
}

// untilLate is when a call that has not returned is taken for one that hangs.
func (r *run) untilLate(ctx context.Context) time.Duration {
	deadline, _ := ctx.Deadline()
	return time.Until(deadline) + grace
}

// judgeTime counts a call that came back late.
func (r *run) judgeTime(ctx context.Context, kind string, s span, cancelled int64, err error) {
	if ctx.Err() == nil {
		return
	}
	ended := cancelled
	if ended == 0 {
		deadline, _ := ctx.Deadline()
		ended = int64(deadline.Sub(r.start))
	}
	if over := time.Duration(s.end - ended - r.stalls.between(ended, s.end)); over > grace {
		r.judge.found(late, "%s returned %v past the end of its context: %v", kind, over, err)
	}
}

// file counts an error by its class.
func (r *run) file(kind string, err error, ctx context.Context) {
	class := classOf(err, ctx)
	if class == "" {
		r.judge.found(undocumented, "%s: %T: %v", kind, err, err)
		class = "none"
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.classes[class]++
	if refusal, ok := errors.AsType[*fluss.Error](err); ok && class == refused {
		r.codes[refusal.Code]++
	}
}

func (r *run) now() int64 { return int64(time.Since(r.start)) }
