package differential

import (
	"context"
	rand2 "crypto/rand"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"

	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss/internal/wire"
	"github.com/gofluss/fluss/internal/wire/flusspb"
)

// step is one request to both servers.
type step struct {
	api     wire.APIKey
	role    int // wire.CoordinatorServer or wire.TabletServer
	request proto.Message
	body    []byte // sent instead of a request when not nil

	table      *table  // the one that the answer is about, if any
	projection []int32 // of its batches; nil: all columns
	first      bool    // only the first batch counts: how many more there are depends on how a server packs
}

func (s *step) String() string {
	if s.request == nil {
		return fmt.Sprintf("%s %x", s.api, s.body)
	}
	return fmt.Sprintf("%s %s", s.api, short(s.request))
}

// options are what may be done to the real server.
type options struct {
	hazards bool // what may keep it from starting again

	// log is the file of its coordinator, "" when it can't be read. The coordinator of 0.9.1 now and then misses that a
	// table was created, and a partition of such a table ends all elections until it is started again. Only its log
	// tells, so that without it there are no tables with partitions.
	log string
}

// world is the requests of one seed with what is known of their effects.
type world struct {
	dice
	seed     uint64
	database string
	options
	ctx context.Context

	servers [2]*server // embedded, real
	tables  []*table
	dropped map[string]bool // names of tables that there were
	symbols int64           // tables and partitions made so far
	steps   int
	traced  func(number int, s *step) // if any, is told of each step
	found   []string                  // differences, with the step's number
	allowed map[string]int
}

// maxFound ends a world that differs everywhere.
const maxFound = 3

func newWorld(ctx context.Context, seed uint64, embedded, real *server, may options) *world {
	return &world{
		dice: dice{rand.New(rand.NewPCG(seed, 4))}, seed: seed, ctx: ctx, options: may,
		database: fmt.Sprintf("df_%d_%s", seed, runName()), servers: [2]*server{embedded, real}, dropped: map[string]bool{}, allowed: map[string]int{},
	}
}

// run does at least that many steps and removes what they made. The error ends the test; differences are in w.found.
func (w *world) run(steps int) error {
	if err := w.call(w.coordinator(wire.APICreateDatabase, &flusspb.CreateDatabaseRequest{
		DatabaseName: &w.database, IgnoreIfExists: proto.Bool(false)})); err != nil {
		return err
	}
	err := w.some(steps)
	for _, t := range w.tables {
		if err == nil && len(w.found) < maxFound {
			err = w.look(t)
		}
	}
	return errors.Join(err, w.call(w.coordinator(wire.APIDropDatabase, &flusspb.DropDatabaseRequest{
		DatabaseName: &w.database, IgnoreIfNotExists: proto.Bool(true), Cascade: proto.Bool(true)})))
}

func (w *world) some(steps int) error {
	for w.steps < steps && len(w.found) < maxFound {
		if err := w.next(); err != nil {
			return err
		}
	}
	return nil
}

// next does one thing, which may take several steps.
func (w *world) next() error {
	if len(w.tables) == 0 || len(w.tables) < 3 && w.one(60) {
		return w.createTable(fmt.Sprint("t", w.IntN(4)))
	}
	t := pick(w.dice, w.tables...)
	switch n := w.IntN(100); {
	case n < 45:
		return w.write(t)
	case n < 72:
		return w.read(t)
	case n < 82:
		return w.ask(t)
	case n < 90:
		return w.refused(t)
	case n < 97:
		return w.define(t)
	default:
		return w.change(t)
	}
}

func (w *world) coordinator(api wire.APIKey, request proto.Message) *step {
	return &step{api: api, role: wire.CoordinatorServer, request: request}
}

func (w *world) tablet(t *table, api wire.APIKey, request proto.Message) *step {
	return &step{api: api, role: wire.TabletServer, request: request, table: t}
}

// call does a step and notes differences.
func (w *world) call(s *step) error {
	_, err := w.both(s)
	return err
}

// both is call for those who need the answers: the embedded server's, then the real one's.
func (w *world) both(s *step) (answers [2]answer, err error) {
	w.steps++
	if w.traced != nil {
		w.traced(w.steps, s)
	}
	for i, server := range w.servers {
		if answers[i], err = w.askOne(server, s); err != nil {
			return answers, err
		}
	}
	for _, d := range compare("", answers[0].tree, answers[1].tree) {
		if why := allowance(s, d); why != "" {
			w.allowed[why]++
			continue
		}
		w.found = append(w.found, fmt.Sprintf("step %d %.1200s\n  %s", w.steps, s, d))
	}
	return answers, nil
}

// askOne asks one server.
func (w *world) askOne(to *server, s *step) (a answer, err error) {
	r := &reader{server: to, world: w, request: s}
	if s.request == nil {
		a.err = to.send(w.ctx, s.role, s.api, s.body)
		if a.err == nil {
			a.tree = "answered"
			return a, nil
		}
	} else {
		a.msg = responses[s.api].ProtoReflect().New().Interface()
		a.err = to.call(w.ctx, s.role, s.api, s.request, a.msg)
	}
	if a.err != nil {
		a.msg = nil
		a.tree, err = r.refusal(a.err)
		return a, err
	}
	a.tree = r.message(a.msg.ProtoReflect())
	return a, nil
}

// report is what somebody has to know who looks into a difference.
func (w *world) report() string {
	var b strings.Builder
	fmt.Fprintf(&b, "world of -seed %d:\n", w.seed)
	for _, f := range w.found {
		fmt.Fprintf(&b, "%s\n", f)
	}
	for _, t := range w.tables {
		fmt.Fprintf(&b, "table %s: %s\n", t.name, t.text)
	}
	return b.String()
}

var responses = map[wire.APIKey]proto.Message{
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
	wire.APIAlterTable:                 new(flusspb.AlterTableResponse),
	wire.APIAlterClusterConfigs:        new(flusspb.AlterClusterConfigsResponse),
	wire.APIGetTableStats:              new(flusspb.GetTableStatsResponse),
}

// runName tells the databases of this process from those of others.
var runName = sync.OnceValue(func() string { return strings.ToLower(rand2.Text()[:6]) })
