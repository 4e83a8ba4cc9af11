package differential

import (
	"encoding/binary"
	"hash/crc32"
	"slices"

	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/record"
	"github.com/gofluss/fluss/internal/row"
	"github.com/gofluss/fluss/internal/wire"
	"github.com/gofluss/fluss/internal/wire/flusspb"
)

// write sends a batch to one bucket, or one each to two.
func (w *world) write(t *table) error {
	if !t.latest.IsKeyTable() {
		return w.produce(t)
	}
	at := w.place(t)
	if at == nil {
		return w.createPartition(t)
	}
	if at.end == 0 && !w.hazards {
		if done, err := w.firstRow(t, at); err != nil || !done {
			return err
		}
	}
	places := []*place{at}
	if other := w.place(t); w.one(8) && other != at && (other.end > 0 || w.hazards) {
		places = append(places, other)
	}
	return w.put(t, places)
}

// firstRow makes sure that the first thing in a bucket is a row: a server whose bucket begins with a batch without
// records does not start again. It reports false when the table takes no row.
func (w *world) firstRow(t *table, at *place) (bool, error) {
	s := t.latest.Schema
	records := w.upsert(nil, t, s)
	var target []int32
	if s.AutoIncrement != "" {
		for i := range s.Columns {
			if s.Columns[i].Name != s.AutoIncrement {
				target = append(target, int32(i))
			}
		}
	}
	batch := record.AppendKVBatch(nil, record.KVHeader{SchemaID: int16(s.ID), WriterID: -1, Sequence: -1, Count: 1}, records)
	err := w.sendKV(t, []*place{at}, [][]byte{batch}, target, 0, -1)
	return at.end > 0, err
}

// put sends random kv batches.
func (w *world) put(t *table, places []*place) error {
	latest := t.latest.Schema
	if latest.AutoIncrement != "" {
		places = places[:1] // which bucket gets its numbers first is up to a HashMap of the real server
	}
	schema := latest
	if w.one(4) {
		schema = t.schemas[w.IntN(len(t.schemas))]
	}
	var target []int32
	if auto := latest.AutoIncrement != ""; w.one(3) || auto && !w.one(5) {
		target = w.target(schema)
	}
	var batches [][]byte
	var headers []record.KVHeader
	for _, at := range places {
		h := record.KVHeader{SchemaID: int16(schema.ID), Count: int32(1 + w.IntN(4))}
		h.WriterID, h.Sequence = w.writer(at)
		var records []byte
		for range h.Count {
			if w.one(5) {
				records = record.AppendKVRecord(records, w.key(t), nil)
				continue
			}
			records = w.upsert(records, t, schema)
		}
		batch := record.AppendKVBatch(nil, h, records)
		if old := at.sent[h.WriterID]; old != nil && w.one(6) {
			batch, target = old, nil // sent a second time; its schema may lack columns of the target
		} else if w.one(15) {
			batch = w.damagedKV(batch)
		}
		batches, headers = append(batches, batch), append(headers, h)
	}
	mode := int32(0)
	if w.one(10) {
		mode = pick(w.dice, int32(1), 1, 1, 2, -1)
	}
	ends := make([]int64, len(places))
	for i, at := range places {
		ends[i] = at.end
	}
	err := w.sendKV(t, places, batches, target, mode, w.acks())
	for i, at := range places {
		if at.end > ends[i] && headers[i].WriterID >= 0 && headers[i].Sequence == at.next[headers[i].WriterID] {
			at.next[headers[i].WriterID]++
			at.sent[headers[i].WriterID] = batches[i]
		}
	}
	return err
}

func (w *world) acks() int32 {
	if w.one(12) {
		return pick(w.dice, int32(1), 0, 1, 2, -2)
	}
	return -1
}

func (w *world) sendKV(t *table, places []*place, batches [][]byte, target []int32, mode, acks int32) error {
	request := &flusspb.PutKvRequest{Acks: &acks, TableId: &t.symbol, TimeoutMs: proto.Int32(10_000), TargetColumns: target, AggMode: &mode}
	for i, at := range places {
		request.BucketsReq = append(request.BucketsReq, &flusspb.PbPutKvReqForBucket{
			PartitionId: at.partition.id(), BucketId: proto.Int32(at.bucket), Records: batches[i]})
	}
	answers, err := w.both(w.tablet(t, wire.APIPutKV, request))
	if err != nil || answers[0].err != nil {
		return err
	}
	for _, b := range answers[0].msg.(*flusspb.PutKvResponse).BucketsResp {
		for _, at := range places {
			if at.bucket == b.GetBucketId() && samePartition(w.servers[0], at, b.PartitionId) {
				at.end = max(at.end, b.GetLogEndOffset())
			}
		}
	}
	return nil
}

func samePartition(s *server, at *place, id *int64) bool {
	return id == nil && at.partition.symbol < 0 || id != nil && s.partitions[*id] == at.partition.symbol
}

// upsert appends a record with a row of that schema.
func (w *world) upsert(records []byte, t *table, s *catalog.Schema) []byte {
	values := w.dice.row(s)
	encoded := row.NewCodec(t.kvFormat(), s.Types()).Append(nil, values)
	if w.one(150) {
		encoded = damagedRow(encoded)
	}
	return record.AppendKVRecord(records, w.keyOf(t, values), encoded)
}

// damagedRow has more bytes than it needs. None is cut short: the real server then reads on in the bytes behind it, and
// stores or refuses what it finds there.
func damagedRow(b []byte) []byte {
	return append(b, "tail"...)
}

// key is one of few.
func (w *world) key(t *table) []byte { return w.keyOf(t, w.dice.row(t.latest.Schema)) }

func (w *world) keyOf(t *table, values []row.Datum) []byte {
	if len(values) < len(t.latest.Schema.Columns) {
		values = append(slices.Clone(values), make([]row.Datum, len(t.latest.Schema.Columns)-len(values))...)
	}
	key, err := t.keys.Append(nil, values)
	if err != nil {
		panic(err) // a key of our own without NULL
	}
	return key
}

// target is mostly the key and some other columns, sometimes nonsense.
func (w *world) target(s *catalog.Schema) (target []int32) {
	for i := range s.Columns {
		isKey := slices.Contains(s.PrimaryKey, s.Columns[i].Name)
		isAuto := s.Columns[i].Name == s.AutoIncrement
		if isKey && !w.one(30) || !isKey && !isAuto && w.one(2) || isAuto && w.one(30) {
			target = append(target, int32(i))
		}
	}
	if w.one(30) {
		target = append(target, pick(w.dice, int32(-1), 99, 0))
	}
	if w.one(10) {
		slices.Reverse(target)
	}
	return target
}

// writer chooses one and the number of its batch.
func (w *world) writer(at *place) (id int64, sequence int32) {
	if w.one(2) {
		return -1, -1
	}
	id = 7_000_000_000 + int64(w.IntN(3))
	next := at.next[id]
	switch w.IntN(20) {
	case 0:
		return id, 0
	case 1:
		return id, next + 1
	case 2:
		return id, max(next-1, 0)
	case 3:
		return id, max(next-int32(w.IntN(8)), 0)
	case 4:
		return id, pick(w.dice, int32(-1), next+1000)
	}
	return id, next
}

// damagedKV changes something in a batch. None is cut short, see damagedRow.
func (w *world) damagedKV(b []byte) []byte {
	b = slices.Clone(b)
	switch w.IntN(7) {
	case 0:
		b[5] ^= 0xff // the CRC
	case 1:
		b[4] = byte(w.IntN(9)) // magic
	case 2:
		binary.LittleEndian.PutUint16(b[9:], pick(w.dice, uint16(0), 99, 0xffff)) // schema id
	case 3:
		b[24] += byte(1 + w.IntN(3)) // more records than there are
	case 4:
		b[24] -= 1
	case 5:
		return append(b, b...)
	case 6:
		binary.LittleEndian.PutUint32(b, pick(w.dice, uint32(len(b)), 1<<30, 0, 0xffffffff, 24)) // length
	}
	return b
}

// produce sends log batches.
func (w *world) produce(t *table) error {
	at := w.place(t)
	if at == nil {
		return w.createPartition(t)
	}
	batch, h := w.logBatch(t, at)
	if batch == nil {
		return nil
	}
	sent := batch
	if old := at.sent[h.WriterID]; old != nil && w.one(6) {
		sent = old
	} else if w.one(12) {
		sent = w.damagedLog(t, batch)
	}
	acks := w.acks()
	answers, err := w.both(w.tablet(t, wire.APIProduceLog, &flusspb.ProduceLogRequest{
		Acks: &acks, TableId: &t.symbol, TimeoutMs: proto.Int32(10_000), BucketsReq: []*flusspb.PbProduceLogReqForBucket{{
			PartitionId: at.partition.id(), BucketId: proto.Int32(at.bucket), Records: sent}}}))
	if err != nil || answers[0].err != nil {
		return err
	}
	b := answers[0].msg.(*flusspb.ProduceLogResponse).BucketsResp[0]
	if b.GetErrorCode() != 0 || b.GetBaseOffset() < at.end {
		return nil
	}
	if last, _, err := record.NextLogBatch(sent); err == nil {
		at.end = b.GetBaseOffset() + max(int64(last.LastOffsetDelta), 0) + 1
	}
	if h.WriterID >= 0 && h.Sequence == at.next[h.WriterID] {
		at.next[h.WriterID]++
		at.sent[h.WriterID] = sent
	}
	return nil
}

// logBatch makes a batch of one to many rows.
func (w *world) logBatch(t *table, at *place) ([]byte, record.LogHeader) {
	old := *t.latest
	if w.one(4) {
		old.Schema = t.schemas[w.IntN(len(t.schemas))]
	}
	var h record.LogHeader
	h.WriterID, h.Sequence = w.writer(at)
	e, err := record.NewLogEncoder(&old)
	if err != nil {
		panic(err) // the schema of a table that there is
	}
	e.Lossy = true
	for range pick(w.dice, 1, 2, 3, 8, 40) {
		if err := e.Append(w.dice.row(old.Schema)); err != nil {
			panic(err) // values of our own
		}
	}
	return e.Finish(nil, h), h
}

func (w *world) damagedLog(t *table, b []byte) []byte {
	b = slices.Clone(b)
	damages := 8
	if !w.hazards {
		damages = 5
	}
	switch w.IntN(damages) {
	case 0:
		b[21] ^= 0xff // the CRC
	case 1:
		b[48+w.IntN(len(b)-48)] ^= 0x10
	case 2:
		return b[:w.IntN(len(b))]
	case 3:
		return append(b, b...)
	case 4:
		binary.LittleEndian.PutUint16(b[25:], pick(w.dice, uint16(9), 0)) // a schema id that is not there
		return withCRC(b)
	case 5:
		binary.LittleEndian.PutUint32(b[8:], pick(w.dice, uint32(0), 10, 1<<30)) // length
	case 6:
		b[44]++ // count
		return withCRC(b)
	case 7:
		if t.latest.LogFormat != catalog.LogArrow {
			b[48+w.IntN(len(b)-48)] ^= 0x10
			return withCRC(b)
		}
		b[28]++ // last offset delta
		return withCRC(b)
	}
	return b
}

func withCRC(b []byte) []byte {
	binary.LittleEndian.PutUint32(b[21:], crc32.Checksum(b[25:], crc32.MakeTable(crc32.Castagnoli)))
	return b
}
