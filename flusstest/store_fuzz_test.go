package flusstest

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"testing"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/fuzzbound"
	"github.com/gofluss/fluss/internal/record"
)

// FuzzPut sends damaged batches. Properties: no panic; a refusal leaves log and rows as they were; after a success the
// log has gone on, and everything that was stored can be read by lookup and scan.
func FuzzPut(f *testing.F) {
	aggregated := script{columns: "k INT, s STRING listagg, n BIGINT sum, d DECIMAL(20;2) sum", props: aggregationOnly}
	plain := script{columns: "k INT, a ARRAY, m MAP, r ROW, t TIMESTAMP(9) NOT NULL"}
	indexed := script{columns: "k STRING, c CHAR(3), d DECIMAL(20;2), t TIMESTAMP(3)", props: map[string]string{"table.kv.format": "indexed"}}
	scripts := []*script{&aggregated, &plain, &indexed}
	var descriptors []catalog.Descriptor
	for _, s := range scripts {
		descriptors = append(descriptors, s.descriptor(f))
	}
	for i, rows := range [][]string{{"1,x,5,1.00", "1,y,-5,~", "!1"}, nil, {"a,x,1.00,5+0", "b,~,~,~"}} {
		m := newMemoryTarget(f, descriptors[i])
		f.Add(uint8(i), int16(-1), batchOf(f, m.table(), m.table().Schema, -1, -1, rows))
		f.Add(uint8(i), int16(1), batchOf(f, m.table(), m.table().Schema, 7, 0, rows))
	}
	f.Add(uint8(1), int16(-1), kvBatch(1, -1, -1, 1, []byte("\x04\x00\x00\x00\x01\x01\x00\x01")))
	fuzzbound.Fuzz(f, func(t *testing.T, which uint8, target int16, batch []byte) {
		var columns []int32
		if target >= 0 {
			columns = []int32{0, int32(target)}
		}
		fuzzbound.Check(t, len(batch), func() {
			m := newMemoryTarget(t, descriptors[int(which)%len(descriptors)])
			for range 2 {
				putDamaged(t, m, batch, columns)
			}
			readAll(t, m)
		})
	})
}

func putDamaged(t *testing.T, m *memoryTarget, batch []byte, columns []int32) {
	before, end := m.store.sizes(), m.store.logEnd()
	_, err := m.store.putKV(batch, columns, false, nil)
	after := m.store.sizes()
	if err != nil && (after.LogBytes != before.LogBytes || after.Rows != before.Rows || after.RowBytes != before.RowBytes) {
		t.Fatalf("a refused batch leaves %+v, before it was %+v", after, before)
	}
	noWriter := bytes.Repeat([]byte{0xff}, 8) // -1: nothing tells a batch that is sent twice
	if err == nil && bytes.Equal(batch[12:20], noWriter) && m.store.logEnd() == end {
		t.Fatal("a batch was taken and the log has not gone on")
	}
}

func readAll(t *testing.T, m *memoryTarget) {
	n := 0
	for _, value := range m.store.prefix(nil) {
		if len(value) < 2 {
			t.Fatalf("a value of %d bytes", len(value))
		}
		n++
	}
	if rows, err := m.store.rowCount(); err != nil || rows != int64(n) {
		t.Fatalf("%d rows counted, %d found, %v", rows, n, err)
	}
}

// FuzzProduce sends damaged log batches, as they are and with checksums that are right. Properties: no panic; what was taken
// comes back from a fetch byte for byte, but for base offset and commit timestamp; offsets never go back.
func FuzzProduce(f *testing.F) {
	d := logDescriptor(f, "a INT, b STRING", nil)
	table := newMemoryTarget(f, logDescriptor(f, "a INT, b STRING", nil)).table()
	one := logBatch(f, table, -1, -1, "1,a", "2,b")
	f.Add(one)
	f.Add(append(bytes.Clone(one), logBatch(f, table, 5, 0, "3,c")...))
	f.Add(append(bytes.Clone(one), one[:40]...))
	f.Add(logBatch(f, table, -1, -1))
	fuzzbound.Fuzz(f, func(t *testing.T, records []byte) {
		for _, b := range [][]byte{records, sealed(records)} {
			fuzzbound.Check(t, len(b), func() { produceDamaged(t, newMemoryTarget(t, d), b) })
		}
	})
}

// sealed gives every batch the checksum of what it holds.
func sealed(records []byte) []byte {
	records = bytes.Clone(records)
	for b := records; len(b) >= produceMinHeader; {
		total := int64(int32(binary.LittleEndian.Uint32(b[8:]))) + producePrefix
		body := int64(produceBody)
		if b[produceMagic] == record.Magic1 {
			body += 4
		}
		if total < body || total > int64(len(b)) {
			break
		}
		binary.LittleEndian.PutUint32(b[body-4:], crc32.Checksum(b[body:total], castagnoli))
		b = b[total:]
	}
	return records
}

// firstWithOffsets leaves out the batches at the start that take no offset: a fetch goes by offsets, and passes over them.
func firstWithOffsets(records []byte) []byte {
	batches, _ := splitProduced(records)
	for _, b := range batches {
		if b.delta >= 0 {
			break
		}
		records = records[len(b.bytes):]
	}
	return records
}

func produceDamaged(t *testing.T, m *memoryTarget, records []byte) {
	base, err := m.store.produceLog(records)
	got, end, fetchErr := m.fetch(fromEarliest, 1<<20, nil)
	switch {
	case fetchErr != nil:
		t.Fatal(fetchErr)
	case err != nil || base < 0:
		if len(got) != 0 || end != 0 {
			t.Fatalf("nothing was taken and %d bytes came back, end %d", len(got), end)
		}
	case len(got) > len(records) || end < 0:
		t.Fatalf("%d bytes came back of %d, end %d", len(got), len(records), end)
	}
	if sent := firstWithOffsets(records); err == nil && len(got) > 21 && !bytes.Equal(got[21:min(48, len(got))], sent[21:min(48, len(sent))]) {
		t.Fatalf("sent %x, got %x", sent[:min(48, len(sent))], got[:min(48, len(got))])
	}
	_, _, _ = m.fetch(fromEarliest, 1<<20, []int32{0}) // no panic
}

func TestFetchBehindOthers(t *testing.T) {
	m := newMemoryTarget(t, logDescriptor(t, "a INT", nil))
	b := logBatch(t, m.table(), -1, -1, "1")
	produced(t, m, b)
	produced(t, m, b)
	for limit, want := range map[int]int{0: 0, 48: 0, 49: 49, len(b): len(b), len(b) + 3: len(b) + 3, 1 << 20: 2 * len(b)} {
		records, _, err := m.store.fetch(0, limit, false, nil)
		if err != nil || len(records) != want {
			t.Errorf("limit %d: %d bytes, want %d, %v", limit, len(records), want, err)
		}
	}
	records, _, err := m.store.fetch(0, len(b)/2, false, []int32{0})
	if err != nil || len(records) != 0 {
		t.Errorf("projected: %d bytes, %v", len(records), err)
	}
}
