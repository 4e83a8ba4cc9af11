package wire

import (
	"bytes"
	"compress/gzip"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	"github.com/gofluss/fluss/internal/wire/flusspb"
)

// The files in testdata are those of the Java classes of Fluss 0.9.1-incubating: frames recorded between the Java
// client and a real cluster, and the tables of API keys and error codes.

func readGolden(tb testing.TB, name string, into any) {
	tb.Helper()
	f, err := os.Open("testdata/" + name + ".json.gz")
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		tb.Fatal(err)
	}
	d := json.NewDecoder(z)
	d.UseNumber()
	if err := d.Decode(into); err != nil {
		tb.Fatal(err)
	}
}

type goldenProtocol struct {
	APIKeys []struct {
		Name       string
		Key        APIKey
		MaxVersion int16 `json:"max_version"`
		MinVersion int16 `json:"min_version"`
		Visibility string
		Request    string
		Response   string
		ServedBy   []string `json:"served_by"`
	} `json:"api_keys"`
	Errors []struct {
		Code            ErrorCode
		Name            string
		Message         string
		Retriable       bool
		InvalidMetadata bool `json:"invalid_metadata"`
	}
}

func TestGoldenAPIKeys(t *testing.T) {
	var p goldenProtocol
	readGolden(t, "protocol", &p)
	if len(p.APIKeys) != len(APIKeys()) {
		t.Errorf("%d keys, want %d", len(APIKeys()), len(p.APIKeys))
	}
	for _, k := range p.APIKeys {
		top, ok := k.Key.MaxVersion()
		if !ok || top != k.MaxVersion || k.MinVersion != 0 || k.Key.String() != k.Name || k.Key.Public() != (k.Visibility == "PUBLIC") {
			t.Errorf("%v: version %d, public %v, want %+v", k.Key, top, k.Key.Public(), k)
		}
		served := strings.Join(k.ServedBy, " ")
		if k.Key.ServedBy(CoordinatorServer) != strings.Contains(served, "coordinator") ||
			k.Key.ServedBy(TabletServer) != strings.Contains(served, "tablet") {
			t.Errorf("%v: want it served by %s", k.Key, served)
		}
	}
	t.Logf("%d API keys", len(p.APIKeys))
}

func TestGoldenErrorCodes(t *testing.T) {
	// What differs from the Java client on purpose: see errorInfo.
	never := map[ErrorCode]bool{CodeCorruptMessage: true, CodeCorruptRecord: true}
	var p goldenProtocol
	readGolden(t, "protocol", &p)
	for _, e := range p.Errors {
		want := RetryNo
		switch {
		case never[e.Code]:
		case e.InvalidMetadata:
			want = RetryRefresh
		case e.Retriable:
			want = RetryPlain
		}
		if e.Code.Name() != e.Name || e.Code.Retry() != want || e.Code.Text() != strings.TrimSpace(e.Message) {
			t.Errorf("%v: retry %v, text %q, want %+v", e.Code, e.Code.Retry(), e.Code.Text(), e)
		}
	}
	for i, e := range errorCodes {
		if e.name == "" {
			t.Errorf("no line for code %d", i+int(firstCode))
		}
	}
	if s := ErrorCode(999); s.Name() != "CODE_999" || s.Retry() != RetryNo || !s.Ambiguous() || s.Text() != "" {
		t.Errorf("unknown code: %v", s)
	}
	t.Logf("%d error codes", len(p.Errors))
}

type goldenFrame struct {
	Direction    string
	API          string
	APIKey       *APIKey      `json:"api_key"`
	APIVersion   int16        `json:"api_version"`
	RequestID    int32        `json:"request_id"`
	ResponseType ResponseType `json:"response_type"`
	Message      any          // an object, or a text when the bytes do not parse
	Error        string
	Frame        string
	where        string
}

// goldenFrames gives every recorded frame.
func goldenFrames(tb testing.TB) []goldenFrame {
	tb.Helper()
	var all []goldenFrame
	for _, name := range []string{"admin", "kv", "log", "partitions", "errors", "sasl"} {
		var file struct {
			Steps []struct {
				Step   string
				Frames []goldenFrame
			}
		}
		readGolden(tb, "wire_"+name, &file)
		for _, s := range file.Steps {
			for i, f := range s.Frames {
				f.where = fmt.Sprintf("%s, %s, frame %d (%s %s)", name, s.Step, i, f.API, f.Direction)
				all = append(all, f)
			}
		}
	}
	return all
}

// messageFor makes an empty message of the name the protocol table gives.
func messageFor(tb testing.TB, name string) proto.Message {
	tb.Helper()
	t, err := protoregistry.GlobalTypes.FindMessageByName(protoreflect.FullName("gofluss." + name))
	if err != nil {
		tb.Fatal(err)
	}
	return t.New().Interface()
}

func TestGoldenFrames(t *testing.T) {
	var p goldenProtocol
	readGolden(t, "protocol", &p)
	requests, responses := map[APIKey]string{}, map[APIKey]string{}
	for _, k := range p.APIKeys {
		requests[k.Key], responses[k.Key] = k.Request, k.Response
	}
	var counts struct{ requests, responses, refusals, bodies, hot, skippedPacked int }
	for _, f := range goldenFrames(t) {
		raw, err := hex.DecodeString(f.Frame)
		if err != nil {
			t.Fatal(err)
		}
		var body []byte
		var name string
		if f.Direction == "request" {
			counts.requests++
			body, name = goldenRequest(t, &f, raw), requests[*f.APIKey]
		} else {
			counts.responses++
			body, name = goldenResponse(t, &f, raw), responses[*f.APIKey]
			if f.ResponseType == ResponseError {
				counts.refusals++
				name = "ErrorResponse"
				goldenRefusal(t, &f, body)
			}
		}
		want, ok := f.Message.(map[string]any)
		if !ok {
			if f.Message != nil && proto.Unmarshal(body, messageFor(t, name)) == nil {
				t.Errorf("%s: parsed, want %v", f.where, f.Message)
			}
			continue
		}
		counts.bodies++
		m := messageFor(t, name)
		if err := proto.Unmarshal(body, m); err != nil {
			t.Errorf("%s: %v", f.where, err)
			continue
		}
		if err := sameMessage(m.ProtoReflect(), want); err != nil {
			t.Errorf("%s: %v", f.where, err)
		}
		again, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(again, body) {
			counts.skippedPacked++
			if missing := len(body) - len(again); missing <= 0 || missing%2 != 0 || !bytes.Equal(again, withoutEmptyPacked(m, body)) {
				t.Errorf("%s: encoded again\n got %x\nwant %x", f.where, again, body)
			}
		}
		if goldenHot(t, &f, m, body, again) {
			counts.hot++
		}
	}
	t.Logf("%+v", counts)
}

// goldenRequest checks the frame in both directions, and that every proper prefix is an error.
func goldenRequest(t *testing.T, f *goldenFrame, raw []byte) []byte {
	r, err := ReadRequest(bytes.NewReader(raw), 0)
	if err != nil {
		t.Fatalf("%s: %v", f.where, err)
	}
	if f.APIKey == nil {
		f.APIKey = &r.API // a request with a key that does not exist
	}
	if r.API != *f.APIKey || r.Version != f.APIVersion || r.ID != f.RequestID {
		t.Errorf("%s: read %v %d %d", f.where, r.API, r.Version, r.ID)
	}
	again := append(AppendRequestHeader(nil, r.API, r.Version, r.ID, len(r.Body)), r.Body...)
	if !bytes.Equal(again, raw) {
		t.Errorf("%s:\n got %x\nwant %x", f.where, again, raw)
	}
	for cut := range raw {
		if _, err := ReadRequest(bytes.NewReader(raw[:cut]), 0); err == nil {
			t.Fatalf("%s: the first %d bytes are no error", f.where, cut)
		}
	}
	return r.Body
}

func goldenResponse(t *testing.T, f *goldenFrame, raw []byte) []byte {
	r, err := ReadResponse(bytes.NewReader(raw), 1<<30)
	if err != nil {
		t.Fatalf("%s: %v", f.where, err)
	}
	if r.Type != f.ResponseType || r.ID != f.RequestID {
		t.Errorf("%s: read type %d, id %d", f.where, r.Type, r.ID)
	}
	if again := AppendResponse(nil, r.Type, r.ID, r.Body); !bytes.Equal(again, raw) {
		t.Errorf("%s:\n got %x\nwant %x", f.where, again, raw)
	}
	for cut := range raw {
		if _, err := ReadResponse(bytes.NewReader(raw[:cut]), 1<<30); err == nil {
			t.Fatalf("%s: the first %d bytes are no error", f.where, cut)
		}
	}
	return r.Body
}

// goldenRefusal checks the parser of error answers against the recorded name and text.
func goldenRefusal(t *testing.T, f *goldenFrame, body []byte) {
	code, text, err := parseErrorResponse(body)
	if err != nil || code.Name() != f.Error {
		t.Errorf("%s: %v, %v, want %s", f.where, code, err, f.Error)
	}
	if again := AppendErrorResponse(nil, code, text); !bytes.Equal(again, body) {
		t.Errorf("%s:\n got %x\nwant %x", f.where, again, body)
	}
	e := newServerError(*f.APIKey, "server", code, text)
	if e.Message == "" || len(e.Message) > maxMessage || strings.ContainsAny(e.Error(), "\n\r\t") {
		t.Errorf("%s: message %q", f.where, e.Error())
	}
}

// withoutEmptyPacked takes out of body, at any depth, the packed fields without numbers, which the Java client writes
// as a tag and a zero.
func withoutEmptyPacked(m proto.Message, body []byte) []byte {
	packed := map[string][]byte{
		"MetadataRequest": {0x1a, 0}, "PutKvRequest": {0x22, 0}, "GetTableStatsRequest": {0x1a, 0},
	}
	name := string(m.ProtoReflect().Descriptor().Name())
	if name == "FetchLogRequest" {
		return withoutEmptyProjection(body)
	}
	if p := packed[name]; p != nil {
		return bytes.Replace(body, p, nil, 1)
	}
	return body
}

// withoutEmptyProjection drops 1a00 behind projection_pushdown_enabled and shortens the table's length with it.
func withoutEmptyProjection(body []byte) []byte {
	f := fields{b: body}
	var out []byte
	for start := 0; f.next(); start = f.pos {
		if f.tag != 3<<3|bytesType {
			f.skip()
			out = append(out, body[start:f.pos]...)
			continue
		}
		out = appendBytes(out, 3, bytes.Replace(f.bytes(), []byte{0x1a, 0}, nil, 1))
	}
	return out
}

// goldenHot checks the code by hand. It reports whether the message is one of the eleven.
func goldenHot(t *testing.T, f *goldenFrame, m proto.Message, body, again []byte) bool {
	t.Helper()
	var got []byte
	switch m := m.(type) {
	case *flusspb.LookupResponse:
		compareHot(t, body, ParseLookupResponse, wantLookup)
		return true
	case *flusspb.PrefixLookupResponse:
		compareHot(t, body, ParsePrefixLookupResponse, wantPrefixLookup)
		return true
	case *flusspb.PutKvResponse:
		compareHot(t, body, ParsePutKVResponse, wantPutKV)
		return true
	case *flusspb.ProduceLogResponse:
		compareHot(t, body, ParseProduceLogResponse, wantProduceLog)
		return true
	case *flusspb.FetchLogResponse:
		compareHot(t, body, ParseFetchLogResponse, wantFetchLog)
		return true
	case *flusspb.LimitScanResponse:
		compareHot(t, body, parseLimitScan, wantLimitScan)
		return true
	case *flusspb.LookupRequest:
		if m.InsertIfNotExists != nil {
			return false
		}
		var buckets []KeyBucket
		for _, b := range m.BucketsReq {
			buckets = append(buckets, KeyBucket{orMinusOne(b.PartitionId), b.GetBucketId(), b.Keys})
		}
		got = AppendLookupRequest(nil, m.GetTableId(), buckets)
	case *flusspb.PrefixLookupRequest:
		var buckets []KeyBucket
		for _, b := range m.BucketsReq {
			buckets = append(buckets, KeyBucket{orMinusOne(b.PartitionId), b.GetBucketId(), b.Keys})
		}
		got = AppendPrefixLookupRequest(nil, m.GetTableId(), buckets)
	case *flusspb.PutKvRequest:
		var buckets []RecordsBucket
		for _, b := range m.BucketsReq {
			buckets = append(buckets, RecordsBucket{orMinusOne(b.PartitionId), b.GetBucketId(), b.Records})
		}
		mode := int32(-1)
		if m.AggMode != nil {
			mode = *m.AggMode
		}
		got = AppendPutKVRequest(nil, m.GetAcks(), m.GetTableId(), m.GetTimeoutMs(), m.TargetColumns, mode, buckets)
	case *flusspb.ProduceLogRequest:
		var buckets []RecordsBucket
		for _, b := range m.BucketsReq {
			buckets = append(buckets, RecordsBucket{orMinusOne(b.PartitionId), b.GetBucketId(), b.Records})
		}
		got = AppendProduceLogRequest(nil, m.GetAcks(), m.GetTableId(), m.GetTimeoutMs(), buckets)
	case *flusspb.FetchLogRequest:
		if got = goldenFetch(m); got == nil {
			return false
		}
	default:
		return false
	}
	if !bytes.Equal(got, again) {
		t.Errorf("%s: by hand\n got %x\nwant %x", f.where, got, again)
	}
	return true
}

// goldenFetch encodes m by hand, or gives nil for what only a hand-made request has.
func goldenFetch(m *flusspb.FetchLogRequest) []byte {
	if len(m.TablesReq) != 1 || m.TablesReq[0].GetProjectionPushdownEnabled() != (len(m.TablesReq[0].ProjectedFields) > 0) {
		return nil
	}
	table := m.TablesReq[0]
	r := &FetchRequest{
		MaxBytes: m.GetMaxBytes(), WaitMillis: -1, MinBytes: -1, Table: table.GetTableId(), Projection: table.ProjectedFields,
	}
	if m.MaxWaitMs != nil {
		r.WaitMillis = *m.MaxWaitMs
	}
	if m.MinBytes != nil {
		r.MinBytes = *m.MinBytes
	}
	for _, b := range table.BucketsReq {
		r.Buckets = append(r.Buckets, FetchBucket{orMinusOne(b.PartitionId), b.GetBucketId(), b.GetFetchOffset(), b.GetMaxFetchBytes()})
	}
	return AppendFetchLogRequest(nil, r)
}

// sameMessage compares a message with what the Java class read from the same bytes.
func sameMessage(m protoreflect.Message, want map[string]any) error {
	names := map[string]bool{}
	fields := m.Descriptor().Fields()
	for i := range fields.Len() {
		f := fields.Get(i)
		name := snakeCase(string(f.Name()))
		names[name] = true
		w, there := want[name]
		if list, ok := w.([]any); ok && len(list) == 0 {
			there = false
		}
		if m.Has(f) != there {
			return fmt.Errorf("%s: there %v, want %v", name, m.Has(f), there)
		}
		if !there {
			continue
		}
		if err := sameField(f, m.Get(f), w); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	for name := range want {
		if !names[name] {
			return fmt.Errorf("no field %s", name)
		}
	}
	return nil
}

// snakeCase spells the three names in camel case as the recording does.
func snakeCase(name string) string {
	return regexp.MustCompile("[A-Z]").ReplaceAllStringFunc(name, func(s string) string { return "_" + strings.ToLower(s) })
}

func sameField(f protoreflect.FieldDescriptor, v protoreflect.Value, want any) error {
	if !f.IsList() {
		return sameValue(v, want)
	}
	list, ok := want.([]any)
	if !ok || v.List().Len() != len(list) {
		return fmt.Errorf("%d elements, want %v", v.List().Len(), want)
	}
	for i, w := range list {
		if err := sameValue(v.List().Get(i), w); err != nil {
			return fmt.Errorf("[%d]: %w", i, err)
		}
	}
	return nil
}

// cutText is how the recording shortens long values.
var cutText = regexp.MustCompile(`^(.*)\.\.\.\((\d+) (bytes|chars|characters)\)$`)

func sameValue(v protoreflect.Value, want any) error {
	var got string
	switch x := v.Interface().(type) {
	case protoreflect.Message:
		if w, ok := want.(map[string]any); ok {
			return sameMessage(x, w)
		}
		return fmt.Errorf("a message, want %v", want)
	case []byte:
		got = "hex:" + hex.EncodeToString(x)
		if w, ok := want.(string); ok {
			if cut := cutText.FindStringSubmatch(w); cut != nil && strings.HasPrefix(got, cut[1]) && strconv.Itoa(len(x)) == cut[2] {
				return nil
			}
			if w == "utf8:"+string(x) || w == string(x) {
				return nil
			}
		}
	default:
		got = fmt.Sprint(x)
	}
	if w := fmt.Sprint(want); got != w {
		return fmt.Errorf("got %q, want %q", got, w)
	}
	return nil
}
