package route

import (
	"fmt"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/wire"
	"github.com/gofluss/fluss/internal/wire/flusspb"
)

func partCall(t *catalog.Table, partition int64, key string) *LookupCall {
	one := call(t, 0, key)
	one.Bucket.PartitionID = partition
	return one
}

func TestPartitions(t *testing.T) {
	run(t, 1, func(t *testing.T, f *fake) {
		c := f.client(nil)
		defer c.Close()
		path := f.create("t", 7, 2)
		f.set(func() {
			f.tables[path].parts = map[int64]string{}
			for id := range int64(100) {
				f.tables[path].parts[id] = fmt.Sprint("p", id)
			}
		})
		table := mustTable(t, c, path)
		if id, ok, err := c.Partition(t.Context(), table, "p17"); id != 17 || !ok || err != nil {
			t.Errorf("p17: %d, %v, %v", id, ok, err)
		}
		if _, ok, err := c.Partition(t.Context(), table, "q"); ok || err != nil {
			t.Errorf("q: %v, %v", ok, err)
		}
		began := time.Now()
		var calls []*LookupCall
		var buckets []catalog.Bucket
		for id := range int64(100) {
			calls = append(calls, partCall(table, id, fmt.Sprint(id)))
			buckets = append(buckets, calls[id].Bucket)
		}
		mustFind(t, c, calls...)
		if n, d := f.count(wire.APIGetMetadata), time.Since(began); n > 2 || d > 0 {
			t.Errorf("%d metadata requests, %v, for 100 partitions", n, d)
		}
		if _, err := c.Offsets(t.Context(), table, buckets, Latest()); err != nil {
			t.Errorf("Offsets: %v", err)
		}

		// One is dropped, one dropped and created again; the others do not notice.
		f.set(func() {
			delete(f.tables[path].parts, 3)
			delete(f.tables[path].parts, 4)
			f.tables[path].parts[104] = "p4"
		})
		if err := c.Lookup(t.Context(), calls...); err != nil {
			t.Fatal(err)
		}
		for id, one := range calls {
			if (one.Value == nil) != (id == 3) {
				t.Errorf("partition %d: %q", id, one.Value)
			}
		}
		if id, ok, err := c.Partition(t.Context(), table, "p4"); id != 104 || !ok || err != nil {
			t.Errorf("p4: %d, %v, %v", id, ok, err)
		}
		if _, err := c.Offsets(t.Context(), table, buckets[3:4], Latest()); !hasCode(err, wire.CodePartitionNotExists) {
			t.Errorf("Offsets of a dropped partition: %v", err)
		}
		s, err := c.Scan(t.Context(), ScanSpec{Table: table, Ranges: []ScanRange{{Bucket: buckets[3], End: 10}}})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		if _, err := s.Next(t.Context()); !hasCode(err, wire.CodePartitionNotExists) {
			t.Errorf("Scan of a dropped partition: %v", err)
		}
		if d := time.Since(began); d > time.Second {
			t.Errorf("took %v", d)
		}
	})
}

// A partition is gone when the cluster's list does not have it, and not because a server says so: its rows are found.
func TestPartitionIsThereAllTheSame(t *testing.T) {
	for _, api := range []wire.APIKey{wire.APILookup, wire.APIPrefixLookup} {
		t.Run(api.String(), func(t *testing.T) {
			run(t, 1, func(t *testing.T, f *fake) {
				c := f.client(nil)
				defer c.Close()
				path := f.create("t", 7, 1)
				f.set(func() { f.tables[path].parts = map[int64]string{3: "p3"} })
				table := mustTable(t, c, path)
				asked := 0
				f.set(func() {
					f.hook = func(_ *fakeNode, r wire.Request) *fakeReply {
						if r.API != api {
							return nil
						}
						if asked++; asked > 2 && api == wire.APILookup {
							return nil
						} else if asked > 2 {
							return success(&flusspb.PrefixLookupResponse{BucketsResp: []*flusspb.PbPrefixLookupRespForBucket{{
								PartitionId: proto.Int64(3), BucketId: proto.Int32(0), ValueLists: []*flusspb.PbValueList{{Values: [][]byte{[]byte("va")}}},
							}}})
						}
						return success(&flusspb.LookupResponse{BucketsResp: []*flusspb.PbLookupRespForBucket{{
							PartitionId: proto.Int64(3), BucketId: proto.Int32(0), ErrorCode: proto.Int32(int32(wire.CodePartitionNotExists)),
						}}})
					}
				})
				if api == wire.APILookup {
					one := partCall(table, 3, "a")
					if err := c.Lookup(t.Context(), one); err != nil || one.Value == nil {
						t.Errorf("got %q, %v", one.Value, err)
					}
					return
				}
				all := &PrefixCall{Table: table, Bucket: catalog.Bucket{TableID: table.ID, PartitionID: 3}, Key: []byte("a")}
				if err := c.PrefixLookup(t.Context(), all); err != nil || len(all.Values) != 1 {
					t.Errorf("got %q, %v", all.Values, err)
				}
			})
		})
	}
}

// A table without partitions has no partition that could be gone: such an answer is an error, not an empty result.
func TestPrefixLookupOfNoPartition(t *testing.T) {
	run(t, 1, func(t *testing.T, f *fake) {
		c := f.client(nil)
		defer c.Close()
		table := mustTable(t, c, f.create("t", 7, 1))
		f.set(func() {
			f.hook = func(_ *fakeNode, r wire.Request) *fakeReply {
				if r.API != wire.APIPrefixLookup {
					return nil
				}
				return success(bucketCode(wire.CodePartitionNotExists))
			}
		})
		all := &PrefixCall{Table: table, Bucket: bucketOf(table, 0), Key: []byte("a")}
		if err := c.PrefixLookup(t.Context(), all); !hasCode(err, wire.CodePartitionNotExists) {
			t.Errorf("got %q, %v", all.Values, err)
		}
	})
}
