package route

import (
	"context"
	"fmt"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/wire"
	"github.com/gofluss/fluss/internal/wire/flusspb"
)

var (
	_ wire.Handler = (*writeFrame)(nil)
	_ writeCluster = clientCluster{}
	_ writeConn    = (*wire.Conn)(nil)
)

// clientCluster is a Client as its writer sees it.
type clientCluster struct{ *Client }

func (c clientCluster) doubt(t *catalog.Table, b catalog.Bucket, seen leader, code wire.ErrorCode) {
	if code == 0 {
		c.suspect(t, b, seen)
		return
	}
	if classify(code) == classGone {
		code = wire.CodeUnknownTableOrBucket
	}
	c.suspectCode(t, b, seen, code)
}

func (c clientCluster) writeConn(ctx context.Context, server int32) (writeConn, error) {
	conn, err := c.conn(ctx, server, bulkConn)
	if err != nil {
		return nil, err // not a nil *wire.Conn in an interface
	}
	return conn, nil
}

func (c clientCluster) silent(server int32, conn writeConn, err error) {
	if conn, ok := conn.(*wire.Conn); ok {
		c.blame(c.tablet(server), bulkConn, conn, err)
	}
}

func (c clientCluster) newWriterID(ctx context.Context, server int32, t *catalog.Table) (int64, error) {
	conn, err := c.conn(ctx, server, smallConn)
	if err != nil {
		return -1, err
	}
	req := &flusspb.InitWriterRequest{TablePath: []*flusspb.PbTablePath{tablePath(t.Path)}}
	var resp flusspb.InitWriterResponse
	if err := conn.Call(ctx, wire.APIInitWriter, c.cfg.AttemptTimeout, req, &resp); err != nil { // asked again at no harm
		return -1, err
	}
	if resp.WriterId == nil || resp.GetWriterId() < 0 {
		return -1, fmt.Errorf("INIT_WRITER: %w: writer id %d", errMalformed, resp.GetWriterId())
	}
	return resp.GetWriterId(), nil
}

func (c clientCluster) endOffset(ctx context.Context, t *catalog.Table, b catalog.Bucket) (int64, error) {
	offsets, err := c.Offsets(ctx, t, []catalog.Bucket{b}, Latest())
	if err != nil {
		return -1, err
	}
	return offsets[0], nil
}
