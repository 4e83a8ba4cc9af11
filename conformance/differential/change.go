package differential

import (
	"bytes"
	"fmt"

	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/record"
	"github.com/gofluss/fluss/internal/wire"
	"github.com/gofluss/fluss/internal/wire/flusspb"
)

// change does DDL with an effect and waits for it.
func (w *world) change(t *table) error {
	switch w.IntN(6) {
	case 0:
		return w.recreate(t)
	case 1:
		if len(t.partitions) > 0 && t.partitions[0].symbol >= 0 {
			i := w.IntN(len(t.partitions))
			p := t.partitions[i]
			t.partitions = append(t.partitions[:i:i], t.partitions[i+1:]...)
			return w.dropPartition(t, p)
		}
		fallthrough
	case 2:
		if len(t.latest.PartitionKeys) > 0 {
			return w.createPartition(t)
		}
		fallthrough
	case 3:
		return w.setProperty(t)
	}
	return w.addColumn(t)
}

// recreate drops a table and makes another of its name.
func (w *world) recreate(t *table) error {
	if err := w.look(t); err != nil {
		return err
	}
	for i := range w.tables {
		if w.tables[i] == t {
			w.tables = append(w.tables[:i:i], w.tables[i+1:]...)
			break
		}
	}
	if err := w.drop(t); err != nil {
		return err
	}
	if len(t.partitions) > 0 { // the ids of the old one mean nothing now
		if err := w.read(t); err != nil {
			return err
		}
	}
	return w.createTable(t.name)
}

func (w *world) setProperty(t *table) error {
	if t.again {
		return nil
	}
	key, value := pick(w.dice, "table.log.tiered.local-segments", "owner", "other.key"), pick(w.dice, "1", "3", "5")
	c := &flusspb.PbAlterConfig{ConfigKey: &key, ConfigValue: &value, OpType: proto.Int32(0)}
	if w.one(3) {
		c.ConfigValue, c.OpType = nil, proto.Int32(1)
	}
	answers, err := w.both(w.coordinator(wire.APIAlterTable, &flusspb.AlterTableRequest{
		TablePath: t.pbPath(), IgnoreIfNotExists: proto.Bool(false), ConfigChanges: []*flusspb.PbAlterConfig{c}}))
	if err != nil || answers[0].err != nil || answers[1].err != nil {
		return err
	}
	return w.settle(t)
}

func (w *world) addColumn(t *table) error {
	if len(t.schemas) > 3 || t.again {
		return nil
	}
	typ := w.anyType(1)
	name := fmt.Sprint("added", len(t.schemas))
	answers, err := w.both(w.coordinator(wire.APIAlterTable, &flusspb.AlterTableRequest{
		TablePath: t.pbPath(), IgnoreIfNotExists: proto.Bool(false), AddColumns: []*flusspb.PbAddColumn{{
			ColumnName: &name, DataTypeJson: catalog.EncodeType(&typ), ColumnPositionType: proto.Int32(0)}}}))
	if err != nil || answers[0].err != nil || answers[1].err != nil {
		return err
	}
	return w.settle(t)
}

// settle learns a table's new state and waits until the tablet server knows it.
func (w *world) settle(t *table) error {
	if err := w.learn(t, t.symbol); err != nil {
		return err
	}
	if !w.eventually(func(s *server) bool { return w.knows(s, t) }) {
		return fmt.Errorf("%s: the tablet server does not get to know schema %d", t.path, t.latest.Schema.ID)
	}
	return nil
}

func (w *world) knows(s *server, t *table) bool {
	info, m := new(flusspb.GetTableInfoResponse), new(flusspb.MetadataResponse)
	path := t.pbPath()
	if s.call(w.ctx, wire.TabletServer, wire.APIGetTableInfo, &flusspb.GetTableInfoRequest{TablePath: path}, info) != nil {
		return false
	}
	if s.call(w.ctx, wire.TabletServer, wire.APIGetMetadata, &flusspb.MetadataRequest{TablePath: []*flusspb.PbTablePath{path}}, m) != nil {
		return false
	}
	if len(m.TableMetadata) != 1 || m.TableMetadata[0].GetSchemaId() != info.GetSchemaId() || !bytes.Equal(m.TableMetadata[0].TableJson, info.TableJson) {
		return false
	}
	for _, p := range t.partitions {
		for _, at := range p.places {
			if t.latest.IsKeyTable() && !w.takesSchema(s, t, at) {
				return false
			}
		}
	}
	return true
}

// takesSchema puts nothing, with a target that is refused after the schema's id was looked at.
func (w *world) takesSchema(s *server, t *table, at *place) bool {
	m := new(flusspb.PutKvResponse)
	err := s.call(w.ctx, wire.TabletServer, wire.APIPutKV, &flusspb.PutKvRequest{
		Acks: proto.Int32(-1), TableId: &t.symbol, TimeoutMs: proto.Int32(10_000), TargetColumns: []int32{-1},
		BucketsReq: []*flusspb.PbPutKvReqForBucket{{PartitionId: at.partition.id(), BucketId: proto.Int32(at.bucket),
			Records: record.AppendKVBatch(nil, record.KVHeader{SchemaID: int16(t.latest.Schema.ID), WriterID: -1, Sequence: -1}, nil)}}}, m)
	return err == nil && m.BucketsResp[0].GetErrorCode() != 0 && m.BucketsResp[0].GetErrorCode() != int32(wire.CodeSchemaNotExist)
}
