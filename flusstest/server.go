package flusstest

import (
	"context"
	"fmt"
	"maps"
	"net"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"
)

// Server is an embedded cluster: a coordinator and one or more tablet servers, each with an address of its own.
// All methods are safe for concurrent use.
type Server struct {
	opt     options
	now     func() time.Time
	network network
	cluster *cluster
	hooks   hooks
	links   links
	rights  *rights // nil without an authorizer

	coordinator *node
	tablets     []*node

	closing chan struct{} // closed by Close
	once    sync.Once
	work    sync.WaitGroup // every goroutine of the server
}

// NewServer starts a cluster. It panics when it cannot listen, as httptest.NewServer does. Close ends it.
func NewServer(opts ...Option) *Server {
	s := &Server{opt: defaults(), now: time.Now, closing: make(chan struct{}), network: tcpNetwork{}}
	for _, o := range opts {
		o(&s.opt)
	}
	if s.opt.inMemory {
		s.network = newMemNetwork()
	}
	if s.opt.clock != nil {
		s.now = s.opt.clock.Now
	}
	if s.opt.authorize {
		s.rights = newRights(s.opt.superUsers)
	}
	s.coordinator = newNode(s, wireCoordinator, 0)
	for i := range s.opt.tablets {
		s.tablets = append(s.tablets, newNode(s, wireTablet, int32(i)))
	}
	s.cluster = newCluster(s)
	for _, n := range s.nodes() {
		if err := n.start(); err != nil {
			s.Close()
			panic(fmt.Sprintf("flusstest: %v", err))
		}
	}
	s.watchPartitions()
	return s
}

// nodes returns all servers, the coordinator first.
func (s *Server) nodes() []*node { return append([]*node{s.coordinator}, s.tablets...) }

// Close ends all servers, their listeners and connections, and waits for every goroutine to end. It must not be called
// from a hook.
func (s *Server) Close() {
	s.once.Do(func() {
		close(s.closing)
		for _, n := range s.nodes() {
			n.stop()
			n.thaw()
		}
	})
	s.work.Wait()
}

// spawn runs f in a goroutine that Close waits for. f has to end when s.closing is closed.
func (s *Server) spawn(f func()) { s.work.Go(f) }

// Addresses returns the addresses of all servers, host:port, the coordinator first and then the tablet servers by id.
func (s *Server) Addresses() []string {
	var list []string
	for _, n := range s.nodes() {
		list = append(list, n.address())
	}
	return list
}

// DSN returns a data source name with all addresses and the default database "fluss". With Users it holds the
// credentials of the first user by name.
func (s *Server) DSN() string { return s.DSNFor("fluss") }

// DSNFor returns a DSN like DSN's with another default database.
func (s *Server) DSNFor(database string) string {
	login := ""
	if names := slices.Sorted(maps.Keys(s.opt.users)); len(names) > 0 {
		login = url.UserPassword(names[0], s.opt.users[names[0]]).String() + "@"
	}
	return "fluss://" + login + strings.Join(s.Addresses(), ",") + "/" + url.PathEscape(database)
}

// Dial connects to one of Addresses, over whatever network the server is on. It fits net.Dialer.DialContext.
func (s *Server) Dial(ctx context.Context, network, addr string) (net.Conn, error) {
	return s.network.dial(ctx, network, addr)
}
