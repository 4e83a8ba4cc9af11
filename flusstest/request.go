package flusstest

import (
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/wire"
	"github.com/gofluss/fluss/internal/wire/flusspb"
)

// Request is what a hook sees of a request.
type Request struct {
	API     API
	Version int16
	ID      int32  // of the request, as its connection's client chose it
	Server  int    // the tablet server's id, or Coordinator
	Conn    int64  // the connection's number, which no other one in the process has
	User    string // "" without SASL
	Body    []byte // the message, which must not be changed

	srv *Server
}

// Coordinator stands for the coordinator where a tablet server's id is wanted.
const Coordinator = -1

// Bucket names a bucket in a request. Partition is the partition's id, -1 when the request names none.
type Bucket struct {
	TableID   int64
	Partition int64
	ID        int
}

func newRequest(c *connection, req wire.Request) *Request {
	r := &Request{
		API: API(req.API), Version: req.Version, ID: req.ID, Server: int(c.node.id), Conn: c.id, User: c.user,
		Body: req.Body, srv: c.node.srv,
	}
	if c.node.kind == wireCoordinator {
		r.Server = Coordinator
	}
	return r
}

// Table returns the table the request names, by path or by id, as "database.table": the first one if there are several,
// "" if there is none or its id is not known.
func (r *Request) Table() string {
	m := r.message()
	if m == nil {
		return ""
	}
	found := ""
	visit(m.ProtoReflect(), func(m protoreflect.Message) {
		if p, ok := m.Interface().(*flusspb.PbTablePath); ok && found == "" {
			found = tablePath(p).String()
		}
		if id, ok := number(m, "table_id"); ok && found == "" {
			found = r.srv.cluster.pathOf(id)
		}
	})
	return found
}

func (c *cluster) pathOf(id int64) string {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if t := c.tablesByID[id]; t != nil {
		return t.path.String()
	}
	return ""
}

// Buckets returns the buckets the request names.
func (r *Request) Buckets() []Bucket {
	m := r.message()
	if m == nil {
		return nil
	}
	var list []Bucket
	table, partition := int64(-1), catalog.NoPartition
	visit(m.ProtoReflect(), func(m protoreflect.Message) {
		if id, ok := number(m, "table_id"); ok {
			table = id
		}
		if id, ok := number(m, "partition_id"); ok {
			partition = id
		}
		f := m.Descriptor().Fields().ByName("bucket_id")
		switch {
		case f == nil:
		case f.IsList(): // LIST_OFFSETS
			for l, i := m.Get(f).List(), 0; i < l.Len(); i++ {
				list = append(list, Bucket{table, partition, int(l.Get(i).Int())})
			}
		default:
			list = append(list, Bucket{table, partition, int(m.Get(f).Int())})
			partition = catalog.NoPartition
		}
	})
	return list
}

// message parses the body; nil when it is none.
func (r *Request) message() proto.Message {
	empty := requests[wire.APIKey(r.API)]
	if empty == nil {
		return nil
	}
	m := proto.Clone(empty)
	if proto.Unmarshal(r.Body, m) != nil {
		return nil
	}
	return m
}

// requests are the messages that name tables or buckets.
var requests = map[wire.APIKey]proto.Message{
	wire.APICreateTable:           new(flusspb.CreateTableRequest),
	wire.APIDropTable:             new(flusspb.DropTableRequest),
	wire.APIGetTableInfo:          new(flusspb.GetTableInfoRequest),
	wire.APIListPartitionInfos:    new(flusspb.ListPartitionInfosRequest),
	wire.APITableExists:           new(flusspb.TableExistsRequest),
	wire.APIGetTableSchema:        new(flusspb.GetTableSchemaRequest),
	wire.APIGetMetadata:           new(flusspb.MetadataRequest),
	wire.APIProduceLog:            new(flusspb.ProduceLogRequest),
	wire.APIFetchLog:              new(flusspb.FetchLogRequest),
	wire.APIPutKV:                 new(flusspb.PutKvRequest),
	wire.APILookup:                new(flusspb.LookupRequest),
	wire.APIListOffsets:           new(flusspb.ListOffsetsRequest),
	wire.APIGetLatestKVSnapshots:  new(flusspb.GetLatestKvSnapshotsRequest),
	wire.APIGetKVSnapshotMetadata: new(flusspb.GetKvSnapshotMetadataRequest),
	wire.APIInitWriter:            new(flusspb.InitWriterRequest),
	wire.APIGetLakeSnapshot:       new(flusspb.GetLakeSnapshotRequest),
	wire.APILimitScan:             new(flusspb.LimitScanRequest),
	wire.APIPrefixLookup:          new(flusspb.PrefixLookupRequest),
	wire.APICreatePartition:       new(flusspb.CreatePartitionRequest),
	wire.APIDropPartition:         new(flusspb.DropPartitionRequest),
	wire.APIAlterTable:            new(flusspb.AlterTableRequest),
	wire.APIGetTableStats:         new(flusspb.GetTableStatsRequest),
}

// visit calls f for a message and the messages in it, in the order of their fields.
func visit(m protoreflect.Message, f func(protoreflect.Message)) {
	f(m)
	fields := m.Descriptor().Fields()
	for i := range fields.Len() {
		field := fields.Get(i)
		if field.Message() == nil || !m.Has(field) {
			continue
		}
		if !field.IsList() {
			visit(m.Get(field).Message(), f)
			continue
		}
		for l, j := m.Get(field).List(), 0; j < l.Len(); j++ {
			visit(l.Get(j).Message(), f)
		}
	}
}

// number returns an integer field that is set.
func number(m protoreflect.Message, name protoreflect.Name) (int64, bool) {
	f := m.Descriptor().Fields().ByName(name)
	if f == nil || f.IsList() || !m.Has(f) {
		return 0, false
	}
	return m.Get(f).Int(), true
}

// refusal makes an answer with an error code: one that says it for each bucket where the API does so.
func (r *Request) refusal(code wire.ErrorCode, message string) (wire.ResponseType, []byte) {
	var body []byte
	switch wire.APIKey(r.API) {
	case wire.APIProduceLog, wire.APIPutKV, wire.APILookup, wire.APIPrefixLookup:
		for _, b := range r.Buckets() {
			body = appendEntry(body, 1, b.refused(nil, code, message))
		}
	case wire.APIFetchLog:
		for _, b := range r.Buckets() {
			table := protowire.AppendVarint(protowire.AppendTag(nil, 1, protowire.VarintType), uint64(b.TableID))
			body = appendEntry(body, 1, appendEntry(table, 2, b.refused(nil, code, message)))
		}
	case wire.APIListOffsets:
		for _, b := range r.Buckets() {
			entry := protowire.AppendVarint(protowire.AppendTag(nil, 1, protowire.VarintType), uint64(b.ID))
			body = appendEntry(body, 1, appendCode(entry, 2, code, message))
		}
	case wire.APIGetTableStats:
		for _, b := range r.Buckets() {
			body = appendEntry(body, 1, b.appendName(appendCode(nil, 1, code, message), 3))
		}
	case wire.APILimitScan:
		body = appendCode(nil, 1, code, message)
	default:
		return wire.ResponseError, wire.AppendErrorResponse(nil, code, message)
	}
	return wire.ResponseSuccess, body
}

// refused appends the entry most answers have: 1 partition_id, 2 bucket_id, 3 error_code, 4 error_message.
func (b Bucket) refused(dst []byte, code wire.ErrorCode, message string) []byte {
	return appendCode(b.appendName(dst, 1), 3, code, message)
}

// appendName appends the partition's id, if there is one, as field num and the bucket's as the next.
func (b Bucket) appendName(dst []byte, num protowire.Number) []byte {
	if b.Partition != catalog.NoPartition {
		dst = protowire.AppendVarint(protowire.AppendTag(dst, num, protowire.VarintType), uint64(b.Partition))
	}
	return protowire.AppendVarint(protowire.AppendTag(dst, num+1, protowire.VarintType), uint64(b.ID))
}

// appendCode appends a code as field num and its text, if any, as the next.
func appendCode(dst []byte, num protowire.Number, code wire.ErrorCode, message string) []byte {
	dst = protowire.AppendVarint(protowire.AppendTag(dst, num, protowire.VarintType), uint64(int64(code)))
	if message == "" {
		return dst
	}
	return protowire.AppendString(protowire.AppendTag(dst, num+1, protowire.BytesType), message)
}

func appendEntry(dst []byte, num protowire.Number, entry []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(dst, num, protowire.BytesType), entry)
}
