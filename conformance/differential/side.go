package differential

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/gofluss/fluss/internal/wire"
	"github.com/gofluss/fluss/internal/wire/flusspb"
)

// callTimeout bounds one request. A request that a server never answers takes silence instead.
const (
	callTimeout = 30 * time.Second
	silence     = 400 * time.Millisecond
)

// Symbols stand for ids in requests and answers: the n-th table of a world is firstTable+n on both servers. No server
// hands out ids that large.
const (
	firstTable     = 1_000_000_000
	firstPartition = 2_000_000_000
	strangeID      = 3_000_000_000 // from here on: ids of nothing
)

// server is one of the two, as one world sees it.
type server struct {
	name  string
	slow  bool // it takes time for a change to reach all of it
	conns map[int]*wire.Conn

	real       map[int64]int64 // of a symbol
	tables     map[int64]int64 // symbol of a table's id
	partitions map[int64]int64 // symbol of a partition's id
}

// connect opens a connection to the coordinator and one to the tablet server, which has to be the only one.
func connect(ctx context.Context, name, address string, slow bool) (*server, error) {
	s := &server{
		name: name, slow: slow, conns: map[int]*wire.Conn{},
		real: map[int64]int64{}, tables: map[int64]int64{}, partitions: map[int64]int64{},
	}
	first, err := wire.Dial(ctx, address, &wire.Config{})
	if err != nil {
		return nil, err
	}
	defer first.Close()
	meta := new(flusspb.MetadataResponse)
	if err := first.Call(ctx, wire.APIGetMetadata, callTimeout, new(flusspb.MetadataRequest), meta); err != nil {
		return nil, err
	}
	if meta.CoordinatorServer == nil || len(meta.TabletServers) != 1 {
		return nil, fmt.Errorf("%s: want a coordinator and one tablet server, have %d", address, len(meta.TabletServers))
	}
	for role, node := range map[int]*flusspb.PbServerNode{
		wire.CoordinatorServer: meta.CoordinatorServer, wire.TabletServer: meta.TabletServers[0],
	} {
		address := net.JoinHostPort(node.GetHost(), strconv.Itoa(int(node.GetPort())))
		if s.conns[role], err = wire.Dial(ctx, address, &wire.Config{}); err != nil {
			s.close()
			return nil, err
		}
	}
	return s, nil
}

func (s *server) close() {
	for _, c := range s.conns {
		c.Close()
	}
}

// errSilent says that a server gave no answer.
var errSilent = errors.New("no answer")

// call sends a request after putting this server's ids into it. The error is a *wire.ServerError, errSilent or one that
// ends the test.
func (s *server) call(ctx context.Context, role int, api wire.APIKey, request, answer proto.Message) error {
	request = proto.Clone(request)
	s.putIDs(request.ProtoReflect())
	return s.conns[role].Call(ctx, api, callTimeout, request, answer)
}

// send sends bytes that may be no request at all. A nil answer without an error is one whose bytes do not count.
func (s *server) send(ctx context.Context, role int, api wire.APIKey, body []byte) error {
	ctx, cancel := context.WithTimeout(ctx, silence)
	defer cancel()
	_, err := s.conns[role].Do(ctx, api, 0, func(dst []byte) []byte { return append(dst, body...) })
	if errors.Is(err, context.DeadlineExceeded) {
		return errSilent
	}
	return err
}

// learn notes what a symbol stands for.
func (s *server) learn(symbol, id int64) {
	s.real[symbol] = id
	if symbol >= firstPartition {
		s.partitions[id] = symbol
	} else {
		s.tables[id] = symbol
	}
}

func (s *server) putIDs(m protoreflect.Message) {
	m.Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case f.Kind() == protoreflect.MessageKind && f.IsList():
			for i := range v.List().Len() {
				s.putIDs(v.List().Get(i).Message())
			}
		case f.Kind() == protoreflect.MessageKind:
			s.putIDs(v.Message())
		case f.Name() == "table_id", f.Name() == "partition_id":
			if id, ok := s.real[v.Int()]; ok {
				m.Set(f, protoreflect.ValueOfInt64(id))
			}
		case f.Name() == "partitions_id":
			for i := range v.List().Len() {
				if id, ok := s.real[v.List().Get(i).Int()]; ok {
					v.List().Set(i, protoreflect.ValueOfInt64(id))
				}
			}
		}
		return true
	})
}
