package fluss

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"strings"
	"time"
)

// Version is the version of this driver, which it tells the server as its client version.
const Version = "0.1.0"

// Config says how to reach a cluster and how statements behave. Start from [NewConfig] or [ParseDSN]; a zero
// field means its default, which the field's comment names with its DSN key.
type Config struct {
	Addresses []string // host:port of servers to start from, coordinators and tablet servers alike
	User      string
	Password  string
	Database  string // the database of names without one; "fluss"

	ConnectTimeout time.Duration // connect_timeout, 10s: one dial with its handshake
	AttemptTimeout time.Duration // attempt_timeout, 3s: silence after which a read is tried again through fresh metadata
	RequestTimeout time.Duration // request_timeout, 30s: a read without a deadline; one attempt of a write or of DDL
	WriteTimeout   time.Duration // write_timeout, 2m: a write with all its retries

	SASL                   string      // sasl: "plain" (the default when a user is given) or "none"
	TLS                    string      // tls: "", "false", "true", "skip-verify" or a name given to RegisterTLSConfig
	TLSConfig              *tls.Config // used instead of TLS when set; there is no DSN key
	AllowPlaintextPassword bool        // allow_plaintext_password: send credentials without TLS to hosts that are not loopback

	Location     *time.Location // loc, UTC: location of TIMESTAMP_LTZ values
	DecimalRound bool           // decimal_round: round surplus digits half up instead of refusing them
	TimeTruncate bool           // time_truncate: cut surplus digits of times instead of refusing them
	ANSIQuotes   bool           // ansi_quotes: "x" is a name, not a string
	LastInsertID string         // last_insert_id, "auto": an error on tables with an auto-increment column; "zero": (0, nil)

	Tx            string // tx, "batch": BeginTx buffers writes and Commit sends them; "stream": full batches are sent while the next fill; "off": BeginTx fails
	TxBufferBytes int64  // tx_buffer_bytes, 64 MiB: what a transaction may hold; with tx=stream, what it holds before it waits

	FullScan     string // full_scan, "auto": whole reads of a key table up to FullScanRows; "allow"; "refuse"
	FullScanRows int64  // full_scan_rows, 100000

	Acks                     string // acks, "all"; "1", "0"
	DisableDynamicPartitions bool   // dynamic_partitions=false: do not create a missing partition on write
	MaxResponseBytes         int64  // max_response_bytes, 64 MiB: one answer, checked before it is allocated
	MaxScanBytes             int64  // max_scan_bytes, 256 MiB: what one statement may hold decoded or fetched ahead
	MaxInflightBytes         int64  // max_inflight_bytes, 64 MiB: unacknowledged writes of one Connector; more wait
	BucketNum                int    // bucket_num, the server's: bucket count of a CREATE TABLE without one
	Client                   string // client, "gofluss/<version>": software name and version in ApiVersions

	// Dial opens a network connection, in place of a net.Dialer. There is no DSN key.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
	// Logger takes what the driver has to say and no statement can report. nil: nothing is logged. There is no DSN key.
	Logger *slog.Logger
	// OnRequest, if any, is told of every request when it ends. It is called on the goroutines of the connections and must
	// not block. There is no DSN key.
	OnRequest func(RequestInfo)
}

// RequestInfo is what Config.OnRequest gets to know of a request to a server.
type RequestInfo struct {
	API           string // "LOOKUP"
	Server        string // host:port
	RequestBytes  int    // the whole frame
	ResponseBytes int    // the body of the answer; 0 without one
	Duration      time.Duration
	Err           error // why there is no answer, or the server's refusal of the whole request
}

// Defaults of a Config.
const (
	DefaultPort     = "9123"
	DefaultDatabase = "fluss"

	defaultConnectTimeout = 10 * time.Second
	defaultAttemptTimeout = 3 * time.Second
	defaultRequestTimeout = 30 * time.Second
	defaultWriteTimeout   = 2 * time.Minute
	defaultFullScanRows   = 100_000
	defaultTxBufferBytes  = 64 << 20
	defaultResponseBytes  = 64 << 20
	defaultScanBytes      = 256 << 20
	defaultInflightBytes  = 64 << 20
)

// NewConfig returns a Config for the given servers with all defaults filled in.
func NewConfig(addresses ...string) *Config {
	c := &Config{Addresses: addresses}
	c.setDefaults()
	return c
}

func orDefault[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

func (c *Config) setDefaults() {
	orDefault(&c.Database, DefaultDatabase)
	orDefault(&c.ConnectTimeout, defaultConnectTimeout)
	orDefault(&c.AttemptTimeout, defaultAttemptTimeout)
	orDefault(&c.RequestTimeout, defaultRequestTimeout)
	orDefault(&c.WriteTimeout, defaultWriteTimeout)
	if c.SASL == "" {
		c.SASL = "none"
		if c.User != "" {
			c.SASL = "plain"
		}
	}
	orDefault(&c.TLS, "false")
	orDefault(&c.Location, time.UTC)
	orDefault(&c.LastInsertID, "auto")
	orDefault(&c.Tx, "batch")
	orDefault(&c.TxBufferBytes, defaultTxBufferBytes)
	orDefault(&c.FullScan, "auto")
	orDefault(&c.FullScanRows, defaultFullScanRows)
	orDefault(&c.Acks, "all")
	orDefault(&c.MaxResponseBytes, defaultResponseBytes)
	orDefault(&c.MaxScanBytes, defaultScanBytes)
	orDefault(&c.MaxInflightBytes, defaultInflightBytes)
	orDefault(&c.Client, "gofluss/"+Version)
}

// validate reports the first thing that cannot be, in words that name the field by its DSN key.
func (c *Config) validate() error {
	if len(c.Addresses) == 0 {
		return errors.New("fluss: no server address is given")
	}
	for _, a := range c.Addresses {
		if host, port, err := net.SplitHostPort(a); err != nil || host == "" || port == "" {
			return errors.New("fluss: a server address is not of the form host:port")
		}
	}
	for _, d := range []struct {
		key   string
		value time.Duration
	}{{"connect_timeout", c.ConnectTimeout}, {"attempt_timeout", c.AttemptTimeout}, {"request_timeout", c.RequestTimeout}, {"write_timeout", c.WriteTimeout}} {
		if d.value < 0 {
			return fmt.Errorf("fluss: %s must be positive", d.key)
		}
	}
	for _, w := range []struct {
		key, value string
		allowed    []string
	}{
		{"sasl", c.SASL, []string{"none", "plain"}},
		{"last_insert_id", c.LastInsertID, []string{"auto", "zero"}},
		{"tx", c.Tx, []string{"batch", "stream", "off"}},
		{"full_scan", c.FullScan, []string{"auto", "allow", "refuse"}},
		{"acks", c.Acks, []string{"all", "1", "0"}},
	} {
		if err := oneOf(w.key, w.value, w.allowed...); err != nil {
			return err
		}
	}
	if c.SASL == "plain" && (c.User == "" || c.Password == "") {
		return errors.New("fluss: sasl=plain needs a user name and a password")
	}
	if c.TxBufferBytes < 1<<16 {
		return errors.New("fluss: tx_buffer_bytes must be at least 65536")
	}
	if c.MaxResponseBytes < 1<<16 {
		return errors.New("fluss: max_response_bytes must be at least 65536")
	}
	_, err := c.tlsConfig()
	if err != nil {
		return err
	}
	return c.checkPlaintext()
}

// checkPlaintext refuses to send a password readable over a network.
func (c *Config) checkPlaintext() error {
	if c.SASL != "plain" || c.AllowPlaintextPassword || c.TLSConfig != nil || c.TLS != "false" {
		return nil
	}
	for _, a := range c.Addresses {
		host, _, _ := net.SplitHostPort(a)
		if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
			return errors.New("fluss: refusing to send a password without TLS to a host that is not loopback: set tls=true, or allow_plaintext_password=true")
		}
	}
	return nil
}

func oneOf(key, value string, allowed ...string) error {
	for _, a := range allowed {
		if value == a {
			return nil
		}
	}
	return fmt.Errorf("fluss: %s must be one of %s", key, strings.Join(allowed, ", "))
}

// clone returns a private copy.
func (c *Config) clone() *Config {
	d := *c
	d.Addresses = append([]string(nil), c.Addresses...)
	if c.TLSConfig != nil {
		d.TLSConfig = c.TLSConfig.Clone()
	}
	return &d
}

// masked is the DSN with the password left out.
func (c *Config) masked() string {
	d := *c
	if d.Password != "" {
		d.Password = "***"
	}
	return d.FormatDSN()
}

// String is the DSN with the password masked.
func (c Config) String() string { return c.masked() }

// GoString is String: %#v must not show the password either.
func (c Config) GoString() string { return "fluss.Config(" + c.masked() + ")" }

// Format prints String for every verb.
func (c Config) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte(c.masked())) }

// MarshalJSON gives String.
func (c Config) MarshalJSON() ([]byte, error) { return json.Marshal(c.masked()) }

// LogValue gives String.
func (c Config) LogValue() slog.Value { return slog.StringValue(c.masked()) }
