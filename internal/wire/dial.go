package wire

import (
	"context"
	"crypto/tls"
	"errors"
	"net"

	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss/internal/wire/flusspb"
)

// Dial opens a connection and shakes hands: transport, TLS, API_VERSIONS, then AUTHENTICATE when the Config has
// credentials. All of it is bound by ctx and by ConnectTimeout. Errors are a *HandshakeError; there is no second
// try with less security.
func Dial(ctx context.Context, addr string, cfg *Config) (*Conn, error) {
	conf := cfg.withDefaults()
	ctx, cancel := context.WithTimeout(ctx, conf.ConnectTimeout)
	defer cancel()
	nc, err := conf.Dial(ctx, "tcp", addr)
	if err != nil {
		return nil, &HandshakeError{Server: addr, Step: "connect", Err: orContext(ctx, err)}
	}
	if conf.TLS != nil {
		if nc, err = startTLS(ctx, nc, addr, conf.TLS); err != nil {
			return nil, &HandshakeError{Server: addr, Step: "tls", Err: orContext(ctx, err)}
		}
	}
	c := newConn(nc, addr, conf)
	// A transport may block in a write; the end of ctx frees it by breaking the connection.
	stop := context.AfterFunc(ctx, func() { c.fail(ctx.Err()) })
	step, err := c.handshake(ctx)
	if !stop() && err == nil {
		err = ctx.Err()
	}
	if err != nil {
		c.Close()
		return nil, &HandshakeError{Server: addr, Step: step, Err: orContext(ctx, cause(err))}
	}
	return c, nil
}

// orContext prefers the context's error when the context has ended: a dialer says "i/o timeout" instead.
func orContext(ctx context.Context, err error) error {
	if end := ctx.Err(); end != nil && !errors.Is(err, end) {
		return end
	}
	return err
}

// startTLS returns the encrypted transport, or closes it.
func startTLS(ctx context.Context, nc net.Conn, addr string, conf *tls.Config) (net.Conn, error) {
	if conf.ServerName == "" {
		conf = conf.Clone()
		conf.ServerName = addr
		if host, _, err := net.SplitHostPort(addr); err == nil {
			conf.ServerName = host
		}
	}
	t := tls.Client(nc, conf)
	if err := t.HandshakeContext(ctx); err != nil {
		nc.Close()
		return nil, err
	}
	return t, nil
}

// handshake learns the server's versions and authenticates. It returns the step it came to.
func (c *Conn) handshake(ctx context.Context) (step string, err error) {
	if err := c.askVersions(ctx); err != nil {
		return APIVersions.String(), err
	}
	if c.cfg.SASL == nil {
		return APIVersions.String(), nil
	}
	return APIAuthenticate.String(), c.authenticate(ctx, c.cfg.SASL)
}

// askVersions keeps for each API the highest version both sides know. An API without one, or with nonsense for a
// range, counts as not offered.
func (c *Conn) askVersions(ctx context.Context) error {
	req := &flusspb.ApiVersionsRequest{
		ClientSoftwareName: proto.String(c.cfg.ClientName), ClientSoftwareVersion: proto.String(c.cfg.ClientVersion),
	}
	var resp flusspb.ApiVersionsResponse
	if err := c.call(ctx, APIVersions, 0, 0, req, &resp); err != nil {
		return err
	}
	c.serverType = int(resp.GetServerType())
	for _, v := range resp.ApiVersions {
		if v.GetApiKey() < int32(firstAPI) || v.GetApiKey() > int32(lastAPI) {
			continue
		}
		i := APIKey(v.GetApiKey()) - firstAPI
		best := min(v.GetMaxVersion(), int32(apis[i].maxVersion))
		if best >= v.GetMinVersion() && best >= 0 {
			c.versions[i] = int16(best)
		}
	}
	return nil
}
