package fluss_test

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"slices"
	"strings"
	"testing"

	"github.com/gofluss/fluss"
	"github.com/gofluss/fluss/flusstest"
	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/record"
	"github.com/gofluss/fluss/internal/row"
	"github.com/gofluss/fluss/internal/wire"
	"github.com/gofluss/fluss/internal/wire/flusspb"
)

// poisonTable is a log of one bucket with three batches of ten rows, of which the second one is damaged.
type poisonTable struct {
	srv  *flusstest.Server
	db   *sql.DB
	name string
}

func newPoisonTable(t *testing.T, name, columns, with string) *poisonTable {
	t.Helper()
	srv := flusstest.Run(t)
	db, err := sql.Open("fluss", srv.DSN())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	if _, err := db.Exec("CREATE TABLE " + name + " (" + columns + ") " + with); err != nil {
		t.Fatal(err)
	}
	return &poisonTable{srv, db, name}
}

// insert appends a batch of ten rows (n, "row n").
func (p *poisonTable) insert(t *testing.T, from int, partition ...any) {
	t.Helper()
	var args []any
	for n := from; n < from+10; n++ {
		args = append(append(args, n, fmt.Sprint("row ", n)), partition...)
	}
	one := "(?,?" + strings.Repeat(",?", len(partition)) + ")"
	if _, err := p.db.Exec("INSERT INTO "+p.name+" VALUES "+one+strings.Repeat(","+one, 9), args...); err != nil {
		t.Fatal(err)
	}
}

// appendRaw appends a batch as it is.
func (p *poisonTable) appendRaw(t *testing.T, batch []byte) {
	t.Helper()
	ctx := t.Context()
	c, err := wire.Dial(ctx, p.srv.Addresses()[1], &wire.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	database, table := "fluss", p.name
	var info flusspb.GetTableInfoResponse
	if err := c.Call(ctx, wire.APIGetTableInfo, 0, &flusspb.GetTableInfoRequest{TablePath: &flusspb.PbTablePath{DatabaseName: &database, TableName: &table}}, &info); err != nil {
		t.Fatal(err)
	}
	acks, timeout, bucket := int32(-1), int32(5000), int32(0)
	var answer flusspb.ProduceLogResponse
	if err := c.Call(ctx, wire.APIProduceLog, 0, &flusspb.ProduceLogRequest{Acks: &acks, TableId: info.TableId, TimeoutMs: &timeout,
		BucketsReq: []*flusspb.PbProduceLogReqForBucket{{BucketId: &bucket, Records: batch}}}, &answer); err != nil {
		t.Fatal(err)
	}
	if code := answer.BucketsResp[0].GetErrorCode(); code != 0 {
		t.Fatalf("the server refuses the batch: %d %s", code, answer.BucketsResp[0].GetErrorMessage())
	}
}

// poisoned is a batch of the rows (10, "row 10") to (19, "row 19"), with a good CRC over a payload that harm has changed.
func poisoned(t *testing.T, format catalog.LogFormat, harm func(payload []byte)) []byte {
	t.Helper()
	schema := &catalog.Schema{ID: 1, Columns: []catalog.Column{{Name: "n", Type: catalog.Type{Kind: catalog.BigInt}}, {Name: "s", Type: catalog.Type{Kind: catalog.String}}}}
	e, err := record.NewLogEncoder(&catalog.Table{Descriptor: catalog.Descriptor{Schema: schema}, LogFormat: format, Compression: catalog.ZSTD, CompressionLevel: 3})
	if err != nil {
		t.Fatal(err)
	}
	for n := range int64(10) {
		if err := e.Append([]row.Datum{{I: 10 + n}, {B: fmt.Append(nil, "row ", 10+n)}}); err != nil {
			t.Fatal(err)
		}
	}
	b := e.Finish(nil, record.LogHeader{WriterID: -1, Sequence: -1})
	const header, crcAt, checked = 48, 21, 25
	harm(b[header:])
	binary.LittleEndian.PutUint32(b[crcAt:], crc32.Checksum(b[checked:], crc32.MakeTable(crc32.Castagnoli)))
	return b
}

// elevenValues damages the last column of an Arrow message of ten rows.
func elevenValues(payload []byte) {
	payload[bytes.LastIndex(payload, append([]byte{10}, make([]byte, 15)...))]++
}

// readUntilError reads a query's rows of two columns, and returns the first.
func readUntilError(t *testing.T, db *sql.DB, query string) (got []int, err error) {
	t.Helper()
	rows, err := db.Query(query)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var n int
		var s string
		if err := rows.Scan(&n, &s); err != nil {
			t.Fatal(err)
		}
		got = append(got, n)
	}
	return got, rows.Err()
}

func numbers(from, to int) (out []int) {
	for n := from; n < to; n++ {
		out = append(out, n)
	}
	return out
}

// A batch that cannot be read ends the scan behind the rows before it, with an error that says where, and another scan goes
// on where that error says.
func TestCorruptLog(t *testing.T) {
	for _, test := range []struct {
		name, with string
		damage     func(t *testing.T, p *poisonTable)
		query      string
		next       int64
		reason     string
	}{
		{"CRC", "", func(t *testing.T, p *poisonTable) {
			p.insert(t, 10)
			p.corrupt(t, 10, 60)
		}, "SELECT %s n, s FROM log", 20, "CRC"},
		{"Arrow", "", func(t *testing.T, p *poisonTable) { p.appendRaw(t, poisoned(t, catalog.LogArrow, elevenValues)) }, "SELECT %s n, s FROM log", 20, "11 values for 10 rows"},
		{"Arrow, some columns", "", func(t *testing.T, p *poisonTable) { p.appendRaw(t, poisoned(t, catalog.LogArrow, elevenValues)) }, "SELECT %s s FROM log", 20, "11 values for 10 rows"},
		{"indexed", "WITH ('table.log.format'='INDEXED')", func(t *testing.T, p *poisonTable) {
			p.appendRaw(t, poisoned(t, catalog.LogIndexed, func(payload []byte) { payload[6] ^= 0x7f }))
		}, "SELECT %s n, s FROM log", 20, "record 0"},
		{"length", "", func(t *testing.T, p *poisonTable) {
			p.insert(t, 10)
			p.corrupt(t, 10, 11)
		}, "SELECT %s n, s FROM log", -1, "length"},
		{"last offset", "", func(t *testing.T, p *poisonTable) {
			p.insert(t, 10)
			p.corrupt(t, 10, 29)
		}, "SELECT %s n, s FROM log", 20, "CRC"},
	} {
		t.Run(test.name, func(t *testing.T) {
			with := "WITH ('bucket.num'='1')"
			if test.with != "" {
				with = strings.Replace(test.with, "(", "('bucket.num'='1', ", 1)
			}
			p := newPoisonTable(t, "log", "n BIGINT, s STRING", with)
			p.insert(t, 0)
			test.damage(t, p)
			p.insert(t, 20)
			p.check(t, fmt.Sprintf(test.query, ""), test.next, test.reason)
			if test.next < 0 {
				return
			}
			for _, hint := range []string{fmt.Sprintf("OFFSETS('0:%d-')", test.next), fmt.Sprintf("OFFSET(%d)", test.next)} {
				got := values(t, p.db, fmt.Sprintf(test.query, "/*+ "+hint+" */"))
				if len(got) != 10 || got[0][len(got[0])-1] != "row 20" || got[9][len(got[0])-1] != "row 29" {
					t.Errorf("behind it: %v", got)
				}
			}
		})
	}
}

func (p *poisonTable) corrupt(t *testing.T, offset int64, at int) {
	t.Helper()
	if err := p.srv.CorruptLog("fluss."+p.name, 0, offset, at); err != nil {
		t.Fatal(err)
	}
}

// check runs a query that has to give ten rows and then an error about offset 10.
func (p *poisonTable) check(t *testing.T, query string, next int64, reason string) {
	t.Helper()
	rows, err := p.db.Query(query)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	names, _ := rows.Columns()
	n := 0
	for ; rows.Next(); n++ {
		dest := make([]any, len(names))
		text := make([]string, len(names))
		for i := range dest {
			dest[i] = &text[i]
		}
		if err := rows.Scan(dest...); err != nil {
			t.Fatal(err)
		}
		if got := text[len(text)-1]; got != fmt.Sprint("row ", n) {
			t.Errorf("row %d: got %s", n, got)
		}
	}
	if n != 10 {
		t.Errorf("%d rows before the damage, want 10", n)
	}
	checkCorrupt(t, rows.Err(), &fluss.CorruptRecordError{Table: "fluss." + p.name, Offset: 10, NextOffset: next, Reason: reason})
}

// checkCorrupt wants an error like that, with its reason within.
func checkCorrupt(t *testing.T, err error, want *fluss.CorruptRecordError) {
	t.Helper()
	got, ok := errors.AsType[*fluss.CorruptRecordError](err)
	if !ok || !errors.Is(err, fluss.ErrCorruptRecord) {
		t.Fatalf("got %v", err)
	}
	reason := got.Reason
	if !strings.Contains(reason, want.Reason) {
		t.Errorf("got the reason %q, want %q in it", reason, want.Reason)
	}
	copied := *got
	copied.Reason = want.Reason
	if copied != *want {
		t.Errorf("got %+v, want %+v", copied, *want)
	}
}

// FOLLOW ends at the damage too, and follows on behind it.
func TestCorruptLogFollow(t *testing.T) {
	p := newPoisonTable(t, "log", "n BIGINT, s STRING", "WITH ('bucket.num'='1')")
	p.insert(t, 0)
	p.appendRaw(t, poisoned(t, catalog.LogArrow, elevenValues))
	got, err := readUntilError(t, p.db, "SELECT /*+ FOLLOW OFFSET('earliest') */ n, s FROM log")
	if err == nil {
		t.Fatal("no error")
	}
	damaged, ok := errors.AsType[*fluss.CorruptRecordError](err)
	if !ok || !slices.Equal(got, numbers(0, 10)) || damaged.Offset != 10 || damaged.NextOffset != 20 {
		t.Fatalf("got %v and %v", got, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	rows, err := p.db.QueryContext(ctx, fmt.Sprintf("SELECT /*+ FOLLOW OFFSETS('0:%d-') */ n, s FROM log", damaged.NextOffset))
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	p.insert(t, 20)
	for want := 20; want < 30; want++ {
		var n int
		var s string
		if !rows.Next() {
			t.Fatalf("ends before row %d: %v", want, rows.Err())
		}
		if err := rows.Scan(&n, &s); err != nil || n != want {
			t.Fatalf("got %d, want %d: %v", n, want, err)
		}
	}
}

// The error names the partition.
func TestCorruptLogPartition(t *testing.T) {
	p := newPoisonTable(t, "log", "n BIGINT, s STRING, day STRING", "PARTITIONED BY (day) WITH ('bucket.num'='1')")
	p.insert(t, 0, "monday")
	p.insert(t, 10, "tuesday")
	if err := p.srv.CorruptLog("fluss.log/tuesday", 0, 0, 60); err != nil {
		t.Fatal(err)
	}
	rows, err := p.db.Query("SELECT * FROM log WHERE day = 'tuesday'")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		t.Error("got a row")
	}
	checkCorrupt(t, rows.Err(), &fluss.CorruptRecordError{Table: "fluss.log", Partition: "tuesday", Offset: 0, NextOffset: 10})
}
