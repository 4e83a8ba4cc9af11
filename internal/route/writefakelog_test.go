package route

import (
	"encoding/binary"
	"fmt"
	"slices"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/record"
	"github.com/gofluss/fluss/internal/row"
	"github.com/gofluss/fluss/internal/wire"
	"github.com/gofluss/fluss/internal/wire/flusspb"
)

// take is what a leader does with a batch. For a key table the offset is the end of the log behind the batch.
func (s *modelBucket) take(m sentCopy, kv bool) (wire.ErrorCode, int64) {
	w := s.writers[m.id]
	if w != nil {
		for _, b := range w.recent {
			if b.seq == m.seq {
				return 0, b.offset
			}
		}
		if m.seq != w.last+1 {
			return wire.CodeOutOfOrderSequence, -1
		}
	} else {
		if m.seq != 0 {
			return wire.CodeOutOfOrderSequence, -1
		}
		w = &modelWriter{}
		s.writers[m.id] = w
	}
	if len(m.rows) == 0 && !m.raw {
		s.empties++
		if !kv || s.end == 0 {
			s.bad = fmt.Errorf("an empty batch to a log table or an empty bucket")
		}
	}
	offset := s.end
	for _, r := range m.rows {
		s.log = append(s.log, modelRow{m.id, m.seq, r})
	}
	s.end += int64(max(len(m.rows), 1))
	if kv {
		offset = s.end
	}
	w.last = m.seq
	w.recent = append(w.recent, modelBatch{m.seq, offset})
	w.recent = w.recent[max(0, len(w.recent)-5):]
	return 0, offset
}

// decode reads the batches of a frame and notes them.
func (c *modelConn) decode(call modelCall) []sentCopy {
	var list []sentCopy
	if call.key == wire.APIPutKV {
		var req flusspb.PutKvRequest
		c.f.check(proto.Unmarshal(call.body, &req))
		c.f.checkHead(req.GetAcks(), req.GetTimeoutMs())
		for _, b := range req.BucketsReq {
			kb, err := record.ReadKVBatch(b.Records)
			c.f.check(err)
			c.f.check(kb.CheckCRC())
			s := c.sentOf(req.GetTableId(), b.PartitionId, b.GetBucketId(), b.Records)
			s.id, s.seq, s.target, s.mode = kb.WriterID, kb.Sequence, req.TargetColumns, req.GetAggMode()
			it := kb.Records()
			for !c.f.raw && it.Next() {
				s.rows = append(s.rows, int64(binary.BigEndian.Uint64(it.Value)))
			}
			c.f.check(it.Err())
			list = append(list, s)
		}
	} else {
		var req flusspb.ProduceLogRequest
		c.f.check(proto.Unmarshal(call.body, &req))
		c.f.checkHead(req.GetAcks(), req.GetTimeoutMs())
		for _, b := range req.BucketsReq {
			lb, rest, err := record.NextLogBatch(b.Records)
			c.f.check(err)
			c.f.check(lb.CheckCRC())
			if len(rest) > 0 {
				c.f.t.Errorf("%d bytes behind the batch", len(rest))
			}
			s := c.sentOf(req.GetTableId(), b.PartitionId, b.GetBucketId(), b.Records)
			s.id, s.seq, s.rows = lb.WriterID, lb.Sequence, []int64{-1}
			if !c.f.raw {
				s.rows = logRows(c.f.t, &lb)
			}
			list = append(list, s)
		}
	}
	c.f.mu.Lock()
	defer c.f.mu.Unlock()
	c.f.frames++
	for i := range list {
		list[i].frame = c.f.frames
		for _, old := range c.f.sent {
			if old.bucket == list[i].bucket && slices.Equal(old.bytes, list[i].bytes) {
				list[i].n++
			}
			if old.frame == list[i].frame && old.bucket == list[i].bucket {
				c.f.t.Errorf("bucket %v is twice in a frame", old.bucket)
			}
			if old.bucket == list[i].bucket && old.id == list[i].id && old.seq == list[i].seq && len(old.rows) > 0 && len(list[i].rows) > 0 && !slices.Equal(old.bytes, list[i].bytes) {
				c.f.t.Errorf("sequence %d of writer %d carries other bytes", old.seq, old.id)
			}
		}
		c.f.sent = append(c.f.sent, list[i])
	}
	return list
}

func (c *modelConn) sentOf(table int64, part *int64, bucket int32, b []byte) sentCopy {
	key := catalog.Bucket{TableID: table, PartitionID: catalog.NoPartition, ID: bucket}
	if part != nil {
		key.PartitionID = *part
	}
	return sentCopy{raw: c.f.raw, conn: c.number, server: c.server, bucket: key, bytes: slices.Clone(b)}
}

// checkHead checks what all requests of a writer have in common.
func (f *modelCluster) checkHead(acks, millis int32) {
	if acks != -1 || millis != 30_000 && millis != 2_000 {
		f.t.Errorf("acks %d, timeout %d ms", acks, millis)
	}
}

func (f *modelCluster) check(err error) {
	if err != nil {
		f.t.Error(err)
	}
}

func logRows(t testing.TB, lb *record.LogBatch) []int64 {
	if lb.Count == 0 {
		return nil
	}
	d, err := record.NewLogDecoder(logTable, logTable.Schema, nil)
	if err != nil {
		t.Error(err)
		return nil
	}
	rows, err := d.Decode(lb)
	if err != nil {
		t.Error(err)
		return nil
	}
	var out []int64
	for i := range rows.Len() {
		var v row.Datum
		rows.Datum(&v, 0, i)
		out = append(out, v.I)
	}
	return out
}
