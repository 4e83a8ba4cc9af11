package route

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/record"
	"github.com/gofluss/fluss/internal/wire"
	"github.com/gofluss/fluss/internal/wire/flusspb"
)

// fill puts batches of the given record counts (0: empty) into a bucket's log and returns its end.
func (f *fake) fill(b catalog.Bucket, size int, counts ...int) int64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, n := range counts {
		f.logs[b] = append(f.logs[b], logBatch(f.end(b), n, size, 1))
	}
	return f.end(b)
}

// drain reads a scan to its end and returns how many wanted records each bucket gave. It fails on a gap, on a
// doubled offset, and on records beyond the range.
func drain(t *testing.T, s *Scanner, spec ScanSpec) (map[int32]int64, error) {
	t.Helper()
	got := map[int32]int64{}
	next := map[int32]int64{}
	for _, r := range spec.Ranges {
		next[r.Bucket.ID] = r.Start
	}
	for {
		chunk, err := s.Next(t.Context())
		if err != nil {
			return got, err
		}
		at := next[chunk.Bucket.ID]
		if chunk.Start < at || chunk.End <= chunk.Start {
			t.Fatalf("bucket %d: chunk [%d, %d) after offset %d", chunk.Bucket.ID, chunk.Start, chunk.End, at)
		}
		for rest := chunk.Records; len(rest) > 0; {
			b, tail, err := record.NextLogBatch(rest)
			if err != nil {
				t.Fatalf("chunk has %v", err)
			}
			for o := b.BaseOffset; o < b.BaseOffset+int64(b.Count); o++ {
				if o >= chunk.Start && o < chunk.End {
					got[chunk.Bucket.ID]++
				}
			}
			rest = tail
		}
		next[chunk.Bucket.ID] = chunk.End
	}
}

func scanAll(t *testing.T, c *Client, spec ScanSpec) (map[int32]int64, error) {
	t.Helper()
	s, err := c.Scan(t.Context(), spec)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	return drain(t, s, spec)
}

// logTable is a table with filled buckets, led by server 0 or by those given, and a spec that reads all of them.
func (f *fake) logTable(t *testing.T, c *Client, buckets, batches, size int, leaders ...int32) (catalog.TablePath, ScanSpec) {
	t.Helper()
	path := f.create("t", 7, buckets)
	f.set(func() { copy(f.tables[path].leaders, leaders) })
	spec := ScanSpec{Table: mustTable(t, c, path)}
	for i := range buckets {
		b := bucketOf(spec.Table, int32(i))
		var end int64
		for range batches {
			end = f.fill(b, size, 10)
		}
		spec.Ranges = append(spec.Ranges, ScanRange{Bucket: b, End: end})
	}
	return path, spec
}

func wantRecords(t *testing.T, got map[int32]int64, err error, want int64, buckets ...int32) {
	t.Helper()
	if err != io.EOF {
		t.Errorf("got %v, want io.EOF", err)
	}
	for _, b := range buckets {
		if got[b] != want {
			t.Errorf("bucket %d: %d records, want %d", b, got[b], want)
		}
	}
}

func TestScan(t *testing.T) {
	run(t, 2, func(t *testing.T, f *fake) {
		c := f.client(nil)
		defer c.Close()
		path, spec := f.logTable(t, c, 4, 50, 100_000)
		f.set(func() { f.tables[path].leaders[1], f.tables[path].leaders[2] = 1, 1 })
		got, err := scanAll(t, c, spec)
		wantRecords(t, got, err, 500, 0, 1, 2, 3)
		began := time.Now()
		before := f.count(wire.APIFetchLog)
		got, err = scanAll(t, c, spec)
		wantRecords(t, got, err, 500, 0, 1, 2, 3)
		if d := time.Since(began); d > 0 {
			t.Errorf("a scan of known buckets waited %v", d)
		}
		if n := f.count(wire.APIFetchLog) - before; n > 20 {
			t.Errorf("%d fetches for 4 buckets of 5 MB", n)
		}
		for _, r := range []ScanRange{{Start: 5, End: 15}, {Start: 11, End: 12}, {Start: 0, End: 1}, {Start: 499, End: 500}, {Start: 500, End: 500}} {
			r.Bucket = spec.Ranges[2].Bucket
			got, err := scanAll(t, c, ScanSpec{Table: spec.Table, Ranges: []ScanRange{r}})
			wantRecords(t, got, err, r.End-r.Start, 2)
		}
	})
}

func TestScanCutTails(t *testing.T) {
	for _, size := range []int{10, 1000, 150_000, 600_000, 1_500_000} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			run(t, 1, func(t *testing.T, f *fake) {
				c := f.client(func(cfg *Config) { cfg.MaxResponseBytes = 4 << 20 })
				defer c.Close()
				_, spec := f.logTable(t, c, 3, 9, size)
				got, err := scanAll(t, c, spec)
				wantRecords(t, got, err, 90, 0, 1, 2)
			})
		})
	}
}

func TestScanEmptyBatches(t *testing.T) {
	run(t, 1, func(t *testing.T, f *fake) {
		c := f.client(nil)
		defer c.Close()
		spec := ScanSpec{Table: mustTable(t, c, f.create("t", 7, 2))}
		b := bucketOf(spec.Table, 0)
		end := f.fill(b, 10, 0, 0, 3, 0, 2, 0)
		only := f.fill(bucketOf(spec.Table, 1), 10, 0)
		spec.Ranges = []ScanRange{{Bucket: b, End: end}, {Bucket: bucketOf(spec.Table, 1), End: only}}
		got, err := scanAll(t, c, spec)
		wantRecords(t, got, err, 5, 0)
		wantRecords(t, got, err, 0, 1)
		if n := f.count(wire.APIFetchLog); n > 2 {
			t.Errorf("%d fetches", n)
		}
	})
}

func TestScanLeaderMoves(t *testing.T) {
	faults := map[string]func(f *fake, path catalog.TablePath, n int){
		"moved": func(f *fake, path catalog.TablePath, n int) { f.lead(path, int32(n%2)) },
		"cut":   func(f *fake, path catalog.TablePath, n int) { f.cut(f.nodes[0]); f.cut(f.nodes[1]) },
		"both":  func(f *fake, path catalog.TablePath, n int) { f.lead(path, int32(n%2)); f.cut(f.nodes[n%2]) },
		"frozen": func(f *fake, path catalog.TablePath, n int) {
			f.set(func() { f.nodes[0].frozen = true })
			f.lead(path, 1)
		},
	}
	for name, fault := range faults {
		t.Run(name, func(t *testing.T) {
			run(t, 2, func(t *testing.T, f *fake) {
				c := f.client(nil, f.nodes[0].addr, f.nodes[1].addr)
				defer c.Close()
				path, spec := f.logTable(t, c, 3, 60, 100_000)
				s, err := c.Scan(t.Context(), spec)
				if err != nil {
					t.Fatal(err)
				}
				defer s.Close()
				fetches := 0
				f.set(func() {
					f.hook = func(_ *fakeNode, r wire.Request) *fakeReply {
						if r.API == wire.APIFetchLog {
							if fetches++; fetches%5 == 0 {
								fault(f, path, fetches/5)
							}
						}
						return nil
					}
				})
				got, err := drain(t, s, spec)
				wantRecords(t, got, err, 600, 0, 1, 2)
			})
		})
	}
}

func TestScanDamage(t *testing.T) {
	flip := func(at int, x byte) func(b []byte) { return func(b []byte) { b[at] ^= x } }
	put32 := func(v uint32) func(b []byte) {
		return func(b []byte) { b[8], b[9], b[10], b[11] = byte(v), byte(v>>8), byte(v>>16), byte(v>>24) }
	}
	for _, test := range []struct {
		name string
		hurt func(b []byte)
		want string
	}{
		{"crc", flip(60, 1), "CRC"},
		{"length 0", put32(0), "length 0"},
		{"length -1", put32(0xffffffff), "length -1"},
		{"length max", put32(0x7fffffff), "length"},
		{"length beyond", put32(1 << 29), "no whole batch"},
		{"short header", put32(30), "length 30"},
		{"magic", flip(12, 9), "magic"},
		{"gap", flip(0, 64), "missing"},
	} {
		t.Run(test.name, func(t *testing.T) {
			run(t, 1, func(t *testing.T, f *fake) {
				c := f.client(nil)
				defer c.Close()
				_, spec := f.logTable(t, c, 2, 5, 100)
				b := spec.Ranges[0].Bucket
				f.set(func() { test.hurt(f.logs[b][2].bytes) })
				got, err := scanAll(t, c, spec)
				poison, ok := errors.AsType[*PoisonError](err)
				if !ok || poison.Offset != 20 || poison.Bucket != b || !strings.Contains(poison.Reason, test.want) {
					t.Fatalf("got %v, want %q at offset 20", err, test.want)
				}
				if got[0] != 20 {
					t.Errorf("%d records before the damage, want 20", got[0])
				}
				if n := f.count(wire.APIFetchLog); n > 10 {
					t.Errorf("%d fetches", n)
				}
			})
		})
	}
}

func TestScanOutOfRange(t *testing.T) {
	run(t, 1, func(t *testing.T, f *fake) {
		c := f.client(nil)
		defer c.Close()
		_, spec := f.logTable(t, c, 1, 100, 10)
		b := spec.Ranges[0].Bucket
		f.set(func() { f.starts[b] = 500 })
		for _, asked := range []int64{0, 499, 5000} {
			_, err := scanAll(t, c, ScanSpec{Table: spec.Table, Ranges: []ScanRange{{Bucket: b, Start: asked, End: 6000}}})
			r, ok := errors.AsType[*OffsetRangeError](err)
			if !ok || r.Asked != asked || r.Earliest != 500 || r.Latest != 1000 {
				t.Errorf("offset %d: got %v", asked, err)
			}
		}
		got, err := scanAll(t, c, ScanSpec{Table: spec.Table, Ranges: []ScanRange{{Bucket: b, Start: 500, End: 1000}}})
		wantRecords(t, got, err, 500, 0)
	})
}

func TestScanEndNeverComes(t *testing.T) {
	run(t, 1, func(t *testing.T, f *fake) {
		c := f.client(nil)
		defer c.Close()
		_, spec := f.logTable(t, c, 1, 2, 10)
		spec.Ranges[0].End = 30 // the log was cut after the end was asked for
		began := time.Now()
		got, err := scanAll(t, c, spec)
		if got[0] != 20 || !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "offset 20 of demo.t bucket 0") {
			t.Errorf("%d records, %v", got[0], err)
		}
		if n, d := f.count(wire.APIFetchLog), time.Since(began); d != 30*time.Second || n > 700 {
			t.Errorf("%d fetches in %v", n, d)
		}
	})
}

func TestScanProjection(t *testing.T) {
	run(t, 1, func(t *testing.T, f *fake) {
		c := f.client(nil)
		defer c.Close()
		path := f.create("t", 7, 1)
		f.set(func() { f.tables[path].schema = 2 })
		table := mustTable(t, c, path)
		b := bucketOf(table, 0)
		f.set(func() {
			for i := range 80 {
				f.logs[b] = append(f.logs[b], logBatch(f.end(b), 10, 100_000, int16(1+min(i/20, 1))))
			}
			f.hook = func(_ *fakeNode, r wire.Request) *fakeReply {
				if r.API != wire.APIFetchLog {
					return nil
				}
				req := read(f, &flusspb.FetchLogRequest{}, r.Body)
				one := req.TablesReq[0]
				if !one.GetProjectionPushdownEnabled() || one.BucketsReq[0].GetFetchOffset() >= 200 {
					return nil
				}
				return success(&flusspb.FetchLogResponse{TablesResp: []*flusspb.PbFetchLogRespForTable{{
					TableId: one.TableId, BucketsResp: []*flusspb.PbFetchLogRespForBucket{{
						BucketId: proto.Int32(0), ErrorCode: proto.Int32(int32(wire.CodeInvalidColumnProjection)),
					}},
				}}})
			}
		})
		spec := ScanSpec{Table: table, Ranges: []ScanRange{{Bucket: b, End: 800}}, Projection: []int{1}}
		s, err := c.Scan(t.Context(), spec)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		next := int64(0)
		for {
			chunk, err := s.Next(t.Context())
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			if chunk.Start != next || chunk.Projected && next < 200 || !chunk.Projected && next > 600 {
				t.Errorf("chunk [%d, %d) projected %v, want it from %d", chunk.Start, chunk.End, chunk.Projected, next)
			}
			next = chunk.End
		}
		if next != 800 {
			t.Errorf("ended at %d", next)
		}
	})
}

func TestScanFollow(t *testing.T) {
	run(t, 1, func(t *testing.T, f *fake) {
		c := f.client(nil)
		defer c.Close()
		path, spec := f.logTable(t, c, 1, 1, 10)
		b := spec.Ranges[0].Bucket
		spec.Ranges[0].End = -1
		s, err := c.Scan(t.Context(), spec)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		for i := range 3 {
			chunk, err := s.Next(t.Context())
			if err != nil || chunk.Start != int64(10*i) {
				t.Fatalf("got %+v, %v", chunk, err)
			}
			before := f.count(wire.APIFetchLog)
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			_, err = s.Next(ctx)
			cancel()
			if n := f.count(wire.APIFetchLog) - before; !errors.Is(err, context.DeadlineExceeded) || n > 25 {
				t.Fatalf("idle: %v, %d fetches in a second", err, n)
			}
			f.fill(b, 10, 10)
		}
		if _, err := s.Next(t.Context()); err != nil {
			t.Fatal(err)
		}
		f.set(func() { delete(f.tables, path) })
		c.forget(path) // as DropTable does
		if _, err := s.Next(t.Context()); !hasCode(err, wire.CodeTableNotExist) {
			t.Errorf("after the drop: %v", err)
		}
	})
}

// A bucket without a leader holds nobody up, and a dial that hangs does not delay the refresh of another bucket.
func TestScanBucketsAreIsolated(t *testing.T) {
	run(t, 3, func(t *testing.T, f *fake) {
		c := f.client(nil)
		defer c.Close()
		f.set(func() { f.nodes[1].frozen = true })
		path, spec := f.logTable(t, c, 4, 30, 100_000, 0, 1, 2, -1)
		s, err := c.Scan(t.Context(), spec)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		began := time.Now()
		last := map[int32]int64{}
		for last[0] < 300 || last[2] < 300 {
			chunk, err := s.Next(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			last[chunk.Bucket.ID] = chunk.End
		}
		if d := time.Since(began); d > 0 {
			t.Errorf("the healthy buckets took %v", d)
		}
		time.AfterFunc(time.Second, func() { f.set(func() { f.tables[path].leaders[3] = 2 }) })
		for last[3] < 300 {
			chunk, err := s.Next(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			last[chunk.Bucket.ID] = chunk.End
		}
		if d := time.Since(began); d > 3*time.Second {
			t.Errorf("the bucket that got its leader after 1 s took %v", d)
		}
		f.lead(path, 0)
		for last[1] < 300 {
			chunk, err := s.Next(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			last[chunk.Bucket.ID] = chunk.End
		}
		if d := time.Since(began); d > 5*time.Second {
			t.Errorf("the bucket on the hanging server took %v", d)
		}
	})
}

func TestScanMemoryAndClose(t *testing.T) {
	run(t, 1, func(t *testing.T, f *fake) {
		c := f.client(func(cfg *Config) { cfg.MaxScanBytes = 4 << 20 })
		defer c.Close()
		_, spec := f.logTable(t, c, 4, 100, 50_000)
		s, err := c.Scan(t.Context(), spec)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Next(t.Context()); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if s.buffered > 4<<20 {
			t.Errorf("%d bytes are buffered", s.buffered)
		}
		n := f.count(wire.APIFetchLog)
		s.Close()
		synctest.Wait()
		if _, err := s.Next(t.Context()); err == nil || err == io.EOF {
			t.Errorf("Next after Close: %v", err)
		}
		if more := f.count(wire.APIFetchLog) - n; more > 0 {
			t.Errorf("%d fetches after Close", more)
		}
		got, err := scanAll(t, c, spec)
		wantRecords(t, got, err, 1000, 0, 1, 2, 3)
	})
}

// remote makes the fake keep the offsets below 200 of a bucket in two segments under dir.
func (f *fake) remote(t *testing.T, b catalog.Bucket, dir, location string) {
	t.Helper()
	info := &flusspb.PbRemoteLogFetchInfo{RemoteLogTabletDir: &location}
	var at []int64
	f.set(func() {
		for seg := range 2 {
			var text []byte
			for _, batch := range f.logs[b][10*seg : 10*seg+10] {
				if seg == 0 {
					at = append(at, int64(len(text)))
				}
				text = append(text, batch.bytes...)
			}
			id := fmt.Sprintf("seg-%d", seg)
			if err := os.MkdirAll(filepath.Join(dir, id), 0o755); err != nil {
				t.Fatal(err)
			}
			name := filepath.Join(dir, id, fmt.Sprintf("%020d.log", 100*seg))
			if err := os.WriteFile(name, text, 0o644); err != nil {
				t.Fatal(err)
			}
			info.RemoteLogSegments = append(info.RemoteLogSegments, &flusspb.PbRemoteLogSegment{
				RemoteLogSegmentId: &id, RemoteLogStartOffset: proto.Int64(int64(100 * seg)),
				RemoteLogEndOffset: proto.Int64(int64(100*seg + 100)), SegmentSizeInBytes: proto.Int32(int32(len(text))),
			})
		}
		f.hook = func(_ *fakeNode, r wire.Request) *fakeReply {
			if r.API != wire.APIFetchLog {
				return nil
			}
			one := read(f, &flusspb.FetchLogRequest{}, r.Body).TablesReq[0]
			o := one.BucketsReq[0].GetFetchOffset()
			if o >= 200 {
				return nil
			}
			answer := proto.Clone(info).(*flusspb.PbRemoteLogFetchInfo)
			if o >= 100 {
				answer.RemoteLogSegments = answer.RemoteLogSegments[1:]
			} else {
				answer.FirstStartPos = proto.Int32(int32(at[max(o/10-1, 0)])) // the index is sparse
			}
			return success(&flusspb.FetchLogResponse{TablesResp: []*flusspb.PbFetchLogRespForTable{{
				TableId: one.TableId, BucketsResp: []*flusspb.PbFetchLogRespForBucket{{
					BucketId: proto.Int32(0), HighWatermark: proto.Int64(300), RemoteLogFetchInfo: answer,
				}},
			}}})
		}
	})
}

func TestScanRemote(t *testing.T) {
	for _, test := range []struct {
		name, prefix string
		opener       bool
		want         string // in the error
	}{
		{name: "bare path"},
		{name: "file URI", prefix: "file://"},
		{name: "short file URI", prefix: "file:"},
		{name: "opener", prefix: "mem://", opener: true},
		{name: "no opener", prefix: "s3://", want: `no reader for "s3"`},
		{name: "lost", prefix: "/nowhere", want: "no such file"},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			run(t, 1, func(t *testing.T, f *fake) {
				c := f.client(func(cfg *Config) {
					if test.opener {
						cfg.Openers = map[string]Opener{"mem": func(_ context.Context, location string) (io.ReadCloser, error) {
							text, err := os.ReadFile(strings.TrimPrefix(location, "mem://"))
							return io.NopCloser(io.MultiReader(bytes.NewReader(text))), err // no Seek
						}}
					}
				})
				defer c.Close()
				_, spec := f.logTable(t, c, 1, 30, 100_000)
				f.remote(t, spec.Ranges[0].Bucket, dir, test.prefix+dir)
				for _, start := range []int64{0, 35, 100, 199, 200} {
					spec.Ranges[0].Start = start
					got, err := scanAll(t, c, spec)
					if test.want != "" && start < 200 {
						failed, ok := errors.AsType[*RemoteLogError](err)
						if !ok || failed.Start != start || !strings.Contains(err.Error(), test.want) {
							t.Errorf("from %d: got %v", start, err)
						}
						continue
					}
					wantRecords(t, got, err, 300-start, 0)
				}
				if test.want == "" {
					spec.Ranges[0].Start, spec.Ranges[0].End = 15, 117
					got, err := scanAll(t, c, spec)
					wantRecords(t, got, err, 102, 0)
				}
			})
		})
	}
}
