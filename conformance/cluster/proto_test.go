package cluster

import (
	"bytes"
	"strings"
	"testing"

	"github.com/gofluss/fluss/internal/fuzzbound"
)

// A GET_METADATA answer put together by hand: coordinator, two tablet servers, a table with two buckets, the second
// without a leader.
func metadataAnswer() []byte {
	node := func(id, port uint64) []byte {
		return appendNumber(appendText(appendNumber(nil, 1, id), 2, "127.0.0.1"), 3, port)
	}
	b := appendBytes(nil, 1, node(0, 9123))
	b = appendBytes(b, 2, node(0, 9124))
	b = appendBytes(b, 2, node(1, 9125))
	table := appendBytes(nil, 1, tablePath("d", "t"))
	table = appendNumber(table, 2, 71)
	table = appendBytes(table, 5, appendNumber(appendNumber(nil, 1, 0), 2, 1))
	table = appendBytes(table, 5, appendNumber(nil, 1, 1))
	return appendBytes(b, 3, table)
}

func TestMetadataAnswer(t *testing.T) {
	m, err := parseMetadata(metadataAnswer())
	if err != nil {
		t.Fatal(err)
	}
	if len(m.tablets) != 2 || m.tablets[1].addr() != "127.0.0.1:9125" || m.tableID != 71 {
		t.Errorf("got %+v", m)
	}
	if len(m.buckets) != 2 || m.buckets[0].leader != 1 || m.buckets[1].leader != -1 {
		t.Errorf("buckets %+v, want leaders 1 and -1", m.buckets)
	}
}

func TestOpenAnswer(t *testing.T) {
	failure := appendText(appendNumber(nil, 1, 7), 2, "no such table")
	withID := func(b []byte) []byte { return append([]byte{0, 0, 0, 9}, b...) }
	for _, c := range []struct {
		name    string
		kind    byte
		body    []byte
		want    []byte
		wantErr string
	}{
		{"result", 0, withID([]byte("abc")), []byte("abc"), ""},
		{"empty result", 0, withID(nil), []byte{}, ""},
		{"error", 1, withID(failure), nil, "fluss error 7: no such table"},
		{"failure", 2, failure, nil, "fluss error 7: no such table"},
		{"other request", 0, []byte{0, 0, 0, 8}, nil, "another request"},
		{"short", 0, []byte{0}, nil, "another request"},
		{"error cut", 1, withID(failure[:5]), nil, "protobuf field 2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := openAnswer(c.kind, 9, c.body)
			if c.wantErr == "" && err != nil || c.wantErr != "" && (err == nil || !strings.Contains(err.Error(), c.wantErr)) {
				t.Fatalf("error %v, want %q", err, c.wantErr)
			}
			if !bytes.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// FuzzMetadata: no panic, and never more tablet servers or buckets than bytes.
func FuzzMetadata(f *testing.F) {
	f.Add(metadataAnswer())
	fuzzbound.Fuzz(f, func(t *testing.T, b []byte) {
		var m *metadata
		var err error
		fuzzbound.CheckTree(t, len(b), func() { m, err = parseMetadata(b) })
		if err == nil && len(m.tablets)+len(m.buckets) > len(b) {
			t.Errorf("%d servers and %d buckets from %d bytes", len(m.tablets), len(m.buckets), len(b))
		}
	})
}
