package flusstest

import (
	"fmt"
	"strings"

	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss/internal/wire"
	"github.com/gofluss/fluss/internal/wire/flusspb"
)

const testDB = "ft_rec"

func pathOf(name string) *flusspb.PbTablePath {
	db, table, ok := strings.Cut(name, ".")
	if !ok {
		db, table = testDB, name
	}
	return &flusspb.PbTablePath{DatabaseName: &db, TableName: &table}
}

// col is a column of a schema's JSON: "name TYPE" or "name TYPE!" for NOT NULL, or with the JSON of a type.
func col(def string, id int) string {
	name, typ, _ := strings.Cut(def, " ")
	if !strings.HasPrefix(typ, "{") {
		root, notNull := strings.CutSuffix(typ, "!")
		typ = `{"type":"` + root + `"`
		if notNull {
			typ += `,"nullable":false`
		}
		typ += `}`
	}
	return fmt.Sprintf(`{"name":"%s","data_type":%s,"id":%d}`, name, typ, id)
}

// descriptor builds the JSON of a table.
type tableText struct {
	cols                     []string
	pk, part, bucket         []string
	buckets                  int
	props, custom, auto, raw string
	comment                  string
}

func list(names []string) string {
	if len(names) == 0 {
		return "[]"
	}
	return `["` + strings.Join(names, `","`) + `"]`
}

func (d tableText) json() string {
	if d.raw != "" {
		return d.raw
	}
	var cols []string
	for i, c := range d.cols {
		cols = append(cols, col(c, i))
	}
	s := `{"version":1,"schema":{"version":1,"columns":[` + strings.Join(cols, ",") + `]`
	if d.pk != nil {
		s += `,"primary_key":` + list(d.pk)
	}
	if d.auto != "" {
		s += `,"auto_increment_column":["` + d.auto + `"]`
	}
	s += fmt.Sprintf(`,"highest_field_id":%d}`, len(cols)-1)
	if d.comment != "" {
		s += `,"comment":"` + d.comment + `"`
	}
	s += `,"partition_key":` + list(d.part)
	if d.bucket != nil || d.buckets > 0 {
		s += `,"bucket_key":` + list(d.bucket)
	}
	if d.buckets > 0 {
		s += fmt.Sprintf(`,"bucket_count":%d`, d.buckets)
	}
	return s + `,"properties":{` + d.props + `},"custom_properties":{` + d.custom + `}}`
}

func coord(name string, api wire.APIKey, q proto.Message) step {
	return step{name: name, api: api, at: wire.CoordinatorServer, req: func(map[string]int64) proto.Message { return q }}
}

func tabl(name string, api wire.APIKey, q proto.Message) step {
	return step{name: name, api: api, at: wire.TabletServer, req: func(map[string]int64) proto.Message { return q }}
}

func withID(name string, api wire.APIKey, q func(id func(string) int64) proto.Message) step {
	return step{name: name, api: api, at: wire.TabletServer, req: func(ids map[string]int64) proto.Message {
		return q(func(key string) int64 {
			if id, ok := ids[testDB+"."+key]; ok {
				return id
			}
			return 999999
		})
	}}
}

func create(name string, d tableText) step {
	return coord("create "+name+" "+d.json(), wire.APICreateTable, &flusspb.CreateTableRequest{
		TablePath: pathOf(name), TableJson: []byte(d.json()), IgnoreIfExists: proto.Bool(false)})
}

func info(name string) step {
	return tabl("info "+name, wire.APIGetTableInfo, &flusspb.GetTableInfoRequest{TablePath: pathOf(name)})
}

func schema(name string, id int32) step {
	q := &flusspb.GetTableSchemaRequest{TablePath: pathOf(name)}
	if id != 0 {
		q.SchemaId = &id
	}
	return tabl(fmt.Sprintf("schema %s %d", name, id), wire.APIGetTableSchema, q)
}

func metadata(name string) step {
	return tabl("metadata "+name, wire.APIGetMetadata, &flusspb.MetadataRequest{TablePath: []*flusspb.PbTablePath{pathOf(name)}})
}

func spec(pairs ...string) *flusspb.PbPartitionSpec {
	s := new(flusspb.PbPartitionSpec)
	for i := 0; i < len(pairs); i += 2 {
		s.PartitionKeyValues = append(s.PartitionKeyValues, &flusspb.PbKeyValue{Key: &pairs[i], Value: &pairs[i+1]})
	}
	return s
}

func createPart(name string, ignore bool, pairs ...string) step {
	return coord(fmt.Sprintf("create partition %s %v %v", name, pairs, ignore), wire.APICreatePartition, &flusspb.CreatePartitionRequest{
		TablePath: pathOf(name), PartitionSpec: spec(pairs...), IgnoreIfNotExists: &ignore})
}

func dropPart(name string, ignore bool, pairs ...string) step {
	return coord(fmt.Sprintf("drop partition %s %v %v", name, pairs, ignore), wire.APIDropPartition, &flusspb.DropPartitionRequest{
		TablePath: pathOf(name), PartitionSpec: spec(pairs...), IgnoreIfNotExists: &ignore})
}

func parts(name string, pairs ...string) step {
	q := &flusspb.ListPartitionInfosRequest{TablePath: pathOf(name)}
	if len(pairs) > 0 {
		q.PartialPartitionSpec = spec(pairs...)
	}
	return tabl(fmt.Sprintf("partitions of %s %v", name, pairs), wire.APIListPartitionInfos, q)
}

func addCol(name, column, typ string, position int32) step {
	return coord(fmt.Sprintf("add column %s.%s %s %d", name, column, typ, position), wire.APIAlterTable, &flusspb.AlterTableRequest{
		TablePath: pathOf(name), IgnoreIfNotExists: proto.Bool(false), AddColumns: []*flusspb.PbAddColumn{{
			ColumnName: &column, DataTypeJson: []byte(typ), Comment: proto.String("new"), ColumnPositionType: &position}}})
}

func set(name, key, value string, op int32) step {
	c := &flusspb.PbAlterConfig{ConfigKey: &key, OpType: &op}
	if op != 1 {
		c.ConfigValue = &value
	}
	return coord(fmt.Sprintf("alter %s %s=%s op %d", name, key, value, op), wire.APIAlterTable, &flusspb.AlterTableRequest{
		TablePath: pathOf(name), IgnoreIfNotExists: proto.Bool(false), ConfigChanges: []*flusspb.PbAlterConfig{c}})
}

func createDB(name string, ignore bool, text string) step {
	q := &flusspb.CreateDatabaseRequest{DatabaseName: &name, IgnoreIfExists: &ignore}
	if text != "" {
		q.DatabaseJson = []byte(text)
	}
	return coord(fmt.Sprintf("create database %q %v %s", name, ignore, text), wire.APICreateDatabase, q)
}

func dropDB(name string, ignore, cascade bool) step {
	return coord(fmt.Sprintf("drop database %q %v %v", name, ignore, cascade), wire.APIDropDatabase,
		&flusspb.DropDatabaseRequest{DatabaseName: &name, IgnoreIfNotExists: &ignore, Cascade: &cascade})
}

func recordedSteps() []step {
	var all []step
	for _, part := range [][]step{databaseSteps(), tableSteps(), refusedTables(), alterSteps(), partitionSteps(), dataSteps(), writeSteps(), otherSteps()} {
		all = append(all, part...)
	}
	return append(all, dropDB(testDB, false, false), dropDB(testDB, false, true), dropDB(testDB, false, true), dropDB(testDB, true, true))
}

func databaseSteps() []step {
	long := strings.Repeat("a", 201)
	return []step{
		dropDB(testDB, true, true), dropDB("ft_rec2", true, true),
		createDB(testDB, false, `{"version":1,"comment":"c","custom_properties":{"k":"v"}}`),
		createDB(testDB, false, ""), createDB(testDB, true, ""),
		createDB("ft_rec2", false, ""), createDB("", false, ""), createDB("a.b", false, ""), createDB("__x", false, ""), createDB(".", false, ""), createDB("..", true, ""),
		createDB(long, false, ""), createDB("ft_é", false, ""), loosely(createDB("ft_bad", false, "{")), createDB("ft_bad", false, `{"version":1}`),
		dropDB("ft_bad", true, true),
		tabl("database info", wire.APIGetDatabaseInfo, &flusspb.GetDatabaseInfoRequest{DatabaseName: proto.String(testDB)}),
		tabl("database info without descriptor", wire.APIGetDatabaseInfo, &flusspb.GetDatabaseInfoRequest{DatabaseName: proto.String("ft_rec2")}),
		tabl("database info missing", wire.APIGetDatabaseInfo, &flusspb.GetDatabaseInfoRequest{DatabaseName: proto.String("nope")}),
		tabl("database exists", wire.APIDatabaseExists, &flusspb.DatabaseExistsRequest{DatabaseName: proto.String(testDB)}),
		tabl("database exists not", wire.APIDatabaseExists, &flusspb.DatabaseExistsRequest{DatabaseName: proto.String("nope")}),
		tabl("tables of missing database", wire.APIListTables, &flusspb.ListTablesRequest{DatabaseName: proto.String("nope")}),
		tabl("tables of empty database", wire.APIListTables, &flusspb.ListTablesRequest{DatabaseName: proto.String("ft_rec2")}),
		dropDB("ft_rec2", false, false), dropDB("bad.name", false, false),
	}
}

var kv = tableText{cols: []string{"id INTEGER", "name STRING", "n BIGINT"}, pk: []string{"id"}}

func tableSteps() []step {
	nested := `{"type":"ROW","fields":[{"name":"x","field_type":{"type":"INTEGER"},"field_id":2},{"name":"y","field_type":{"type":"STRING"},"field_id":3}]}`
	return []step{
		create("kv", kv), info("kv"), schema("kv", 0), schema("kv", 1), schema("kv", 2), metadata("kv"),
		create("kv", kv),
		coord("create kv, ignore", wire.APICreateTable, &flusspb.CreateTableRequest{TablePath: pathOf("kv"), TableJson: []byte(kv.json()), IgnoreIfExists: proto.Bool(true)}),
		create("log", tableText{cols: []string{"a INTEGER", "b STRING"}}), info("log"), metadata("log"),
		create("log3", tableText{cols: []string{"a INTEGER", "b STRING"}, buckets: 3, bucket: []string{"a"}, comment: "three", custom: `"x.y":"z"`, props: `"table.log.format":"indexed"`}), info("log3"),
		create("prefix", tableText{cols: []string{"a INTEGER", "b STRING", "c BIGINT", "v STRING"}, pk: []string{"a", "b", "c"}, bucket: []string{"a"}, buckets: 2}), info("prefix"),
		create("first", tableText{cols: kv.cols, pk: kv.pk, props: `"table.merge-engine":"first_row"`}), info("first"),
		create("ver", tableText{cols: kv.cols, pk: kv.pk, props: `"table.merge-engine":"versioned","table.merge-engine.versioned.ver-column":"n"`}), info("ver"),
		create("auto", tableText{cols: kv.cols, pk: kv.pk, auto: "n"}), info("auto"),
		create("agg", tableText{raw: `{"version":1,"schema":{"version":1,"columns":[{"name":"k","data_type":{"type":"INTEGER"},"id":0},{"name":"s","data_type":{"type":"BIGINT"},"agg_function":{"type":"sum"},"id":1},{"name":"l","data_type":{"type":"STRING"},"agg_function":{"type":"listagg","parameters":{"delimiter":"|"}},"id":2}],"primary_key":["k"],"highest_field_id":2},"partition_key":[],"properties":{"table.merge-engine":"AGGREGATION"},"custom_properties":{}}`}), info("agg"),
		create("wal", tableText{cols: kv.cols, pk: kv.pk, props: `"table.changelog.image":"wal"`}), info("wal"),
		create("idx", tableText{cols: kv.cols, pk: kv.pk, props: `"table.kv.format":"indexed","table.log.format":"indexed"`}),
		create("nested", tableText{raw: `{"version":1,"schema":{"version":1,"columns":[{"name":"id","data_type":{"type":"INTEGER"},"id":0},{"name":"r","data_type":` + nested + `,"id":1}],"highest_field_id":3},"partition_key":[],"properties":{},"custom_properties":{}}`}), info("nested"),
		create("noids", tableText{raw: `{"version":1,"schema":{"version":1,"columns":[{"name":"id","data_type":{"type":"INTEGER"}},{"name":"b","data_type":{"type":"STRING"}}]},"partition_key":[],"properties":{},"custom_properties":{}}`}), info("noids"),
		create("nocols", tableText{raw: `{"version":1,"schema":{"version":1,"columns":[],"highest_field_id":-1},"partition_key":[],"properties":{},"custom_properties":{}}`}), info("nocols"),
		create("ttl", tableText{cols: []string{"a INTEGER"}, props: `"table.log.ttl":"2 d","table.log.tiered.local-segments":"5","table.datalake.freshness":"3 min"`}), info("ttl"),
		create("comp", tableText{cols: []string{"a INTEGER"}, props: `"table.log.arrow.compression.type":"lz4_frame"`}), info("comp"),
		create("kvv1", tableText{cols: kv.cols, pk: kv.pk, props: `"table.kv.format-version":"1"`}), info("kvv1"),
		create("dis", tableText{cols: kv.cols, pk: kv.pk, props: `"table.delete.behavior":"disable"`}), info("dis"),
		tabl("list tables", wire.APIListTables, &flusspb.ListTablesRequest{DatabaseName: proto.String(testDB)}),
		tabl("table exists", wire.APITableExists, &flusspb.TableExistsRequest{TablePath: pathOf("kv")}),
		tabl("table exists not", wire.APITableExists, &flusspb.TableExistsRequest{TablePath: pathOf("nope")}),
		info("nope"), info("nodb.nope"), schema("nope", 0), schema("nope", 1), metadata("nope"), info("bad$name"),
		coord("drop missing table", wire.APIDropTable, &flusspb.DropTableRequest{TablePath: pathOf("nope"), IgnoreIfNotExists: proto.Bool(false)}),
		coord("drop missing table, ignore", wire.APIDropTable, &flusspb.DropTableRequest{TablePath: pathOf("nope"), IgnoreIfNotExists: proto.Bool(true)}),
		coord("drop table", wire.APIDropTable, &flusspb.DropTableRequest{TablePath: pathOf("comp"), IgnoreIfNotExists: proto.Bool(false)}),
		info("comp"),
		withID("lookup of dropped table", wire.APILookup, func(id func(string) int64) proto.Message {
			return &flusspb.LookupRequest{TableId: proto.Int64(id("comp")), BucketsReq: []*flusspb.PbLookupReqForBucket{{BucketId: proto.Int32(0), Keys: [][]byte{{1}}}}}
		}),
	}
}

func refusedTables() []step {
	return []step{
		create("nodb.t", kv), create("bad name", kv), create("__t", kv), create("bad$t", kv), create("a.b.c", kv),
		loosely(create("x", tableText{raw: `{`})), loosely(create("x", tableText{raw: `[]`})),
		create("x", tableText{cols: kv.cols, pk: kv.pk, props: `"table.nope":"1"`}),
		create("x", tableText{cols: kv.cols, pk: kv.pk, props: `"nope":"1"`}),
		create("x", tableText{cols: kv.cols, pk: kv.pk, props: `"table.replication.factor":"0"`}),
		create("x", tableText{cols: kv.cols, pk: kv.pk, props: `"table.replication.factor":"x"`}),
		create("x", tableText{cols: kv.cols, pk: kv.pk, props: `"table.replication.factor":"9"`}),
		create("x", tableText{cols: kv.cols, pk: kv.pk, props: `"table.log.format":"avro"`}),
		create("x", tableText{cols: kv.cols, pk: kv.pk, props: `"table.log.format":"indexed"`}),
		create("x", tableText{cols: kv.cols, pk: kv.pk, props: `"table.merge-engine":"magic"`}),
		create("x", tableText{cols: kv.cols, pk: kv.pk, props: `"table.log.ttl":"soon"`}),
		create("x", tableText{cols: kv.cols, pk: kv.pk, props: `"table.datalake.enabled":"maybe"`}),
		create("x", tableText{cols: kv.cols, pk: kv.pk, props: `"table.datalake.enabled":"true"`}),
		create("x", tableText{cols: kv.cols, pk: kv.pk, props: `"table.log.tiered.local-segments":"0"`}),
		create("x", tableText{cols: kv.cols, pk: kv.pk, props: `"table.log.arrow.compression.zstd.level":"23"`}),
		create("x", tableText{cols: kv.cols, pk: kv.pk, props: `"table.kv.format-version":"3"`}),
		create("x", tableText{cols: kv.cols, props: `"table.merge-engine":"first_row"`}),
		create("x", tableText{cols: kv.cols, props: `"table.delete.behavior":"allow"`}),
		create("x", tableText{cols: kv.cols, pk: kv.pk, props: `"table.merge-engine":"first_row","table.delete.behavior":"allow"`}),
		create("x", tableText{cols: kv.cols, pk: kv.pk, props: `"table.merge-engine":"versioned"`}),
		create("x", tableText{cols: kv.cols, pk: kv.pk, props: `"table.merge-engine":"versioned","table.merge-engine.versioned.ver-column":"zz"`}),
		create("x", tableText{cols: kv.cols, pk: kv.pk, props: `"table.merge-engine":"versioned","table.merge-engine.versioned.ver-column":"name"`}),
		create("x", tableText{cols: kv.cols, pk: kv.pk, props: `"table.merge-engine":"aggregation","table.changelog.image":"wal"`}),
		create("x", tableText{cols: kv.cols, pk: []string{"zz"}}),
		create("x", tableText{cols: kv.cols, pk: []string{"id", "id"}}),
		create("x", tableText{cols: []string{"a INTEGER", "a STRING"}}),
		create("x", tableText{cols: []string{"__offset INTEGER", "_change_type STRING"}}),
		create("x", tableText{cols: kv.cols, pk: kv.pk, bucket: []string{"name"}, buckets: 1}),
		create("x", tableText{cols: kv.cols, bucket: []string{"zz"}, buckets: 1}),
		create("x", tableText{cols: kv.cols, pk: kv.pk, part: []string{"name"}}),
		create("x", tableText{cols: kv.cols, pk: kv.pk, part: []string{"id"}}),
		create("x", tableText{cols: kv.cols, part: []string{"zz"}}),
		create("x", tableText{cols: kv.cols, pk: []string{"id", "name"}, part: []string{"name"}, bucket: []string{"name"}, buckets: 1}),
		create("x", tableText{cols: []string{`k {"type":"ARRAY","element_type":{"type":"INTEGER"}}`}, pk: []string{"k"}}),
		create("x", tableText{cols: []string{`k {"type":"ARRAY","element_type":{"type":"INTEGER"}}`}, bucket: []string{"k"}, buckets: 1}),
		create("x", tableText{cols: []string{"a INTEGER", `d {"type":"DECIMAL","precision":5,"scale":1}`}, part: []string{"d"}}),
		loosely(create("x", tableText{cols: []string{"a VARIANT"}})),
		create("x", tableText{cols: kv.cols, buckets: 200000}),
		create("x", tableText{cols: kv.cols, auto: "n"}),
		create("x", tableText{cols: kv.cols, pk: kv.pk, auto: "id"}),
		create("x", tableText{cols: kv.cols, pk: kv.pk, auto: "name"}),
		create("x", tableText{cols: kv.cols, pk: kv.pk, auto: "zz"}),
		create("x", tableText{cols: kv.cols, props: `"table.auto-partition.enabled":"true"`}),
		create("x", tableText{cols: kv.cols, part: []string{"name", "n"}, props: `"table.auto-partition.enabled":"true"`}),
		create("x", tableText{cols: kv.cols, part: []string{"name", "n"}, props: `"table.auto-partition.enabled":"true","table.auto-partition.key":"id"`}),
		create("x", tableText{cols: kv.cols, part: []string{"name", "n"}, props: `"table.auto-partition.enabled":"true","table.auto-partition.key":"name","table.auto-partition.num-precreate":"2"`}),
		create("x", tableText{cols: kv.cols, part: []string{"name"}, props: `"table.auto-partition.enabled":"true","table.auto-partition.time-unit":"week"`}),
		create("mars", tableText{cols: kv.cols, part: []string{"name"}, props: `"table.auto-partition.enabled":"true","table.auto-partition.time-zone":"Mars"`}), parts("mars"),
		create("x", tableText{cols: kv.cols, pk: kv.pk, props: `"table.kv.format-version":"x"`}),
		create("x", tableText{cols: kv.cols, pk: kv.pk, props: `"table.changelog.image":"x"`}),
		create("x", tableText{raw: `{"version":1,"schema":{"version":1,"columns":[{"name":"a","data_type":{"type":"INTEGER"},"id":0}],"highest_field_id":0},"partition_key":[],"properties":{}}`}),
		create("x", tableText{raw: `{"version":1,"schema":{"version":1,"columns":[{"name":"k","data_type":{"type":"INTEGER"},"id":0},{"name":"s","data_type":{"type":"STRING"},"agg_function":{"type":"listagg","parameters":{"x":"y"}},"id":1}],"primary_key":["k"],"highest_field_id":1},"partition_key":[],"properties":{"table.merge-engine":"AGGREGATION"},"custom_properties":{}}`}),
		create("x", tableText{raw: `{"version":1,"schema":{"version":1,"columns":[{"name":"k","data_type":{"type":"INTEGER"},"id":0},{"name":"s","data_type":{"type":"INTEGER"},"agg_function":{"type":"max","parameters":{"x":"y"}},"id":1}],"primary_key":["k"],"highest_field_id":1},"partition_key":[],"properties":{"table.merge-engine":"AGGREGATION"},"custom_properties":{}}`}),
		create("x", tableText{raw: `{"version":1,"schema":{"version":1,"columns":[{"name":"a","data_type":{"type":"INTEGER"},"id":3},{"name":"b","data_type":{"type":"INTEGER"},"id":3}],"highest_field_id":3},"partition_key":[],"properties":{},"custom_properties":{}}`}),
		create("x", tableText{raw: `{"version":1,"schema":{"version":1,"columns":[{"name":"a","data_type":{"type":"INTEGER"},"id":3}],"highest_field_id":1},"partition_key":[],"properties":{},"custom_properties":{}}`}),
		create("x", tableText{raw: `{"version":1,"schema":{"version":1,"columns":[{"name":"k","data_type":{"type":"INTEGER"},"agg_function":{"type":"sum"},"id":0}],"primary_key":["k"],"highest_field_id":0},"partition_key":[],"properties":{"table.merge-engine":"AGGREGATION"},"custom_properties":{}}`}),
		create("x", tableText{raw: `{"version":1,"schema":{"version":1,"columns":[{"name":"k","data_type":{"type":"INTEGER"},"id":0},{"name":"s","data_type":{"type":"STRING"},"agg_function":{"type":"sum"},"id":1}],"primary_key":["k"],"highest_field_id":1},"partition_key":[],"properties":{"table.merge-engine":"AGGREGATION"},"custom_properties":{}}`}),
		create("noagg", tableText{raw: `{"version":1,"schema":{"version":1,"columns":[{"name":"k","data_type":{"type":"INTEGER"},"id":0},{"name":"s","data_type":{"type":"STRING"},"agg_function":{"type":"nope"},"id":1}],"primary_key":["k"],"highest_field_id":1},"partition_key":[],"properties":{"table.merge-engine":"AGGREGATION"},"custom_properties":{}}`}),
		info("x"), info("noagg"),
	}
}

// loosely leaves the text of a step's refusal alone: that of a JSON reader's complaint.
func loosely(s step) step {
	s.loose = true
	return s
}

func alterSteps() []step {
	alter := func(name string, q *flusspb.AlterTableRequest) step { return coord(name, wire.APIAlterTable, q) }
	base := func(ignore bool) *flusspb.AlterTableRequest {
		return &flusspb.AlterTableRequest{TablePath: pathOf("kv"), IgnoreIfNotExists: &ignore}
	}
	drop, rename, modify, both := base(false), base(false), base(false), base(false)
	drop.DropColumns = []*flusspb.PbDropColumn{{ColumnName: proto.String("n")}}
	rename.RenameColumns = []*flusspb.PbRenameColumn{{OldColumnName: proto.String("n"), NewColumnName: proto.String("m")}}
	modify.ModifyColumns = []*flusspb.PbModifyColumn{{ColumnName: proto.String("n"), DataTypeJson: []byte(`{"type":"STRING"}`)}}
	both.DropColumns = drop.DropColumns
	both.ConfigChanges = []*flusspb.PbAlterConfig{{ConfigKey: proto.String("a"), ConfigValue: proto.String("b"), OpType: proto.Int32(0)}}
	missing := base(false)
	missing.TablePath = pathOf("nope")
	missing.ConfigChanges = both.ConfigChanges
	ignored := base(true)
	ignored.TablePath, ignored.ConfigChanges = missing.TablePath, missing.ConfigChanges
	missingSchema := base(false)
	missingSchema.TablePath, missingSchema.DropColumns = missing.TablePath, drop.DropColumns
	return []step{
		addCol("kv", "extra", `{"type":"STRING"}`, 0), info("kv"), schema("kv", 0), schema("kv", 1), metadata("kv"),
		addCol("kv", "row", `{"type":"ROW","fields":[{"name":"x","field_type":{"type":"INTEGER"}},{"name":"y","field_type":{"type":"ARRAY","element_type":{"type":"ROW","fields":[{"name":"z","field_type":{"type":"DATE"}}]}}}]}`, 0), schema("kv", 3),
		addCol("kv", "extra", `{"type":"STRING"}`, 0), addCol("kv", "extra", `{"type":"INTEGER"}`, 0), addCol("kv", "nn", `{"type":"STRING","nullable":false}`, 0),
		addCol("kv", "fi", `{"type":"STRING"}`, 1), addCol("kv", "af", `{"type":"STRING"}`, 3), loosely(addCol("kv", "bad", `{"type":"NOPE"}`, 0)), addCol("kv", "__offset", `{"type":"STRING"}`, 0),
		alter("drop column", drop), alter("rename column", rename), alter("modify column", modify), alter("both", both), alter("missing table", missing), alter("missing table, ignore", ignored), alter("missing table, schema", missingSchema),
		alter("nothing", base(false)),
		set("kv", "my.key", "v", 0), info("kv"), set("kv", "my.key", "", 1), info("kv"), set("kv", "never.there", "", 1),
		set("kv", "table.log.tiered.local-segments", "7", 0), info("kv"), set("kv", "table.log.tiered.local-segments", "0", 0), set("kv", "table.log.tiered.local-segments", "", 1), info("kv"),
		set("kv", "table.log.ttl", "1d", 0), set("kv", "table.nope", "1", 0), set("kv", "table.datalake.enabled", "true", 0), set("kv", "table.datalake.freshness", "5min", 0), set("kv", "table.datalake.freshness", "soon", 0),
		set("kv", "my.key", "v", 2), set("kv", "my.key", "v", 9), set("kv", "table.merge-engine", "first_row", 0),
	}
}

func partitionSteps() []step {
	return []step{
		create("p1", tableText{cols: []string{"id INTEGER", "dt STRING", "v DOUBLE"}, pk: []string{"id", "dt"}, part: []string{"dt"}}), info("p1"), metadata("p1"), parts("p1"),
		createPart("p1", false, "dt", "20240101"), createPart("p1", false, "dt", "20240101"), createPart("p1", true, "dt", "20240101"),
		createPart("p1", false, "zz", "1"), createPart("p1", false, "dt", "a", "zz", "1"), createPart("p1", false), createPart("p1", false, "dt", ""),
		createPart("p1", false, "dt", "a/b"), createPart("p1", false, "dt", "__x"), createPart("p1", false, "dt", strings.Repeat("x", 201)), createPart("p1", false, "dt", "é"),
		createPart("kv", false, "dt", "1"), createPart("nope", false, "dt", "1"),
		parts("p1"), parts("kv"), parts("nope"), parts("p1", "dt", "20240101"), parts("p1", "dt", "none"), parts("p1", "zz", "1"),
		create("p2", tableText{cols: []string{"id INTEGER", "region STRING", "dt STRING"}, part: []string{"region", "dt"}}),
		createPart("p2", false, "dt", "1", "region", "eu"), createPart("p2", false, "region", "us", "dt", "1"), parts("p2"), parts("p2", "region", "eu"), parts("p2", "dt", "1"),
		createPart("p2", false, "region", "eu"),
		tabl("metadata by partition", wire.APIGetMetadata, &flusspb.MetadataRequest{PartitionsPath: []*flusspb.PbPhysicalTablePath{{DatabaseName: proto.String(testDB), TableName: proto.String("p1"), PartitionName: proto.String("20240101")}}}),
		tabl("metadata by missing partition", wire.APIGetMetadata, &flusspb.MetadataRequest{PartitionsPath: []*flusspb.PbPhysicalTablePath{{DatabaseName: proto.String(testDB), TableName: proto.String("p1"), PartitionName: proto.String("none")}}}),
		withID("metadata by partition id", wire.APIGetMetadata, func(id func(string) int64) proto.Message {
			return &flusspb.MetadataRequest{TablePath: []*flusspb.PbTablePath{pathOf("p1")}, PartitionsId: []int64{id("p1/20240101")}}
		}),
		tabl("metadata by unknown partition id", wire.APIGetMetadata, &flusspb.MetadataRequest{PartitionsId: []int64{987654}}),
		withID("lookup without partition", wire.APILookup, func(id func(string) int64) proto.Message {
			return &flusspb.LookupRequest{TableId: proto.Int64(id("p1")), BucketsReq: []*flusspb.PbLookupReqForBucket{{BucketId: proto.Int32(0), Keys: [][]byte{{1}}}}}
		}),
		withID("lookup in partition", wire.APILookup, func(id func(string) int64) proto.Message {
			return &flusspb.LookupRequest{TableId: proto.Int64(id("p1")), BucketsReq: []*flusspb.PbLookupReqForBucket{{PartitionId: proto.Int64(id("p1/20240101")), BucketId: proto.Int32(0), Keys: [][]byte{{1}}}}}
		}),
		withID("lookup in unknown partition", wire.APILookup, func(id func(string) int64) proto.Message {
			return &flusspb.LookupRequest{TableId: proto.Int64(id("p1")), BucketsReq: []*flusspb.PbLookupReqForBucket{{PartitionId: proto.Int64(777777), BucketId: proto.Int32(0), Keys: [][]byte{{1}}}}}
		}),
		dropPart("p1", false, "dt", "none"), dropPart("p1", true, "dt", "none"), dropPart("p1", false, "zz", "none"), dropPart("p1", false, "dt", "a/b"), dropPart("p1", false, "dt", "__x"), dropPart("kv", false, "dt", "1"), dropPart("p2", false, "dt", "9", "region", "eu"),
		dropPart("p1", false, "dt", "20240101"), parts("p1"),
		withID("lookup in dropped partition", wire.APILookup, func(id func(string) int64) proto.Message {
			return &flusspb.LookupRequest{TableId: proto.Int64(id("p1")), BucketsReq: []*flusspb.PbLookupReqForBucket{{PartitionId: proto.Int64(id("p1/20240101")), BucketId: proto.Int32(0), Keys: [][]byte{{1}}}}}
		}),
		create("ap", tableText{cols: []string{"id INTEGER", "dt STRING"}, part: []string{"dt"}, props: `"table.auto-partition.enabled":"true","table.auto-partition.time-unit":"year","table.auto-partition.num-precreate":"3"`}), info("ap"), parts("ap"),
		create("ap2", tableText{cols: []string{"id INTEGER", "dt STRING", "r STRING"}, part: []string{"r", "dt"}, props: `"table.auto-partition.enabled":"true","table.auto-partition.key":"dt"`}), info("ap2"), parts("ap2"),
	}
}

func dataSteps() []step {
	b0 := proto.Int32(0)
	var steps []step
	for _, name := range []string{"kv", "log", "missing"} {
		steps = append(steps,
			withID("lookup "+name, wire.APILookup, func(id func(string) int64) proto.Message {
				return &flusspb.LookupRequest{TableId: proto.Int64(id(name)), BucketsReq: []*flusspb.PbLookupReqForBucket{{BucketId: b0, Keys: [][]byte{{1}, {2}, {1}}}, {BucketId: proto.Int32(5), Keys: [][]byte{{1}}}}}
			}),
			withID("insert lookup "+name, wire.APILookup, func(id func(string) int64) proto.Message {
				return &flusspb.LookupRequest{TableId: proto.Int64(id(name)), InsertIfNotExists: proto.Bool(true), Acks: proto.Int32(-1), TimeoutMs: proto.Int32(1000), BucketsReq: []*flusspb.PbLookupReqForBucket{{BucketId: b0, Keys: [][]byte{{9}}}}}
			}),
			withID("prefix lookup "+name, wire.APIPrefixLookup, func(id func(string) int64) proto.Message {
				return &flusspb.PrefixLookupRequest{TableId: proto.Int64(id(name)), BucketsReq: []*flusspb.PbPrefixLookupReqForBucket{{BucketId: b0, Keys: [][]byte{{1}, {9}}}, {BucketId: proto.Int32(5), Keys: [][]byte{{1}}}}}
			}),
			withID("limit scan "+name, wire.APILimitScan, func(id func(string) int64) proto.Message {
				return &flusspb.LimitScanRequest{TableId: proto.Int64(id(name)), BucketId: b0, Limit: proto.Int32(10)}
			}),
			withID("limit scan 0 "+name, wire.APILimitScan, func(id func(string) int64) proto.Message {
				return &flusspb.LimitScanRequest{TableId: proto.Int64(id(name)), BucketId: b0, Limit: proto.Int32(0)}
			}),
			withID("stats "+name, wire.APIGetTableStats, func(id func(string) int64) proto.Message {
				return &flusspb.GetTableStatsRequest{TableId: proto.Int64(id(name)), BucketsReq: []*flusspb.PbTableStatsReqForBucket{{BucketId: b0}, {BucketId: proto.Int32(5)}}}
			}),
			withID("stats partition "+name, wire.APIGetTableStats, func(id func(string) int64) proto.Message {
				return &flusspb.GetTableStatsRequest{TableId: proto.Int64(id(name)), BucketsReq: []*flusspb.PbTableStatsReqForBucket{{PartitionId: proto.Int64(777777), BucketId: b0}}}
			}),
		)
		for _, acks := range []int32{0, 1, -1, 2, -2} {
			steps = append(steps, withID(fmt.Sprintf("put empty %s acks %d", name, acks), wire.APIPutKV, func(id func(string) int64) proto.Message {
				return &flusspb.PutKvRequest{Acks: &acks, TableId: proto.Int64(id(name)), TimeoutMs: proto.Int32(1000)}
			}), withID(fmt.Sprintf("produce nothing %s acks %d", name, acks), wire.APIProduceLog, func(id func(string) int64) proto.Message {
				return &flusspb.ProduceLogRequest{Acks: &acks, TableId: proto.Int64(id(name)), TimeoutMs: proto.Int32(1000)}
			}))
		}
		for kind := int32(-1); kind < 5; kind++ {
			steps = append(steps, withID(fmt.Sprintf("offsets %s type %d", name, kind), wire.APIListOffsets, func(id func(string) int64) proto.Message {
				return &flusspb.ListOffsetsRequest{FollowerServerId: proto.Int32(-1), OffsetType: &kind, TableId: proto.Int64(id(name)), BucketId: []int32{0, 5}}
			}))
		}
		for _, at := range []int64{-5, 0, 4102444800000} {
			steps = append(steps, withID(fmt.Sprintf("offsets %s at %d", name, at), wire.APIListOffsets, func(id func(string) int64) proto.Message {
				return &flusspb.ListOffsetsRequest{FollowerServerId: proto.Int32(-1), OffsetType: proto.Int32(2), TableId: proto.Int64(id(name)), BucketId: []int32{0}, StartTimestamp: &at}
			}))
		}
		for _, f := range []struct {
			offset     int64
			projection []int32
			on         bool
		}{{0, nil, false}, {-2, nil, false}, {-1, nil, false}, {5, nil, false}, {-3, nil, false}, {0, []int32{1, 0}, true}, {0, []int32{0, 0}, true}, {0, []int32{0, 77}, true}, {0, []int32{-1}, true}, {0, nil, true}, {0, []int32{0}, false}, {0, []int32{0}, true}} {
			steps = append(steps, withID(fmt.Sprintf("fetch %s at %d projection %v %v", name, f.offset, f.projection, f.on), wire.APIFetchLog, func(id func(string) int64) proto.Message {
				return &flusspb.FetchLogRequest{FollowerServerId: proto.Int32(-1), MaxBytes: proto.Int32(1 << 20), TablesReq: []*flusspb.PbFetchLogReqForTable{{
					TableId: proto.Int64(id(name)), ProjectionPushdownEnabled: &f.on, ProjectedFields: f.projection, BucketsReq: []*flusspb.PbFetchLogReqForBucket{{BucketId: b0, FetchOffset: &f.offset, MaxFetchBytes: proto.Int32(1 << 20)}}}}}
			}))
		}
	}
	return append(steps, withID("fetch projection of an indexed log", wire.APIFetchLog, func(id func(string) int64) proto.Message {
		return &flusspb.FetchLogRequest{FollowerServerId: proto.Int32(-1), MaxBytes: proto.Int32(1 << 20), TablesReq: []*flusspb.PbFetchLogReqForTable{{
			TableId: proto.Int64(id("log3")), ProjectionPushdownEnabled: proto.Bool(true), ProjectedFields: []int32{0}, BucketsReq: []*flusspb.PbFetchLogReqForBucket{{BucketId: b0, FetchOffset: proto.Int64(0), MaxFetchBytes: proto.Int32(1 << 20)}}}}}
	}), withID("stats wal", wire.APIGetTableStats, func(id func(string) int64) proto.Message {
		return &flusspb.GetTableStatsRequest{TableId: proto.Int64(id("wal")), BucketsReq: []*flusspb.PbTableStatsReqForBucket{{BucketId: b0}}}
	}))
}

func otherSteps() []step {
	acl := &flusspb.PbAclFilter{ResourceType: proto.Int32(1), OperationType: proto.Int32(1), PermissionType: proto.Int32(1)}
	latest := func(name string, part *string) step {
		return tabl(fmt.Sprintf("latest snapshots %s %v", name, part != nil), wire.APIGetLatestKVSnapshots, &flusspb.GetLatestKvSnapshotsRequest{TablePath: pathOf(name), PartitionName: part})
	}
	config := func(key, value string, op int32) step {
		return coord(fmt.Sprintf("cluster config %s=%s op %d", key, value, op), wire.APIAlterClusterConfigs, &flusspb.AlterClusterConfigsRequest{AlterConfigs: []*flusspb.PbAlterConfig{{ConfigKey: &key, ConfigValue: &value, OpType: &op}}})
	}
	lake := func(name string, id *int64, readable *bool) step {
		return tabl(fmt.Sprintf("lake snapshot %s %v %v", name, id != nil, readable != nil), wire.APIGetLakeSnapshot, &flusspb.GetLakeSnapshotRequest{TablePath: pathOf(name), SnapshotId: id, Readable: readable})
	}
	return []step{
		latest("kv", nil), latest("log", nil), latest("kv", proto.String("x")), latest("p1", nil), latest("p1", proto.String("x")), latest("nope", nil),
		withID("snapshot metadata", wire.APIGetKVSnapshotMetadata, func(id func(string) int64) proto.Message {
			return &flusspb.GetKvSnapshotMetadataRequest{TableId: proto.Int64(id("kv")), BucketId: proto.Int32(0), SnapshotId: proto.Int64(3)}
		}),
		tabl("token", wire.APIGetFilesystemSecurityToken, new(flusspb.GetFileSystemSecurityTokenRequest)),
		tabl("writer", wire.APIInitWriter, new(flusspb.InitWriterRequest)),
		tabl("writer for missing table", wire.APIInitWriter, &flusspb.InitWriterRequest{TablePath: []*flusspb.PbTablePath{pathOf("nope")}}),
		lake("kv", nil, nil), lake("kv", proto.Int64(4), nil), lake("kv", nil, proto.Bool(true)), lake("kv", proto.Int64(4), proto.Bool(true)), lake("nope", nil, nil),
		coord("create acls", wire.APICreateACLs, new(flusspb.CreateAclsRequest)), coord("list acls", wire.APIListACLs, &flusspb.ListAclsRequest{AclFilter: acl}), coord("drop acls", wire.APIDropACLs, new(flusspb.DropAclsRequest)),
		config("nope", "1", 0), config("kv.rocksdb.shared-rate-limiter.bytes-per-sec", "100mb", 0), config("kv.rocksdb.shared-rate-limiter.bytes-per-sec", "", 1), config("kv.rocksdb.shared-rate-limiter.bytes-per-sec", "1", 2),
	}
}
