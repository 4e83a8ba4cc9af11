package flusstest

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"net"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/record"
	"github.com/gofluss/fluss/internal/wire"
	"github.com/gofluss/fluss/internal/wire/flusspb"
)

// TestRecorded sends the requests of recordedSteps to an embedded server and compares with what a real 0.9.1 answered,
// which is in testdata/recorded.json. To record it anew from a cluster with one tablet server:
//
//	go test ./flusstest -run TestRecorded -record 127.0.0.1:9123
var recordFrom = flag.String("record", "", "address of a real server whose answers become testdata/recorded.json")

const recordedFile = "testdata/recorded.json"

// step is one request. Its table ids are those of the target asked.
type step struct {
	name string
	api  wire.APIKey
	at   int // wire.CoordinatorServer or wire.TabletServer
	req  func(ids map[string]int64) proto.Message

	loose bool // the text of its refusal is not compared
}

// answered is a step with its answer in a form that does not depend on ids, times and addresses.
type answered struct {
	Step   string
	Answer any
}

// recording is the file. The real server's time zone was UTC.
type recording struct {
	At      time.Time
	Answers []answered
}

func TestRecorded(t *testing.T) {
	if *recordFrom != "" {
		got := run(t, dialTarget(t, *recordFrom, nil), true)
		text, err := json.MarshalIndent(recording{time.Now().UTC(), got}, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(recordedFile, append(text, '\n'), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	var rec recording
	text, err := os.ReadFile(recordedFile)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &rec); err != nil {
		t.Fatal(err)
	}
	srv := Run(t, WithClock(NewClock(rec.At))) // for the names of automatic partitions
	got, want := run(t, dialTarget(t, srv.Addresses()[0], srv), false), rec.Answers
	if len(want) != len(got) {
		t.Fatalf("%d answers, recorded are %d: record again", len(got), len(want))
	}
	for i, g := range got {
		is, _ := json.MarshalIndent(g, "", " ")
		should, _ := json.MarshalIndent(want[i], "", " ")
		if string(is) != string(should) {
			t.Errorf("%s:\n got %s\nwant %s", g.Step, is, should)
		}
	}
	t.Logf("%d answers compared with those of a real server", len(got))
}

// target is a server with one tablet server that answers steps.
type target struct {
	t     testing.TB
	conns map[int]*wire.Conn
	ids   map[string]int64 // table id by path, partition id by "path/name"
}

func dialTarget(t testing.TB, addr string, srv *Server) *target {
	t.Helper()
	cfg := &wire.Config{}
	if srv != nil {
		cfg.Dial = srv.Dial
	}
	dial := func(addr string) *wire.Conn {
		c, err := wire.Dial(context.Background(), addr, cfg)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		return c
	}
	first := dial(addr)
	meta := new(flusspb.MetadataResponse)
	if err := first.Call(context.Background(), wire.APIGetMetadata, time.Minute, new(flusspb.MetadataRequest), meta); err != nil {
		t.Fatal(err)
	}
	address := func(n *flusspb.PbServerNode) string {
		return net.JoinHostPort(n.GetHost(), strconv.Itoa(int(n.GetPort())))
	}
	return &target{t: t, ids: map[string]int64{}, conns: map[int]*wire.Conn{
		wire.CoordinatorServer: dial(address(meta.CoordinatorServer)),
		wire.TabletServer:      dial(address(meta.TabletServers[0])),
	}}
}

// run performs all steps. patient: the target needs time after DDL.
func run(t *testing.T, to *target, patient bool) []answered {
	var list []answered
	for _, s := range recordedSteps() {
		var answer any
		for deadline := time.Now().Add(20 * time.Second); ; {
			answer = to.ask(s)
			text, _ := json.Marshal(answer)
			soon := strings.Contains(string(text), `"error_code":12`) || s.api == wire.APIGetMetadata && strings.Contains(string(text), `"bucket_id"`) && !strings.Contains(string(text), `"leader_id"`)
			if !patient || !soon || time.Now().After(deadline) {
				break
			}
			time.Sleep(20 * time.Millisecond)
		}
		list = append(list, answered{s.name, answer})
		if patient && slices.Contains([]wire.APIKey{wire.APICreatePartition, wire.APIDropPartition, wire.APIDropTable, wire.APIAlterTable, wire.APICreateTable}, s.api) {
			time.Sleep(1500 * time.Millisecond)
		}
		to.learn(s)
	}
	return list
}

// learn notes the ids of what a step made.
func (to *target) learn(s step) {
	path := map[string]catalog.TablePath{}
	switch q := s.req(to.ids).(type) {
	case *flusspb.CreateTableRequest:
		path["t"] = tablePath(q.TablePath)
	case *flusspb.CreatePartitionRequest:
		path["t"] = tablePath(q.TablePath)
	default:
		return
	}
	p := path["t"]
	info := new(flusspb.GetTableInfoResponse)
	tablet := to.conns[wire.TabletServer]
	if tablet.Call(context.Background(), wire.APIGetTableInfo, time.Minute, &flusspb.GetTableInfoRequest{TablePath: pbTablePath(p)}, info) == nil {
		to.ids[p.String()] = info.GetTableId()
	}
	parts := new(flusspb.ListPartitionInfosResponse)
	if tablet.Call(context.Background(), wire.APIListPartitionInfos, time.Minute, &flusspb.ListPartitionInfosRequest{TablePath: pbTablePath(p)}, parts) == nil {
		for _, i := range parts.PartitionsInfo {
			var values []string
			for _, v := range i.PartitionSpec.PartitionKeyValues {
				values = append(values, v.GetValue())
			}
			to.ids[p.String()+"/"+strings.Join(values, "$")] = i.GetPartitionId()
		}
	}
}

// ask performs a step and normalizes its answer. "silence" is the answer of a server that gives none.
func (to *target) ask(s step) any {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	req := s.req(to.ids)
	answer := responses[s.api].ProtoReflect().New().Interface()
	err := to.conns[s.at].Call(ctx, s.api, 15*time.Second, req, answer)
	var refused *wire.ServerError
	switch {
	case errors.As(err, &refused) && s.loose:
		return map[string]any{"code": float64(refused.Code)}
	case errors.As(err, &refused):
		return map[string]any{"code": float64(refused.Code), "text": to.text(int(refused.Code), refused.Message)}
	case err != nil:
		return err.Error()
	}
	text, err := protojson.MarshalOptions{UseProtoNames: true}.Marshal(answer)
	if err != nil {
		to.t.Fatal(err)
	}
	var tree any
	if err := json.Unmarshal(text, &tree); err != nil {
		to.t.Fatal(err)
	}
	return to.normal(tree)
}

var idPattern = regexp.MustCompile(`(tableId=|partitionId=|table id: |partition id '|fetch timestamp |current timestamp )\d+`)

// placePattern is a part of a message that is not imitated: where the refused batch would have ended.
var placePattern = regexp.MustCompile(` at offset \d+ in table-bucket`)

// text takes ids out of an error's message; of a Java exception only the class stays where the rest may differ.
func (to *target) text(code int, message string) string {
	message, _, _ = strings.Cut(message, "\n")
	message = placePattern.ReplaceAllString(message, " in table-bucket")
	message, _, _ = strings.Cut(message, " FileRecords(")
	return idPattern.ReplaceAllString(strings.TrimSpace(message), "${1}N")
}

// normal replaces what differs from server to server.
func (to *target) normal(v any) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = to.normal(v[i])
		}
		slices.SortStableFunc(v, func(a, b any) int {
			x, _ := json.Marshal(a)
			y, _ := json.Marshal(b)
			return strings.Compare(string(x), string(y))
		})
	case map[string]any:
		for key, x := range v {
			switch key {
			case "table_id":
				v[key] = to.name(fmt.Sprint(x), false)
			case "partition_id":
				v[key] = to.name(fmt.Sprint(x), true)
			case "writer_id":
				v[key] = "writer"
			case "records":
				b, _ := base64.StdEncoding.DecodeString(x.(string))
				v[key] = batches(b)
			case "created_time", "modified_time":
				v[key] = "time"
			case "host", "port", "coordinator_epoch":
				delete(v, key)
			case "table_json":
				b, _ := base64.StdEncoding.DecodeString(x.(string))
				d, err := catalog.DecodeDescriptor(b)
				if err != nil {
					to.t.Fatal(err)
				}
				v[key] = string(catalog.EncodeDescriptor(&d))
			case "schema_json", "database_json":
				b, _ := base64.StdEncoding.DecodeString(x.(string))
				v[key] = string(b)
			case "error_message":
				v[key] = to.text(0, x.(string))
			case "database_name", "table_name":
				if list, ok := x.([]any); ok {
					slices.SortFunc(list, func(a, b any) int { return strings.Compare(a.(string), b.(string)) })
				}
			default:
				v[key] = to.normal(x)
			}
		}
	}
	return v
}

// name is the table or partition an id stands for.
func (to *target) name(id string, partition bool) string {
	for _, path := range slices.Sorted(maps.Keys(to.ids)) {
		if strings.Contains(path, "/") == partition && fmt.Sprint(to.ids[path]) == id {
			return path
		}
	}
	return "unknown"
}

// batches tells what log batches hold, for their bytes differ. What is none stays as it is.
func batches(b []byte) any {
	all := b
	list := []any{}
	for len(b) > 0 {
		batch, rest, err := record.NextLogBatch(b)
		if err != nil && len(list) == 0 && len(all) < 30 {
			return base64.StdEncoding.EncodeToString(all)
		}
		if err != nil {
			return append(list, fmt.Sprintf("%d bytes of another", len(b)))
		}
		list = append(list, fmt.Sprintf("offset %d, %d records, schema %d, append only %v", batch.BaseOffset, batch.Count, batch.SchemaID, batch.AppendOnly))
		b = rest
	}
	return list
}

var responses = map[wire.APIKey]proto.Message{
	wire.APIVersions:                   new(flusspb.ApiVersionsResponse),
	wire.APIAuthenticate:               new(flusspb.AuthenticateResponse),
	wire.APICreateDatabase:             new(flusspb.CreateDatabaseResponse),
	wire.APIDropDatabase:               new(flusspb.DropDatabaseResponse),
	wire.APIListDatabases:              new(flusspb.ListDatabasesResponse),
	wire.APIDatabaseExists:             new(flusspb.DatabaseExistsResponse),
	wire.APIGetDatabaseInfo:            new(flusspb.GetDatabaseInfoResponse),
	wire.APICreateTable:                new(flusspb.CreateTableResponse),
	wire.APIDropTable:                  new(flusspb.DropTableResponse),
	wire.APIGetTableInfo:               new(flusspb.GetTableInfoResponse),
	wire.APIListTables:                 new(flusspb.ListTablesResponse),
	wire.APIListPartitionInfos:         new(flusspb.ListPartitionInfosResponse),
	wire.APITableExists:                new(flusspb.TableExistsResponse),
	wire.APIGetTableSchema:             new(flusspb.GetTableSchemaResponse),
	wire.APIGetMetadata:                new(flusspb.MetadataResponse),
	wire.APIProduceLog:                 new(flusspb.ProduceLogResponse),
	wire.APIFetchLog:                   new(flusspb.FetchLogResponse),
	wire.APIPutKV:                      new(flusspb.PutKvResponse),
	wire.APILookup:                     new(flusspb.LookupResponse),
	wire.APIListOffsets:                new(flusspb.ListOffsetsResponse),
	wire.APIGetLatestKVSnapshots:       new(flusspb.GetLatestKvSnapshotsResponse),
	wire.APIGetKVSnapshotMetadata:      new(flusspb.GetKvSnapshotMetadataResponse),
	wire.APIGetFilesystemSecurityToken: new(flusspb.GetFileSystemSecurityTokenResponse),
	wire.APIInitWriter:                 new(flusspb.InitWriterResponse),
	wire.APIGetLakeSnapshot:            new(flusspb.GetLakeSnapshotResponse),
	wire.APILimitScan:                  new(flusspb.LimitScanResponse),
	wire.APIPrefixLookup:               new(flusspb.PrefixLookupResponse),
	wire.APICreatePartition:            new(flusspb.CreatePartitionResponse),
	wire.APIDropPartition:              new(flusspb.DropPartitionResponse),
	wire.APICreateACLs:                 new(flusspb.CreateAclsResponse),
	wire.APIListACLs:                   new(flusspb.ListAclsResponse),
	wire.APIDropACLs:                   new(flusspb.DropAclsResponse),
	wire.APIAlterTable:                 new(flusspb.AlterTableResponse),
	wire.APIAlterClusterConfigs:        new(flusspb.AlterClusterConfigsResponse),
	wire.APIGetTableStats:              new(flusspb.GetTableStatsResponse),
}
