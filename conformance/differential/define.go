package differential

import (
	"fmt"
	"slices"
	"strings"

	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/row"
	"github.com/gofluss/fluss/internal/wire"
	"github.com/gofluss/fluss/internal/wire/flusspb"
)

// define sends DDL that is refused, or whose effect is looked at and undone at once.
func (w *world) define(t *table) error {
	switch w.IntN(8) {
	case 0, 1, 2, 3:
		return w.probe()
	case 4:
		return w.badAlter(t)
	case 5:
		return w.badPartition(t)
	case 6:
		return w.databases()
	}
	return w.badNames(t)
}

// probe creates a table that is mostly wrong, compares what came of it and drops it.
func (w *world) probe() error {
	path := &flusspb.PbTablePath{DatabaseName: &w.database, TableName: proto.String("probe")}
	answers, err := w.both(w.coordinator(wire.APICreateTable, &flusspb.CreateTableRequest{
		TablePath: path, TableJson: w.mutated(), IgnoreIfExists: proto.Bool(false)}))
	if err != nil || answers[0].err != nil && answers[1].err != nil {
		return err
	}
	if err := w.call(w.tablet(nil, wire.APIGetTableInfo, &flusspb.GetTableInfoRequest{TablePath: path})); err != nil {
		return err
	}
	return w.call(w.coordinator(wire.APIDropTable, &flusspb.DropTableRequest{TablePath: path, IgnoreIfNotExists: proto.Bool(true)}))
}

func (w *world) badAlter(t *table) error {
	text := []byte(`{"type":"INTEGER"}`)
	request := &flusspb.AlterTableRequest{TablePath: t.pbPath(), IgnoreIfNotExists: proto.Bool(w.one(2))}
	add := func(name, typ string, position int32) *flusspb.PbAddColumn {
		return &flusspb.PbAddColumn{ColumnName: &name, DataTypeJson: []byte(typ), ColumnPositionType: &position}
	}
	set := func(key, value string, op int32) *flusspb.PbAlterConfig {
		c := &flusspb.PbAlterConfig{ConfigKey: &key, OpType: &op}
		if op != 1 {
			c.ConfigValue = &value
		}
		return c
	}
	first := t.latest.Schema.Columns[0].Name
	switch w.IntN(10) {
	case 0:
		request.AddColumns = append(request.AddColumns, add("x", `{"type":"INTEGER","nullable":false}`, 0))
	case 1:
		request.AddColumns = append(request.AddColumns, add("x", string(text), pick(w.dice, int32(1), 3, 7)))
	case 2:
		request.AddColumns = append(request.AddColumns, add(first, string(text), 0))
	case 3:
		request.DropColumns = append(request.DropColumns, &flusspb.PbDropColumn{ColumnName: &first})
	case 4:
		request.RenameColumns = append(request.RenameColumns, &flusspb.PbRenameColumn{OldColumnName: &first, NewColumnName: proto.String("y")})
	case 5:
		request.ModifyColumns = append(request.ModifyColumns, &flusspb.PbModifyColumn{ColumnName: &first, DataTypeJson: text})
	case 6:
		request.AddColumns = append(request.AddColumns, add("x", string(text), 0))
		request.ConfigChanges = append(request.ConfigChanges, set("a.b", "c", 0))
	case 7:
		request.ConfigChanges = append(request.ConfigChanges, set(pick(w.dice, "table.log.ttl", "table.kv.format", "table.nope", "table.replication.factor"), "1", pick(w.dice, int32(0), 1)))
	case 8:
		request.ConfigChanges = append(request.ConfigChanges, set("table.log.tiered.local-segments", pick(w.dice, "x", "-1", "0"), 0))
	case 9:
		request.ConfigChanges = append(request.ConfigChanges, set("a.b", "c", pick(w.dice, int32(2), 3, 9)))
	}
	if w.one(10) {
		request.TablePath.TableName = proto.String("nope")
	}
	return w.call(w.coordinator(wire.APIAlterTable, request))
}

func spec(pairs ...string) *flusspb.PbPartitionSpec {
	s := new(flusspb.PbPartitionSpec)
	for i := 0; i+1 < len(pairs); i += 2 {
		s.PartitionKeyValues = append(s.PartitionKeyValues, &flusspb.PbKeyValue{Key: &pairs[i], Value: &pairs[i+1]})
	}
	return s
}

func (w *world) badPartition(t *table) error {
	var pairs []string
	for _, key := range t.latest.PartitionKeys {
		pairs = append(pairs, key, pick(w.dice, "a", "", "a/b", "a b", "__x", strings.Repeat("v", 201), "é", "."))
	}
	switch w.IntN(4) {
	case 0:
		pairs = append(pairs, "nope", "1")
	case 1:
		pairs = []string{"c0", "1"}
	case 2:
		pairs = pairs[:len(pairs)/2]
	}
	if w.one(2) {
		return w.call(w.coordinator(wire.APIDropPartition, &flusspb.DropPartitionRequest{
			TablePath: t.pbPath(), PartitionSpec: spec(pairs...), IgnoreIfNotExists: proto.Bool(w.one(2))}))
	}
	for i := 1; i < len(pairs); i += 2 {
		if pairs[i] == "a" { // it would be a good one
			pairs[i] = "a$b"
		}
	}
	return w.call(w.coordinator(wire.APICreatePartition, &flusspb.CreatePartitionRequest{
		TablePath: t.pbPath(), PartitionSpec: spec(pairs...), IgnoreIfNotExists: proto.Bool(w.one(2))}))
}

// partitionValue is one of few values of a partition column.
func (w *world) partitionValue(t *catalog.Type) string {
	n := w.IntN(4)
	v := row.Datum{I: int64(n)}
	if t.Kind == catalog.String {
		v = row.Datum{B: []byte(fmt.Sprint("part-", n))}
	} else if t.Kind == catalog.Boolean {
		v.I &= 1
	}
	text, err := row.AppendPartitionValue(nil, t, &v)
	if err != nil {
		panic(err) // a value of our own
	}
	return string(text)
}

// createPartition makes one, or asks for one that there is already.
func (w *world) createPartition(t *table) error {
	var pairs, values []string
	for i, key := range t.latest.PartitionKeys {
		values = append(values, w.partitionValue(&t.latest.Schema.Columns[t.latest.PartitionCols[i]].Type))
		pairs = append(pairs, key, values[i])
	}
	answers, err := w.both(w.coordinator(wire.APICreatePartition, &flusspb.CreatePartitionRequest{
		TablePath: t.pbPath(), PartitionSpec: spec(pairs...), IgnoreIfNotExists: proto.Bool(w.one(3))}))
	if err != nil || answers[0].err != nil || answers[1].err != nil {
		return err
	}
	for _, p := range t.partitions {
		if slices.Equal(p.values, values) {
			return nil
		}
	}
	symbol := firstPartition + w.symbol()
	for i, s := range w.servers {
		m := new(flusspb.ListPartitionInfosResponse)
		if err := s.call(w.ctx, wire.TabletServer, wire.APIListPartitionInfos, &flusspb.ListPartitionInfosRequest{
			TablePath: t.pbPath(), PartialPartitionSpec: spec(pairs...)}, m); err != nil || len(m.PartitionsInfo) != 1 {
			return fmt.Errorf("%s: %d partitions %v: %w", s.name, len(m.PartitionsInfo), pairs, err)
		}
		w.servers[i].learn(symbol, m.PartitionsInfo[0].GetPartitionId())
	}
	p := t.addPartition(symbol, values)
	if w.ready(t, p) {
		return nil
	}
	return fmt.Errorf("%s: partition %v has no leaders", t.path, values)
}

func (w *world) dropPartition(t *table, p *partition) error {
	var pairs []string
	for i, key := range t.latest.PartitionKeys {
		pairs = append(pairs, key, p.values[i])
	}
	if err := w.call(w.coordinator(wire.APIDropPartition, &flusspb.DropPartitionRequest{
		TablePath: t.pbPath(), PartitionSpec: spec(pairs...), IgnoreIfNotExists: proto.Bool(false)})); err != nil {
		return err
	}
	w.gone(t, p)
	return nil
}

func (w *world) databases() error {
	name := pick(w.dice, w.database, w.database+"_b", "", "a.b", "__x", strings.Repeat("d", 201), "nope_"+w.database)
	switch w.IntN(5) {
	case 0:
		if name == w.database+"_b" {
			name = w.database
		}
		request := &flusspb.CreateDatabaseRequest{DatabaseName: &name, IgnoreIfExists: proto.Bool(w.one(2))}
		if strings.HasPrefix(name, "nope") {
			name = w.database
		}
		return w.call(w.coordinator(wire.APICreateDatabase, request))
	case 1:
		return w.call(w.coordinator(wire.APIDropDatabase, &flusspb.DropDatabaseRequest{
			DatabaseName: &name, IgnoreIfNotExists: proto.Bool(w.one(2)), Cascade: proto.Bool(name != w.database)}))
	case 2:
		return w.call(w.tablet(nil, wire.APIGetDatabaseInfo, &flusspb.GetDatabaseInfoRequest{DatabaseName: &name}))
	case 3:
		return w.call(w.tablet(nil, wire.APIDatabaseExists, &flusspb.DatabaseExistsRequest{DatabaseName: &name}))
	}
	return w.call(w.tablet(nil, wire.APIListDatabases, &flusspb.ListDatabasesRequest{IncludeSummary: proto.Bool(w.one(2))}))
}

// badNames sends requests about tables with names that are none or not there.
func (w *world) badNames(t *table) error {
	path := &flusspb.PbTablePath{
		DatabaseName: proto.String(pick(w.dice, w.database, w.database, "nope", "")),
		TableName:    proto.String(pick(w.dice, "nope", "", "a$b", "a b", "__t", strings.Repeat("t", 201)))}
	switch w.IntN(8) {
	case 0:
		return w.call(w.coordinator(wire.APICreateTable, &flusspb.CreateTableRequest{
			TablePath: &flusspb.PbTablePath{DatabaseName: path.DatabaseName, TableName: proto.String(pick(w.dice, "", "a$b", "a b", "__t", t.name))},
			TableJson: []byte(t.text), IgnoreIfExists: proto.Bool(path.GetDatabaseName() == w.database)}))
	case 1:
		return w.call(w.coordinator(wire.APIDropTable, &flusspb.DropTableRequest{TablePath: path, IgnoreIfNotExists: proto.Bool(w.one(2))}))
	case 2:
		return w.call(w.tablet(nil, wire.APIGetTableInfo, &flusspb.GetTableInfoRequest{TablePath: path}))
	case 3:
		return w.call(w.tablet(nil, wire.APIGetTableSchema, &flusspb.GetTableSchemaRequest{TablePath: path}))
	case 4:
		return w.call(w.tablet(nil, wire.APITableExists, &flusspb.TableExistsRequest{TablePath: path}))
	case 5:
		return w.call(w.tablet(nil, wire.APIListPartitionInfos, &flusspb.ListPartitionInfosRequest{TablePath: path}))
	case 6:
		return w.call(w.tablet(nil, wire.APIListTables, &flusspb.ListTablesRequest{DatabaseName: path.DatabaseName}))
	}
	return w.call(w.tablet(nil, wire.APIGetMetadata, &flusspb.MetadataRequest{TablePath: []*flusspb.PbTablePath{path}}))
}
