package fluss

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"io"
	"strings"
	"sync/atomic"

	"github.com/gofluss/fluss/internal/plan"
	"github.com/gofluss/fluss/internal/route"
	"github.com/gofluss/fluss/internal/row"
	"github.com/gofluss/fluss/internal/wire"
)

func init() { sql.Register("fluss", &Driver{}) }

// Driver is the database/sql driver, registered as "fluss".
type Driver struct{}

var (
	_ driver.Driver        = (*Driver)(nil)
	_ driver.DriverContext = (*Driver)(nil)
	_ driver.Connector     = (*Connector)(nil)
	_ io.Closer            = (*Connector)(nil)
)

// Open connects by DSN. database/sql does not call it: it uses OpenConnector.
func (d *Driver) Open(dsn string) (driver.Conn, error) {
	c, err := d.OpenConnector(dsn)
	if err != nil {
		return nil, err
	}
	return c.Connect(context.Background())
}

// OpenConnector reads the DSN. It touches no network.
func (d *Driver) OpenConnector(dsn string) (driver.Connector, error) {
	cfg, err := ParseDSN(dsn)
	if err != nil {
		return nil, err
	}
	return NewConnector(cfg)
}

// Connector owns what the connections of one sql.DB share: the client of the cluster with its few sockets, and the
// cache of plans. It is safe for concurrent use, and closed by sql.DB.Close.
type Connector struct {
	cfg    *Config // a pointer, so that printing a Connector does not print the password
	client *route.Client
	plans  *planCache
	opts   plan.Options
	closed atomic.Bool
}

// NewConnector checks cfg and takes a private copy. It touches no network.
func NewConnector(cfg *Config) (*Connector, error) {
	c := &Connector{cfg: cfg.clone(), plans: newPlanCache()}
	c.cfg.setDefaults()
	if err := c.cfg.validate(); err != nil {
		return nil, err
	}
	rc, err := c.cfg.routeConfig()
	if err != nil {
		return nil, err
	}
	c.opts.Bind = row.BindOptions{Location: c.cfg.Location, RoundDecimal: c.cfg.DecimalRound, TruncateTime: c.cfg.TimeTruncate}
	c.client = route.New(rc)
	return c, nil
}

func (c *Config) routeConfig() (route.Config, error) {
	tlsConfig, err := c.tlsConfig()
	if err != nil {
		return route.Config{}, err
	}
	name, version, _ := strings.Cut(c.Client, "/")
	rc := route.Config{
		Addresses: c.Addresses,
		Wire: wire.Config{
			Dial:           c.Dial,
			TLS:            tlsConfig,
			ClientName:     name,
			ClientVersion:  version,
			MaxResponse:    int(c.MaxResponseBytes),
			ConnectTimeout: c.ConnectTimeout,
		},
		AttemptTimeout:    c.AttemptTimeout,
		RequestTimeout:    c.RequestTimeout,
		WriteTimeout:      c.WriteTimeout,
		Acks:              map[string]int32{"all": -1, "1": 1, "0": 0}[c.Acks],
		DynamicPartitions: !c.DisableDynamicPartitions,
		MaxInflightBytes:  int(c.MaxInflightBytes),
		MaxResponseBytes:  int(c.MaxResponseBytes),
		MaxScanBytes:      int(c.MaxScanBytes),
		Logger:            c.Logger,
	}
	if on := c.OnRequest; on != nil {
		rc.Wire.OnCall = func(i wire.CallInfo) {
			on(RequestInfo{i.API.String(), i.Addr, i.RequestBytes, i.ResponseBytes, i.Duration, translate(i.Err, "")})
		}
	}
	if c.SASL == "plain" {
		rc.Wire.SASL = &wire.Credentials{User: c.User, Password: c.Password}
	}
	return rc, nil
}

// Connect returns a connection: a light handle that owns no socket. It touches no network; Ping does.
func (c *Connector) Connect(ctx context.Context) (driver.Conn, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return &conn{c: c, database: c.cfg.Database}, nil
}

// Driver returns the Driver.
func (c *Connector) Driver() driver.Driver { return &Driver{} }

// Close ends the client and everything under way.
func (c *Connector) Close() error {
	if c.closed.Swap(true) {
		return nil
	}
	return c.client.Close()
}

// String is the DSN with the password masked.
func (c *Connector) String() string { return c.cfg.String() }

// Format prints String for every verb.
func (c *Connector) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, c.cfg.String()) }
