package flusstest

import (
	"bytes"
	"errors"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss/internal/wire"
	"github.com/gofluss/fluss/internal/wire/flusspb"
)

// call sends a request and returns its answer's type, message and error code.
func (c *rawConn) call(key wire.APIKey, q proto.Message) (proto.Message, wire.ErrorCode) {
	c.t.Helper()
	c.send(key, 77, q)
	r := c.read()
	if r.ID != 77 {
		c.t.Fatalf("%s: answer to request %d", key, r.ID)
	}
	return open(c.t, key, r)
}

func open(t testing.TB, key wire.APIKey, r wire.Response) (proto.Message, wire.ErrorCode) {
	t.Helper()
	if r.Type != wire.ResponseSuccess {
		e := new(flusspb.ErrorResponse)
		if err := proto.Unmarshal(r.Body, e); err != nil {
			t.Fatal(err)
		}
		return e, wire.ErrorCode(e.GetErrorCode())
	}
	m := proto.Clone(responses[key])
	if err := proto.Unmarshal(r.Body, m); err != nil {
		t.Fatal(err)
	}
	return m, 0
}

// must is a call that has to succeed.
func (c *rawConn) must(key wire.APIKey, q proto.Message) proto.Message {
	c.t.Helper()
	m, code := c.call(key, q)
	if code != 0 {
		c.t.Fatalf("%s: %v", key, m)
	}
	return m
}

// ends fails unless the server closes the connection.
func (c *rawConn) ends() {
	c.t.Helper()
	c.SetReadDeadline(time.Now().Add(20 * time.Second))
	if n, err := c.r.Read(make([]byte, 1)); n != 0 || err == nil {
		c.t.Fatal("the server goes on")
	} else if isTimeout(err) {
		c.t.Fatal("the connection is still open")
	}
}

func isTimeout(err error) bool {
	var n net.Error
	return errors.As(err, &n) && n.Timeout()
}

// TestSilence sends what gets no answer. The connection stays usable: the next answer is the next request's.
func TestSilence(t *testing.T) {
	tests := []struct {
		name   string
		node   int
		key    wire.APIKey
		body   []byte
		strict wire.ErrorCode
	}{
		{"unknown API", 1, 4711, nil, wire.CodeUnsupportedVersion},
		{"private API", 1, wire.APIUpdateMetadata, nil, wire.CodeUnsupportedVersion},
		{"API not served", 0, wire.APIGetProducerOffsets, nil, wire.CodeUnsupportedVersion},
		{"coordinator's API at a tablet server", 1, wire.APICreateDatabase, nil, wire.CodeUnsupportedVersion},
		{"tablet server's API at the coordinator", 0, wire.APIInitWriter, nil, wire.CodeUnsupportedVersion},
		{"no protobuf", 0, wire.APIListTables, []byte{0xff, 0xff, 0xff}, wire.CodeCorruptMessage},
		{"required field missing", 0, wire.APIListTables, nil, wire.CodeCorruptMessage},
		{"lookup cut off", 1, wire.APILookup, []byte{0x08}, wire.CodeCorruptMessage},
		{"fetch without fields", 1, wire.APIFetchLog, nil, wire.CodeCorruptMessage},
	}
	for _, strict := range []bool{false, true} {
		opts := []Option{InMemory()}
		if strict {
			opts = append(opts, Strict())
		}
		srv := Run(t, opts...)
		for _, tt := range tests {
			c := dialRaw(t, srv, srv.Addresses()[tt.node])
			c.write(append(wire.AppendRequestHeader(nil, tt.key, 0, 5, len(tt.body)), tt.body...))
			if strict {
				r := c.read()
				if _, code := open(t, tt.key, r); r.ID != 5 || code != tt.strict {
					t.Errorf("%s, strict: code %d for request %d, want %d", tt.name, code, r.ID, tt.strict)
				}
			}
			c.must(wire.APIListDatabases, new(flusspb.ListDatabasesRequest))
		}
	}
}

// TestBadFrames sends lengths that make no sense: a failure of type 2, and the end.
func TestBadFrames(t *testing.T) {
	srv := Run(t, InMemory(), MaxRequestSize(1000))
	for _, frame := range [][]byte{
		{0, 0, 0, 7, 1, 2, 3, 4, 5, 6, 7}, {0xff, 0xff, 0xff, 0xff}, {0, 0, 3, 0xe5, 1}, []byte("GET / HTTP/1.1\r\n\r\n"),
	} {
		c := dialRaw(t, srv, srv.Addresses()[0])
		c.write(frame)
		if r := c.read(); r.Type != wire.ResponseFailure {
			t.Errorf("% x: answer of type %d", frame, r.Type)
		} else if m, code := open(t, 0, r); code != wire.CodeUnknownServerError {
			t.Errorf("% x: %v", frame, m)
		}
		c.ends()
	}
}

func TestVersionsOfRequestsDoNotMatter(t *testing.T) {
	srv := Run(t, InMemory())
	c := dialRaw(t, srv, srv.Addresses()[1])
	c.write(wire.AppendRequestHeader(nil, wire.APIListDatabases, 9, -3, 0))
	if r := c.read(); r.ID != -3 || r.Type != wire.ResponseSuccess {
		t.Errorf("answer %+v", r)
	}
}

// TestAPIVersions: each kind of server tells of what it serves and of nothing else.
func TestAPIVersions(t *testing.T) {
	srv := Run(t, InMemory())
	for node, kind := range []int32{wire.CoordinatorServer, wire.TabletServer} {
		c := dialRaw(t, srv, srv.Addresses()[node])
		m := c.must(wire.APIVersions, &flusspb.ApiVersionsRequest{ClientSoftwareName: proto.String("x"), ClientSoftwareVersion: proto.String("1")}).(*flusspb.ApiVersionsResponse)
		if m.GetServerType() != kind {
			t.Errorf("node %d: type %d, want %d", node, m.GetServerType(), kind)
		}
		told := map[wire.APIKey]bool{}
		for _, v := range m.ApiVersions {
			told[wire.APIKey(v.GetApiKey())] = true
		}
		for _, key := range wire.APIKeys() {
			if want := handlers[key] != nil && key.ServedBy(int(kind)); told[key] != want {
				t.Errorf("node %d, %s: told %v, want %v", node, key, told[key], want)
			}
		}
	}
}

// TestOrder pipelines requests: they are answered in order, except for a fetch that waits.
func TestOrder(t *testing.T) {
	srv := Run(t)
	id := makeTable(t, srv, "fluss.o", tableText{cols: []string{"a INTEGER"}})
	c := dialRaw(t, srv, srv.Addresses()[1])
	c.send(wire.APIFetchLog, 0, &flusspb.FetchLogRequest{
		FollowerServerId: proto.Int32(-1), MaxBytes: proto.Int32(1000), MaxWaitMs: proto.Int32(60), MinBytes: proto.Int32(1),
		TablesReq: []*flusspb.PbFetchLogReqForTable{{TableId: &id, ProjectionPushdownEnabled: proto.Bool(false),
			BucketsReq: []*flusspb.PbFetchLogReqForBucket{{BucketId: proto.Int32(0), FetchOffset: proto.Int64(0), MaxFetchBytes: proto.Int32(1000)}}}},
	})
	var frames []byte
	for id := range int32(200) {
		frames = append(frames, wire.AppendRequestHeader(nil, wire.APIListDatabases, 0, id+1, 0)...)
	}
	c.write(frames)
	for id := range int32(200) {
		if r := c.read(); r.ID != id+1 {
			t.Fatalf("answer to %d, want %d", r.ID, id+1)
		}
	}
	if r := c.read(); r.ID != 0 {
		t.Errorf("last answer is to %d", r.ID)
	}
}

// TestAnswersDoNotWaitForHalfAFrame: what was read is answered while the rest is under way.
func TestAnswersDoNotWaitForHalfAFrame(t *testing.T) {
	srv := Run(t, InMemory())
	c := dialRaw(t, srv, srv.Addresses()[1])
	frame := wire.AppendRequestHeader(nil, wire.APIListDatabases, 0, 1, 0)
	c.write(append(frame, frame[:7]...))
	c.read()
	c.write(frame[7:])
	c.read()
}

func TestSASL(t *testing.T) {
	srv := Run(t, InMemory(), Users(map[string]string{"ann": "secret", "bob": "pass word"}))
	if want := "fluss://ann:secret@" + strings.Join(srv.Addresses(), ",") + "/db"; srv.DSNFor("db") != want {
		t.Errorf("DSN %s, want %s", srv.DSNFor("db"), want)
	}
	auth := func(mechanism, token string) *flusspb.AuthenticateRequest {
		return &flusspb.AuthenticateRequest{Protocol: &mechanism, Token: []byte(token)}
	}
	c := dialRaw(t, srv, srv.Addresses()[1])
	refused := []*flusspb.AuthenticateRequest{
		auth("PLAIN", "\x00ann\x00wrong"), auth("PLAIN", "\x00eve\x00secret"), auth("PLAIN", "ann\x00secret"), auth("PLAIN", ""),
		auth("PLAIN", "\x00\x00secret"), auth("PLAIN", "\x00ann\x00"), auth("PLAIN", "bob\x00ann\x00secret"), auth("SCRAM", "x"), auth("PLAINTEXT", ""),
	}
	for _, q := range refused {
		if m, code := c.call(wire.APIAuthenticate, q); code != wire.CodeAuthenticate {
			t.Errorf("%v: %v", q, m)
		}
		if _, code := c.call(wire.APIListDatabases, new(flusspb.ListDatabasesRequest)); code != wire.CodeAuthenticate {
			t.Errorf("after %v: code %d", q, code)
		}
	}
	if m, code := c.call(wire.APIAuthenticate, auth("plain", "\x00ann\x00secret")); code != wire.CodeUnknownServerError {
		t.Errorf("lower case mechanism: %v", m)
	}
	m := c.must(wire.APIAuthenticate, auth("PLAIN", "ann\x00ann\x00secret")).(*flusspb.AuthenticateResponse)
	if m.Challenge == nil || len(m.Challenge) != 0 {
		t.Errorf("challenge %v, want one that is there and empty", m.Challenge)
	}
	c.must(wire.APIListDatabases, new(flusspb.ListDatabasesRequest))
	if m := c.must(wire.APIAuthenticate, auth("PLAIN", "nonsense")).(*flusspb.AuthenticateResponse); m.Challenge != nil {
		t.Error("a second authentication has a challenge")
	}
}

// makeTable creates a table and returns its id.
func makeTable(t testing.TB, srv *Server, path string, d tableText) int64 {
	t.Helper()
	c := dialRaw(t, srv, srv.Addresses()[0])
	c.must(wire.APICreateTable, &flusspb.CreateTableRequest{TablePath: pathOf(path), TableJson: []byte(d.json()), IgnoreIfExists: proto.Bool(false)})
	return c.must(wire.APIGetTableInfo, &flusspb.GetTableInfoRequest{TablePath: pathOf(path)}).(*flusspb.GetTableInfoResponse).GetTableId()
}

func TestPipe(t *testing.T) {
	a, b := memPipe(memAddr("a"), memAddr("b"))
	want := bytes.Repeat([]byte("0123456789"), 100_000) // more than the buffer
	go func() {                                         // ends with the write
		a.Write(want)
		a.Close()
	}()
	if got, err := io.ReadAll(b); err != nil || !bytes.Equal(got, want) {
		t.Errorf("read %d bytes, %v", len(got), err)
	}
	if _, err := b.Write([]byte("x")); err == nil {
		t.Error("a write to a closed peer succeeded")
	}
	if _, err := a.Read(make([]byte, 1)); !errors.Is(err, net.ErrClosed) {
		t.Errorf("read of a closed connection: %v", err)
	}
	c, d := memPipe(memAddr("c"), memAddr("d"))
	defer d.Close()
	c.SetReadDeadline(time.Now().Add(-time.Second))
	if _, err := c.Read(make([]byte, 1)); !isTimeout(err) {
		t.Errorf("read after the deadline: %v", err)
	}
	c.SetReadDeadline(time.Now().Add(5 * time.Millisecond))
	if _, err := c.Read(make([]byte, 1)); !isTimeout(err) {
		t.Errorf("read after the deadline: %v", err)
	}
	c.SetWriteDeadline(time.Now().Add(5 * time.Millisecond))
	if n, err := c.Write(want); !isTimeout(err) || n != pipeBuffer {
		t.Errorf("wrote %d bytes, %v", n, err)
	}
	c.SetDeadline(time.Time{})
	d.Write([]byte("x"))
	if n, err := c.Read(make([]byte, 4)); n != 1 || err != nil {
		t.Errorf("read %d bytes, %v", n, err)
	}
}
