package conformance

import (
	"database/sql"
	"io"
	"net"
	"strings"
	"sync"
	"testing"

	"github.com/gofluss/fluss"
	"github.com/gofluss/fluss/flusstest"
)

// badServer listens and treats each connection as serve says, until the test ends. arrived gets a value when a
// connection comes, if there is room.
type badServer struct {
	listener net.Listener
	arrived  chan struct{}
	closing  chan struct{}

	mu    sync.Mutex
	conns []net.Conn
	work  sync.WaitGroup
}

func newBadServer(t *testing.T, serve func(s *badServer, nc net.Conn)) *badServer {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &badServer{listener: l, arrived: make(chan struct{}, 100), closing: make(chan struct{})}
	s.work.Go(func() { // ends when the listener is closed; waited for by close
		for {
			nc, err := l.Accept()
			if err != nil {
				return
			}
			s.mu.Lock()
			s.conns = append(s.conns, nc)
			s.mu.Unlock()
			select {
			case s.arrived <- struct{}{}:
			default:
			}
			s.work.Go(func() { // ends when the connection is closed; waited for by close
				defer nc.Close()
				serve(s, nc)
			})
		}
	})
	t.Cleanup(s.close)
	return s
}

func (s *badServer) addr() string { return s.listener.Addr().String() }

func (s *badServer) close() {
	s.listener.Close()
	select {
	case <-s.closing:
		return
	default:
		close(s.closing)
	}
	s.mu.Lock()
	for _, nc := range s.conns {
		nc.Close()
	}
	s.mu.Unlock()
	s.work.Wait()
}

// silent takes all bytes and answers none.
func silent(s *badServer, nc net.Conn) { io.Copy(io.Discard, nc) }

// hangUp closes at once.
func hangUp(s *badServer, nc net.Conn) {}

// chatty answers in another protocol.
func chatty(s *badServer, nc net.Conn) {
	io.WriteString(nc, "HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n")
	io.Copy(io.Discard, nc)
}

// firstAnswers relays to a real server until n answers went back, and does then what says.
func firstAnswers(real string, n int, then func(s *badServer, nc net.Conn)) func(s *badServer, nc net.Conn) {
	return func(s *badServer, nc net.Conn) {
		up, err := net.DialTimeout("tcp", real, callDeadline)
		if err != nil {
			return
		}
		defer up.Close()
		s.work.Go(func() { // ends when either is closed
			defer up.Close()
			io.Copy(plain{up}, nc)
		})
		for range n {
			if _, err := copyFrame(plain{nc}, up); err != nil {
				return
			}
		}
		then(s, nc)
	}
}

// plain hides what else a socket can do: a splice would leave pipes in a pool.
type plain struct{ io.Writer }

// copyFrame passes one frame on.
func copyFrame(dst io.Writer, src io.Reader) (int64, error) {
	var head [4]byte
	if _, err := io.ReadFull(src, head[:]); err != nil {
		return 0, err
	}
	if _, err := dst.Write(head[:]); err != nil {
		return 0, err
	}
	n := int64(head[0])<<24 | int64(head[1])<<16 | int64(head[2])<<8 | int64(head[3])
	return io.CopyN(dst, src, n)
}

// untilClosed keeps the connection open and takes no byte.
func untilClosed(s *badServer, nc net.Conn) { <-s.closing }

// nobody is an address where nothing listens.
func nobody(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// hosts are the addresses of the target.
func hosts(t *testing.T) []string {
	t.Helper()
	rest := strings.TrimPrefix(Target(t), "fluss://")
	rest, _, _ = strings.Cut(rest, "/")
	return strings.Split(rest[strings.LastIndex(rest, "@")+1:], ",")
}

// TestStoredNobodyTellsWhere: code 32 proves rows stored and tells no offset. RETURNING gives NULL then, LastWrite -1.
func TestStoredNobodyTellsWhere(t *testing.T) {
	srv := flusstest.Run(t)
	db, err := sql.Open("fluss", srv.DSN())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	mustExec(t, db, "CREATE TABLE l (id INT)")
	conn, err := db.Conn(timeout(t))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	const duplicate = 32
	srv.Hook(flusstest.First(1, flusstest.ProduceLog, flusstest.Action{Code: duplicate}))
	rows, err := conn.QueryContext(timeout(t), "INSERT INTO l VALUES (1), (2) RETURNING _bucket, _log_offset")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	n := 0
	for ; rows.Next(); n++ {
		var bucket int
		var offset sql.NullInt64
		if err := rows.Scan(&bucket, &offset); err != nil || bucket != 0 || offset.Valid {
			t.Errorf("row %d: bucket %d, offset %v, %v", n, bucket, offset, err)
		}
	}
	if n != 2 || rows.Err() != nil {
		t.Errorf("%d rows, %v", n, rows.Err())
	}
	err = conn.Raw(func(dc any) error {
		w, err := fluss.LastWrite(dc)
		if len(w.Buckets) != 1 || w.Buckets[0].Offset != -1 || w.Buckets[0].Rows != 2 {
			t.Errorf("LastWrite %+v", w)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}
