package wire

import (
	"bytes"
	"encoding/hex"
	"math/rand/v2"
	"reflect"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss/internal/fuzzbound"
	"github.com/gofluss/fluss/internal/wire/flusspb"
)

// FuzzHotResponses holds the six parsers written by hand against the generated code: both take or both refuse
// the same bytes, and they see the same.
func FuzzHotResponses(f *testing.F) {
	for _, b := range hotResponseSeeds(f) {
		f.Add(b)
	}
	for _, frame := range goldenFrames(f) {
		raw, _ := hex.DecodeString(frame.Frame)
		if r, err := ReadResponse(bytes.NewReader(raw), 1<<20); err == nil && frame.Direction == "response" && len(r.Body) < 500 {
			f.Add(r.Body)
		}
	}
	fuzzbound.Fuzz(f, func(t *testing.T, body []byte) {
		sameAsGenerated(t, body)
		hotBound(t, body)
	})
}

// hotParsers parse a body as each message.
var hotParsers = []func(body []byte){
	func(body []byte) { ParseLookupResponse(nil, body) },
	func(body []byte) { ParsePrefixLookupResponse(nil, body) },
	func(body []byte) { ParsePutKVResponse(nil, body) },
	func(body []byte) { ParseProduceLogResponse(nil, body) },
	func(body []byte) { ParseFetchLogResponse(nil, body) },
	func(body []byte) { ParseLimitScanResponse(body) },
}

// hotBound holds every parser to what the body may cost; those of a short body, which the slack covers, all at once.
func hotBound(t *testing.T, body []byte) {
	if len(body) <= 4<<10 {
		fuzzbound.Check(t, len(body), func() {
			for _, parse := range hotParsers {
				parse(body)
			}
		})
		return
	}
	for _, parse := range hotParsers {
		fuzzbound.Check(t, len(body), func() { parse(body) })
	}
}

func sameAsGenerated(t *testing.T, body []byte) {
	compareHot(t, body, ParseLookupResponse, wantLookup)
	compareHot(t, body, ParsePrefixLookupResponse, wantPrefixLookup)
	compareHot(t, body, ParsePutKVResponse, wantPutKV)
	compareHot(t, body, ParseProduceLogResponse, wantProduceLog)
	compareHot(t, body, ParseFetchLogResponse, wantFetchLog)
	compareHot(t, body, parseLimitScan, wantLimitScan)
}

// parseLimitScan is ParseLimitScanResponse with the shape of the others.
func parseLimitScan(_ []LimitScanResult, body []byte) ([]LimitScanResult, error) {
	r, err := ParseLimitScanResponse(body)
	return []LimitScanResult{r}, err
}

func wantLimitScan(m *flusspb.LimitScanResponse) []LimitScanResult {
	r := LimitScanResult{Code: ErrorCode(m.GetErrorCode()), IsLog: m.GetIsLogTable(), Records: m.Records}
	if r.Code != CodeNone {
		r.Message = CleanMessage(r.Code, m.GetErrorMessage())
	}
	return []LimitScanResult{r}
}

func compareHot[R any, M any, P interface {
	*M
	proto.Message
}](t *testing.T, body []byte, parse func([]R, []byte) ([]R, error), want func(P) []R) {
	m := P(new(M))
	genErr := proto.Unmarshal(body, m)
	got, err := parse(nil, body)
	if (err == nil) != (genErr == nil) {
		t.Helper()
		t.Fatalf("%T %x: error %v, generated code says %v", m, body, err, genErr)
	}
	if err != nil {
		return
	}
	w := want(m)
	if !sameResults(got, w) {
		t.Helper()
		t.Fatalf("%T %x:\n got %+v\nwant %+v", m, body, got, w)
	}
}

// sameResults compares element by element; the remote part by its own rule.
func sameResults[R any](got, want []R) bool {
	if len(got) != len(want) {
		return false
	}
	for i := range got {
		g, gok := any(&got[i]).(*FetchResult)
		w, _ := any(&want[i]).(*FetchResult)
		if gok {
			if !proto.Equal(g.Remote, w.Remote) || (g.Remote == nil) != (w.Remote == nil) {
				return false
			}
			g.Remote, w.Remote = nil, nil
		}
		if !reflect.DeepEqual(got[i], want[i]) {
			return false
		}
	}
	return true
}

type statusMessage interface {
	GetPartitionId() int64
	GetBucketId() int32
	GetErrorCode() int32
	GetErrorMessage() string
}

func wantStatus(m statusMessage, partition *int64) BucketStatus {
	s := BucketStatus{Partition: -1, Bucket: m.GetBucketId(), Code: ErrorCode(m.GetErrorCode())}
	if partition != nil {
		s.Partition = *partition
	}
	if s.Code != 0 {
		s.Message = CleanMessage(s.Code, m.GetErrorMessage())
	}
	return s
}

func orMinusOne(p *int64) int64 {
	if p == nil {
		return -1
	}
	return *p
}

func wantLookup(m *flusspb.LookupResponse) (out []LookupResult) {
	for _, b := range m.BucketsResp {
		r := LookupResult{BucketStatus: wantStatus(b, b.PartitionId)}
		for _, v := range b.Values {
			r.Values = append(r.Values, v.Values)
		}
		out = append(out, r)
	}
	return out
}

func wantPrefixLookup(m *flusspb.PrefixLookupResponse) (out []PrefixLookupResult) {
	for _, b := range m.BucketsResp {
		r := PrefixLookupResult{BucketStatus: wantStatus(b, b.PartitionId)}
		for _, l := range b.ValueLists {
			r.Lists = append(r.Lists, l.Values)
		}
		out = append(out, r)
	}
	return out
}

func wantPutKV(m *flusspb.PutKvResponse) (out []PutKVResult) {
	for _, b := range m.BucketsResp {
		out = append(out, PutKVResult{wantStatus(b, b.PartitionId), orMinusOne(b.LogEndOffset)})
	}
	return out
}

func wantProduceLog(m *flusspb.ProduceLogResponse) (out []ProduceLogResult) {
	for _, b := range m.BucketsResp {
		out = append(out, ProduceLogResult{wantStatus(b, b.PartitionId), orMinusOne(b.BaseOffset)})
	}
	return out
}

func wantFetchLog(m *flusspb.FetchLogResponse) (out []FetchResult) {
	for _, table := range m.TablesResp {
		for _, b := range table.BucketsResp {
			out = append(out, FetchResult{
				BucketStatus: wantStatus(b, b.PartitionId), Table: table.GetTableId(),
				HighWatermark: orMinusOne(b.HighWatermark), Records: b.Records, Remote: b.RemoteLogFetchInfo,
			})
		}
	}
	return out
}

// hotResponseSeeds are answers with every field, with none, and odd ones.
func hotResponseSeeds(tb testing.TB) [][]byte {
	p, code, text, offset := proto.Int64(0), proto.Int32(12), proto.String("no leader\nat x"), proto.Int64(9)
	seeds := [][]byte{
		nil, {0x0a, 0x00}, {0x0a, 0x02, 0x10, 0x00}, {0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f}, {0x0b, 0x0c}, {0x00},
		{0x0a, 0x03, 0x12, 0x00, 0x10}, {0x0a, 0x06, 0x10, 0x80, 0x80, 0x80, 0x80, 0x10},
	}
	for _, m := range []proto.Message{
		&flusspb.LookupResponse{BucketsResp: []*flusspb.PbLookupRespForBucket{
			{PartitionId: p, BucketId: proto.Int32(1), Values: []*flusspb.PbValue{{Values: []byte{1, 2}}, {}, {Values: []byte{}}}},
			{BucketId: proto.Int32(2), ErrorCode: code, ErrorMessage: text},
			{BucketId: proto.Int32(3), ErrorCode: proto.Int32(0)}, {BucketId: proto.Int32(-4), ErrorCode: proto.Int32(-1)},
		}},
		&flusspb.PrefixLookupResponse{BucketsResp: []*flusspb.PbPrefixLookupRespForBucket{
			{BucketId: proto.Int32(1), ValueLists: []*flusspb.PbValueList{{Values: [][]byte{{1}, {}, {2, 3}}}, {}}},
		}},
		&flusspb.PutKvResponse{BucketsResp: []*flusspb.PbPutKvRespForBucket{
			{PartitionId: p, BucketId: proto.Int32(1), LogEndOffset: offset}, {BucketId: proto.Int32(1), ErrorCode: code},
		}},
		&flusspb.FetchLogResponse{TablesResp: []*flusspb.PbFetchLogRespForTable{{
			TableId: proto.Int64(5), BucketsResp: []*flusspb.PbFetchLogRespForBucket{
				{PartitionId: p, BucketId: proto.Int32(0), HighWatermark: offset, LogStartOffset: p, Records: []byte("batch")},
				{BucketId: proto.Int32(1), RemoteLogFetchInfo: &flusspb.PbRemoteLogFetchInfo{
					RemoteLogTabletDir: proto.String("s3://x"), FirstStartPos: proto.Int32(7),
					RemoteLogSegments: []*flusspb.PbRemoteLogSegment{{
						RemoteLogSegmentId: proto.String("id"), RemoteLogStartOffset: p, RemoteLogEndOffset: offset,
						SegmentSizeInBytes: proto.Int32(10),
					}},
				}},
			},
		}}},
	} {
		b, err := proto.Marshal(m)
		if err != nil {
			tb.Fatal(err)
		}
		seeds = append(seeds, b)
	}
	return seeds
}

// TestHotResponses runs the seeds, their proper prefixes and random changes of them.
func TestHotResponses(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	n := 0
	for _, seed := range hotResponseSeeds(t) {
		for cut := range len(seed) + 1 {
			sameAsGenerated(t, seed[:cut])
			n++
		}
		for range 2000 {
			b := bytes.Clone(seed)
			for range 1 + rnd.IntN(3) {
				if len(b) > 0 {
					b[rnd.IntN(len(b))] = byte(rnd.Uint32())
				}
			}
			sameAsGenerated(t, b)
			n++
		}
	}
	t.Logf("%d bodies", n)
}

// TestHotRequests compares what the six encoders write with the generated code's bytes.
func TestHotRequests(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		table := rnd.Int64() >> rnd.IntN(64)
		keys, records, fetch := randomBuckets(rnd)

		lookup := &flusspb.LookupRequest{TableId: &table}
		prefix := &flusspb.PrefixLookupRequest{TableId: &table}
		for _, b := range keys {
			p := optional(b.Partition)
			lookup.BucketsReq = append(lookup.BucketsReq, &flusspb.PbLookupReqForBucket{PartitionId: p, BucketId: &b.Bucket, Keys: b.Keys})
			prefix.BucketsReq = append(prefix.BucketsReq, &flusspb.PbPrefixLookupReqForBucket{PartitionId: p, BucketId: &b.Bucket, Keys: b.Keys})
		}
		checkRequest(t, AppendLookupRequest(nil, table, keys), lookup)
		checkRequest(t, AppendPrefixLookupRequest(nil, table, keys), prefix)

		acks, timeout, mode := int32(rnd.IntN(3)-1), int32(rnd.Int64()), int32(rnd.IntN(3)-1)
		target := randomInts(rnd)
		put := &flusspb.PutKvRequest{Acks: &acks, TableId: &table, TimeoutMs: &timeout, TargetColumns: target}
		if mode >= 0 {
			put.AggMode = &mode
		}
		produce := &flusspb.ProduceLogRequest{Acks: &acks, TableId: &table, TimeoutMs: &timeout}
		for _, b := range records {
			p := optional(b.Partition)
			put.BucketsReq = append(put.BucketsReq, &flusspb.PbPutKvReqForBucket{PartitionId: p, BucketId: &b.Bucket, Records: b.Records})
			produce.BucketsReq = append(produce.BucketsReq, &flusspb.PbProduceLogReqForBucket{PartitionId: p, BucketId: &b.Bucket, Records: b.Records})
		}
		checkRequest(t, AppendPutKVRequest(nil, acks, table, timeout, target, mode, records), put)
		checkRequest(t, AppendProduceLogRequest(nil, acks, table, timeout, records), produce)

		fr := &FetchRequest{
			MaxBytes: int32(rnd.Int64()), WaitMillis: int32(rnd.IntN(500) - 250), MinBytes: int32(rnd.IntN(3) - 1),
			Table: table, Projection: target, Buckets: fetch,
		}
		checkRequest(t, AppendFetchLogRequest(nil, fr), generatedFetch(fr))

		partition, bucket, limit := rnd.Int64N(3)-1, int32(rnd.IntN(20)), int32(rnd.Int64())
		scan := &flusspb.LimitScanRequest{TableId: &table, PartitionId: optional(partition), BucketId: &bucket, Limit: &limit}
		checkRequest(t, AppendLimitScanRequest(nil, table, partition, bucket, limit), scan)
	}
}

func generatedFetch(r *FetchRequest) *flusspb.FetchLogRequest {
	t := &flusspb.PbFetchLogReqForTable{
		TableId: &r.Table, ProjectionPushdownEnabled: proto.Bool(len(r.Projection) > 0), ProjectedFields: r.Projection,
	}
	for i := range r.Buckets {
		b := &r.Buckets[i]
		t.BucketsReq = append(t.BucketsReq, &flusspb.PbFetchLogReqForBucket{
			PartitionId: optional(b.Partition), BucketId: &b.Bucket, FetchOffset: &b.Offset, MaxFetchBytes: &b.MaxBytes,
		})
	}
	m := &flusspb.FetchLogRequest{
		FollowerServerId: proto.Int32(-1), MaxBytes: &r.MaxBytes, TablesReq: []*flusspb.PbFetchLogReqForTable{t},
	}
	if r.WaitMillis >= 0 {
		m.MaxWaitMs = &r.WaitMillis
	}
	if r.MinBytes >= 0 {
		m.MinBytes = &r.MinBytes
	}
	return m
}

func checkRequest(t *testing.T, got []byte, m proto.Message) {
	t.Helper()
	want, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Fatalf("%T %v:\n got %x\nwant %x", m, m, got, want)
	}
}

func optional(partition int64) *int64 {
	if partition < 0 {
		return nil
	}
	return &partition
}

func randomInts(rnd *rand.Rand) []int32 {
	var list []int32
	for range rnd.IntN(5) {
		list = append(list, int32(rnd.Int64()>>rnd.IntN(64)))
	}
	return list
}

func randomBuckets(rnd *rand.Rand) (keys []KeyBucket, records []RecordsBucket, fetch []FetchBucket) {
	random := func() []byte {
		b := make([]byte, rnd.IntN(200))
		for i := range b {
			b[i] = byte(rnd.Uint32())
		}
		return b
	}
	for range rnd.IntN(4) {
		partition, bucket := rnd.Int64()>>rnd.IntN(64), int32(rnd.Int64()>>rnd.IntN(64))
		k := KeyBucket{Partition: partition, Bucket: bucket}
		for range rnd.IntN(4) {
			k.Keys = append(k.Keys, random())
		}
		keys = append(keys, k)
		records = append(records, RecordsBucket{partition, bucket, random()})
		fetch = append(fetch, FetchBucket{partition, bucket, rnd.Int64() - 2, int32(rnd.Int64())})
	}
	return keys, records, fetch
}

// TestLookupValuePresence keeps "not there" and "there and empty" apart.
func TestLookupValuePresence(t *testing.T) {
	body := []byte{0x0a, 0x0a, 0x10, 0x00, 0x2a, 0x00, 0x2a, 0x02, 0x0a, 0x00, 0x2a, 0x00}
	got, err := ParseLookupResponse(nil, body)
	if err != nil {
		t.Fatal(err)
	}
	v := got[0].Values
	if len(v) != 3 || v[0] != nil || v[1] == nil || len(v[1]) != 0 || v[2] != nil {
		t.Errorf("values %#v, want nil, empty, nil", v)
	}
	if got[0].Partition != -1 {
		t.Errorf("partition %d, want -1", got[0].Partition)
	}
}

func BenchmarkParseLookupResponse(b *testing.B) {
	m := &flusspb.LookupResponse{BucketsResp: []*flusspb.PbLookupRespForBucket{
		{BucketId: proto.Int32(1), Values: []*flusspb.PbValue{{Values: make([]byte, 64)}}},
	}}
	body, _ := proto.Marshal(m)
	dst := make([]LookupResult, 0, 1)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ParseLookupResponse(dst, body); err != nil {
			b.Fatal(err)
		}
	}
}
