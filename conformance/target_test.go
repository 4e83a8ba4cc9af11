package conformance

import (
	"net"
	"net/url"
	"strings"
	"testing"
	"time"
)

// The target is there: its first address accepts a connection.
func TestTarget(t *testing.T) {
	dsn := Target(t)
	rest, ok := strings.CutPrefix(dsn, "fluss://")
	if !ok {
		t.Fatalf("DSN %s", dsn)
	}
	hosts, _, _ := strings.Cut(rest, "/")
	first, _, _ := strings.Cut(hosts, ",")
	u, err := url.Parse("fluss://" + first)
	if err != nil {
		t.Fatal(err)
	}
	conn, err := net.DialTimeout("tcp", u.Host, 10*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	conn.Close()
}
