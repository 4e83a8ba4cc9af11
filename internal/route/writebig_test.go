package route

import (
	"encoding/binary"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gofluss/fluss/internal/record"
)

// bigOp is one row of so many bytes for a bucket of the key table.
func bigOp(bucket int32, size int) *WriteOp {
	op := opOf(keyTable, bucket)
	op.Records, op.Count = record.AppendKVRecord(nil, binary.BigEndian.AppendUint64(nil, uint64(size)), make([]byte, size)), 1
	return op
}

// flying is how many frames are under way, once nothing moves any more.
func (r *writeRig) flying() (n int) {
	synctest.Wait()
	r.w.mu.Lock()
	defer r.w.mu.Unlock()
	for _, ln := range r.w.lanes {
		n += ln.flying
	}
	return n
}

// A source that is faster than the server: what comes while two frames are under way leaves together.
func TestWriteBigOnesGather(t *testing.T) {
	const size, answer = 300 << 10, 100 * time.Millisecond
	inBubble(t, nil, func(t *testing.T, r *writeRig) {
		r.raw = true
		r.hook = func(s sentCopy) copyReply { return copyReply{delay: answer} }
		for b := range int32(8) {
			if err := r.w.write(bg, []*WriteOp{bigOp(b, size)}); err != nil {
				t.Fatal(err)
			}
		}
		var done []chan error
		began, frames := time.Now(), r.frames
		for b, want := range []int{1, 2, 2, 2, 2} {
			done = append(done, r.start(bg, bigOp(int32(b), size)))
			if n := r.flying(); n != want {
				t.Errorf("%d frames under way after %d writes, want %d", n, b+1, want)
			}
		}
		collect(done)
		if n, took := r.frames-frames, time.Since(began); n != 3 || took != 3*answer {
			t.Errorf("5 writes took %d frames and %v, want 3 frames one after the other", n, took)
		}

		done = nil
		for b := range int32(6) { // two, and what is enough for a third
			done = append(done, r.start(bg, bigOp(b, bigBytes/4+1)))
			synctest.Wait()
		}
		if n := r.flying(); n != 3 {
			t.Errorf("%d frames under way, want the third too: it is large", n)
		}
		collect(done)
	})
}

// What is kept back leaves in the time that the last answer took, also when the frames under way are not answered.
func TestWriteBigOnesDoNotWaitForever(t *testing.T) {
	for _, c := range []struct{ answer, want time.Duration }{{40 * time.Millisecond, 40 * time.Millisecond}, {time.Minute / 4, bigWait}} {
		inBubble(t, nil, func(t *testing.T, r *writeRig) {
			r.raw = true
			r.hook = func(s sentCopy) copyReply { return copyReply{delay: c.answer} }
			for b := range int32(3) {
				if err := r.w.write(bg, []*WriteOp{bigOp(b, gateBytes)}); err != nil {
					t.Fatal(err)
				}
			}
			r.hookMu.Lock()
			r.hook = func(s sentCopy) copyReply { return copyReply{delay: time.Minute / 2} }
			r.hookMu.Unlock()
			var done []chan error
			for b := range int32(3) {
				done = append(done, r.start(bg, bigOp(b, gateBytes)))
				synctest.Wait()
			}
			time.Sleep(c.want - 1)
			if n := r.flying(); n != 2 {
				t.Errorf("%d frames under way, want 2", n)
			}
			time.Sleep(time.Nanosecond)
			if n := r.flying(); n != 3 {
				t.Errorf("%d frames under way after %v, want 3", n, c.want)
			}
			collect(done)
		})
	}
}
