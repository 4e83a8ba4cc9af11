package flusstest

import (
	"context"
	"encoding/binary"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss/internal/record"
	"github.com/gofluss/fluss/internal/wire"
	"github.com/gofluss/fluss/internal/wire/flusspb"
)

func benchConn(b *testing.B, srv *Server) *wire.Conn {
	b.Helper()
	c, err := wire.Dial(context.Background(), srv.Addresses()[1], &wire.Config{Dial: srv.Dial})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { c.Close() })
	return c
}

// benchKey is a key and its row (INT, STRING of 20 bytes, BIGINT NULL).
func benchKey(i int) (key, row []byte) {
	key = binary.AppendUvarint(nil, uint64(i))
	row = append(append([]byte{4}, key...), 20)
	return key, append(row, "abcdefghijklmnopqrst"...)
}

func fill(b *testing.B, c *wire.Conn, id int64, rows int) {
	b.Helper()
	for from := 0; from < rows; from += 1000 {
		var records []byte
		for i := from; i < from+1000; i++ {
			key, row := benchKey(i)
			records = record.AppendKVRecord(records, key, row)
		}
		batch := record.AppendKVBatch(nil, record.KVHeader{SchemaID: 1, WriterID: -1, Sequence: -1, Count: 1000}, records)
		answer := new(flusspb.PutKvResponse)
		if err := c.Call(context.Background(), wire.APIPutKV, time.Minute, &flusspb.PutKvRequest{Acks: proto.Int32(-1), TableId: &id, TimeoutMs: proto.Int32(1000),
			BucketsReq: []*flusspb.PbPutKvReqForBucket{{BucketId: proto.Int32(0), Records: batch}}}, answer); err != nil || answer.BucketsResp[0].ErrorCode != nil {
			b.Fatal(err, answer)
		}
	}
}

// BenchmarkLookup asks for 128 keys a request, with 4 requests under way. One op is a key.
func BenchmarkLookup(b *testing.B) {
	srv := Run(b)
	c := benchConn(b, srv)
	id := makeTable(b, srv, "fluss.kv", kv)
	const rows = 100_000
	fill(b, c, id, rows)
	keys := make([][]byte, 128)
	for i := range keys {
		keys[i], _ = benchKey(i * 701 % rows)
	}
	encode := func(dst []byte) []byte {
		return wire.AppendLookupRequest(dst, id, []wire.KeyBucket{{Partition: -1, Bucket: 0, Keys: keys}})
	}
	b.ReportAllocs()
	answers := make(chan error, 4)
	h := handlerFunc(func(body []byte, err error) { answers <- err })
	b.ResetTimer()
	requests := b.N/128 + 1
	for i := range requests {
		if i >= 4 {
			if err := <-answers; err != nil {
				b.Fatal(err)
			}
		}
		c.Start(wire.APILookup, time.Minute, encode, h)
	}
	for range min(requests, 4) {
		<-answers
	}
}

type handlerFunc func([]byte, error)

func (f handlerFunc) Answered(body []byte, err error) { f(body, err) }

// BenchmarkUpsert puts 1000 rows a request. One op is a row.
func BenchmarkUpsert(b *testing.B) {
	srv := Run(b)
	c := benchConn(b, srv)
	id := makeTable(b, srv, "fluss.kv", kv)
	b.ReportAllocs()
	b.ResetTimer()
	fill(b, c, id, b.N)
}
