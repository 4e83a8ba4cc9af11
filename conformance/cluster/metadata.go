package cluster

import (
	"context"
	"fmt"
)

// node is a server as GET_METADATA names it.
type node struct {
	id   uint64
	host string
	port uint64
}

func (n node) addr() string { return fmt.Sprintf("%s:%d", n.host, n.port) }

// bucketLeader is a bucket and its leader's server id, -1 while there is none.
type bucketLeader struct {
	bucket uint64
	leader int64
}

// metadata is what of a GET_METADATA answer matters here.
type metadata struct {
	tablets []node
	tableID uint64
	buckets []bucketLeader // of the table asked for; empty for a partitioned table
}

// tablet finds a live tablet server.
func (m *metadata) tablet(id int64) (node, bool) {
	for _, n := range m.tablets {
		if int64(n.id) == id {
			return n, true
		}
	}
	return node{}, false
}

// getMetadata asks for the servers, and for one table unless db is "". A table that does not exist is a *serverError.
func (p *probeConn) getMetadata(ctx context.Context, db, table string) (*metadata, error) {
	var body []byte
	if db != "" {
		body = appendBytes(nil, 1, tablePath(db, table))
	}
	answer, err := p.call(ctx, apiGetMetadata, body)
	if err != nil {
		return nil, err
	}
	return parseMetadata(answer)
}

func parseMetadata(answer []byte) (*metadata, error) {
	m := &metadata{}
	var bad error
	err := eachField(answer, func(f field) {
		switch f.number {
		case 2:
			n, err := parseNode(f.bytes)
			m.tablets = append(m.tablets, n)
			bad = firstError(bad, err)
		case 3:
			bad = firstError(bad, m.parseTable(f.bytes))
		}
	})
	return m, firstError(err, bad)
}

func parseNode(b []byte) (n node, err error) {
	err = eachField(b, func(f field) {
		switch f.number {
		case 1:
			n.id = f.value
		case 2:
			n.host = string(f.bytes)
		case 3:
			n.port = f.value
		}
	})
	return n, err
}

func (m *metadata) parseTable(b []byte) error {
	var bad error
	err := eachField(b, func(f field) {
		switch f.number {
		case 2:
			m.tableID = f.value
		case 5:
			l, err := parseBucket(f.bytes)
			m.buckets = append(m.buckets, l)
			bad = firstError(bad, err)
		}
	})
	return firstError(err, bad)
}

func parseBucket(b []byte) (bucketLeader, error) {
	l := bucketLeader{leader: -1}
	err := eachField(b, func(f field) {
		switch f.number {
		case 1:
			l.bucket = f.value
		case 2:
			l.leader = int64(f.value)
		}
	})
	return l, err
}

func tablePath(db, table string) []byte { return appendText(appendText(nil, 1, db), 2, table) }

func firstError(a, b error) error {
	if a != nil {
		return a
	}
	return b
}
