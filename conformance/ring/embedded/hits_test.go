package embedded

import (
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss/flusstest"
	"github.com/gofluss/fluss/internal/wire/flusspb"
)

// TestStoredAndRefused: code 32 says that rows are stored; it must not take the place of a true refusal.
func TestStoredAndRefused(t *testing.T) {
	f := &Fault{Kind: "stored and refused", API: flusstest.PutKV, Code: 32}
	answer := &flusspb.PutKvResponse{BucketsResp: []*flusspb.PbPutKvRespForBucket{
		{BucketId: proto.Int32(0), LogEndOffset: proto.Int64(7)},
		{BucketId: proto.Int32(1), ErrorCode: proto.Int32(12)},
	}}
	body, err := proto.Marshal(answer)
	if err != nil {
		t.Fatal(err)
	}
	frame := f.hit(&flusstest.Request{API: flusstest.PutKV}, 3).Edit(append(make([]byte, bodyAt), body...))
	got := new(flusspb.PutKvResponse)
	if err := proto.Unmarshal(frame[bodyAt:], got); err != nil {
		t.Fatal(err)
	}
	if a, b := got.BucketsResp[0], got.BucketsResp[1]; a.GetErrorCode() != 32 || a.LogEndOffset != nil || b.GetErrorCode() != 12 {
		t.Errorf("%v", got)
	}
}

// TestDamage: only bytes that the CRC covers are changed, and nothing of projected batches.
func TestDamage(t *testing.T) {
	records := make([]byte, 80)
	records[8] = 60 // 12 + 60 bytes are the first batch
	answer := &flusspb.FetchLogResponse{TablesResp: []*flusspb.PbFetchLogRespForTable{{
		TableId: proto.Int64(1), BucketsResp: []*flusspb.PbFetchLogRespForBucket{{BucketId: proto.Int32(0), Records: records}},
	}}}
	body, err := proto.Marshal(answer)
	if err != nil {
		t.Fatal(err)
	}
	for _, projected := range []bool{false, true} {
		request, err := proto.Marshal(&flusspb.FetchLogRequest{FollowerServerId: proto.Int32(-1), MaxBytes: proto.Int32(1),
			TablesReq: []*flusspb.PbFetchLogReqForTable{{TableId: proto.Int64(1), ProjectionPushdownEnabled: &projected}}})
		if err != nil {
			t.Fatal(err)
		}
		for at := range 200 {
			f := &Fault{Kind: "batch damaged", API: flusstest.FetchLog, At: at}
			action := f.hit(&flusstest.Request{API: flusstest.FetchLog, Body: request}, 3)
			if projected {
				if action.Edit != nil {
					t.Fatal("a projected batch is damaged")
				}
				continue
			}
			got := new(flusspb.FetchLogResponse)
			if err := proto.Unmarshal(action.Edit(append(make([]byte, bodyAt), body...))[bodyAt:], got); err != nil {
				t.Fatal(err)
			}
			var changed []int
			for i, b := range got.TablesResp[0].BucketsResp[0].Records {
				if b != records[i] {
					changed = append(changed, i)
				}
			}
			if len(changed) != 1 || changed[0] < crcFrom || changed[0] >= 72 {
				t.Fatalf("position %d: bytes %v", at, changed)
			}
		}
	}
}
