package fluss

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gofluss/fluss/dialect"
)

// ParseDSN reads a data source name:
//
//	fluss://[user[:password]@]host:port[,host:port...][/database][?key=value&...]
//
// User, password, database and values are percent-encoded as in any URL, but for "+", which is itself; IPv6 addresses
// stand in brackets; the default port is 9123. Unknown, repeated and badly typed keys are errors that name the key. No
// error quotes the part of the DSN where the password could be.
func ParseDSN(dsn string) (*Config, error) {
	rest, ok := strings.CutPrefix(dsn, "fluss://")
	if !ok {
		return nil, errors.New("fluss: a DSN starts with fluss://")
	}
	authority, rest := cutAny(rest, "/?#")
	c := &Config{}
	var err error
	if c.User, c.Password, authority, err = cutUser(authority, rest); err != nil {
		return nil, err
	}
	if c.Addresses, err = parseHosts(authority); err != nil {
		return nil, err
	}
	path, query, _ := strings.Cut(rest, "?")
	if strings.Contains(rest, "#") {
		return nil, errors.New("fluss: the DSN holds a '#'; percent-encode it as %23")
	}
	if c.Database, err = unescape(strings.TrimPrefix(path, "/")); err != nil {
		return nil, errors.New("fluss: the database in the DSN is not percent-encoded correctly")
	}
	if strings.Contains(path[min(1, len(path)):], "/") {
		return nil, errors.New("fluss: the DSN has more than one path element; the form is fluss://host:port/database")
	}
	if err := parseQuery(c, query); err != nil {
		return nil, err
	}
	c.setDefaults()
	return c, c.validate()
}

const encodeHint = "a user name or password that holds one of : / ? # [ ] @ % must be percent-encoded"

// cutAny cuts s before the first of the given characters.
func cutAny(s, chars string) (before, after string) {
	if i := strings.IndexAny(s, chars); i >= 0 {
		return s[:i], s[i:]
	}
	return s, ""
}

// cutUser splits [user[:password]@]hosts. rest is what stands behind, where a stray '@' tells that a password was not
// encoded.
func cutUser(authority, rest string) (user, password, hosts string, err error) {
	if strings.Contains(rest, "@") { // what stands in front of it may be a password: nothing of it is named
		return "", "", "", errors.New("fluss: the DSN cannot be taken apart, there is a '@' behind the servers (write %40); " + encodeHint)
	}
	info, hosts, ok := strings.Cut(authority, "@")
	if !ok {
		return "", "", authority, nil
	}
	if strings.Contains(hosts, "@") {
		return "", "", "", errors.New("fluss: the DSN holds more than one '@'; " + encodeHint)
	}
	rawUser, rawPassword, _ := strings.Cut(info, ":")
	if strings.ContainsAny(rawPassword, ":[]") || strings.ContainsAny(rawUser, "[]") {
		return "", "", "", errors.New("fluss: the user or password in the DSN is not encoded; " + encodeHint)
	}
	if rawUser == "" {
		return "", "", "", errors.New("fluss: the DSN holds an '@' without a user name in front of it; " + encodeHint)
	}
	if user, err = unescape(rawUser); err == nil {
		password, err = unescape(rawPassword)
	}
	if err != nil {
		return "", "", "", errors.New("fluss: the user or password in the DSN is not percent-encoded correctly; " + encodeHint)
	}
	return user, password, hosts, nil
}

// unescape decodes %XX and nothing else.
func unescape(s string) (string, error) { return url.PathUnescape(s) }

func parseHosts(s string) ([]string, error) {
	var list []string
	for i, part := range strings.Split(s, ",") {
		host, port := part, DefaultPort
		bracket := strings.HasPrefix(part, "[")
		if h, p, err := net.SplitHostPort(part); err == nil {
			host, port = h, p
		} else if bracket && strings.HasSuffix(part, "]") {
			host = part[1 : len(part)-1]
		} else if bracket || strings.ContainsAny(part, ":]") {
			host = ""
		}
		n, err := strconv.ParseUint(port, 10, 16)
		if host == "" || err != nil || n == 0 || strings.ContainsAny(host, "%@|&^~ ") || strings.Contains(host, ":") && !bracket {
			return nil, fmt.Errorf("fluss: server %d in the DSN is not host:port; %s", i+1, encodeHint)
		}
		list = append(list, net.JoinHostPort(host, port))
	}
	return list, nil
}

// dsnKey reads and writes one key of the DSN.
type dsnKey struct {
	name string
	read func(c *Config, v string) error
	show func(c *Config) string // "" when it is the default
}

var dsnKeys = []dsnKey{
	durationKey("connect_timeout", defaultConnectTimeout, func(c *Config) *time.Duration { return &c.ConnectTimeout }),
	durationKey("attempt_timeout", defaultAttemptTimeout, func(c *Config) *time.Duration { return &c.AttemptTimeout }),
	durationKey("request_timeout", defaultRequestTimeout, func(c *Config) *time.Duration { return &c.RequestTimeout }),
	durationKey("write_timeout", defaultWriteTimeout, func(c *Config) *time.Duration { return &c.WriteTimeout }),
	{"sasl", func(c *Config, v string) error { c.SASL = v; return nil }, func(c *Config) string {
		if c.SASL == "none" && c.User == "" || c.SASL == "plain" && c.User != "" {
			return ""
		}
		return c.SASL
	}},
	textKey("tls", "false", func(c *Config) *string { return &c.TLS }),
	boolKey("allow_plaintext_password", func(c *Config) *bool { return &c.AllowPlaintextPassword }, false),
	{"loc", readLocation, func(c *Config) string {
		if c.Location == nil || c.Location == time.UTC {
			return ""
		}
		return c.Location.String()
	}},
	boolKey("decimal_round", func(c *Config) *bool { return &c.DecimalRound }, false),
	boolKey("time_truncate", func(c *Config) *bool { return &c.TimeTruncate }, false),
	boolKey("ansi_quotes", func(c *Config) *bool { return &c.ANSIQuotes }, false),
	textKey("last_insert_id", "auto", func(c *Config) *string { return &c.LastInsertID }),
	textKey("tx", "batch", func(c *Config) *string { return &c.Tx }),
	sizeKey("tx_buffer_bytes", defaultTxBufferBytes, func(c *Config) *int64 { return &c.TxBufferBytes }),
	textKey("full_scan", "auto", func(c *Config) *string { return &c.FullScan }),
	sizeKey("full_scan_rows", defaultFullScanRows, func(c *Config) *int64 { return &c.FullScanRows }),
	textKey("acks", "all", func(c *Config) *string { return &c.Acks }),
	boolKey("dynamic_partitions", func(c *Config) *bool { return &c.DisableDynamicPartitions }, true),
	sizeKey("max_response_bytes", defaultResponseBytes, func(c *Config) *int64 { return &c.MaxResponseBytes }),
	sizeKey("max_scan_bytes", defaultScanBytes, func(c *Config) *int64 { return &c.MaxScanBytes }),
	sizeKey("max_inflight_bytes", defaultInflightBytes, func(c *Config) *int64 { return &c.MaxInflightBytes }),
	{"bucket_num", func(c *Config, v string) error {
		n, err := strconv.Atoi(v)
		if err != nil || n < 1 {
			return fmt.Errorf("fluss: bucket_num must be a positive number")
		}
		c.BucketNum = n
		return nil
	}, func(c *Config) string {
		if c.BucketNum == 0 {
			return ""
		}
		return strconv.Itoa(c.BucketNum)
	}},
	textKey("client", "gofluss/"+Version, func(c *Config) *string { return &c.Client }),
}

func durationKey(name string, def time.Duration, field func(*Config) *time.Duration) dsnKey {
	return dsnKey{name, func(c *Config, v string) error {
		d, err := time.ParseDuration(v)
		if err != nil || d <= 0 {
			return fmt.Errorf("fluss: %s must be a positive duration such as 5s or 300ms", name)
		}
		*field(c) = d
		return nil
	}, func(c *Config) string {
		if *field(c) == def || *field(c) == 0 {
			return ""
		}
		return field(c).String()
	}}
}

func textKey(name, def string, field func(*Config) *string) dsnKey {
	return dsnKey{name, func(c *Config, v string) error {
		if v == "" {
			return fmt.Errorf("fluss: %s must not be empty", name)
		}
		*field(c) = v
		return nil
	}, func(c *Config) string {
		if *field(c) == def {
			return ""
		}
		return *field(c)
	}}
}

// boolKey is a key for a flag; inverted where the field holds the opposite of the key.
func boolKey(name string, field func(*Config) *bool, inverted bool) dsnKey {
	return dsnKey{name, func(c *Config, v string) error {
		if v != "true" && v != "false" {
			return fmt.Errorf("fluss: %s must be true or false", name)
		}
		*field(c) = (v == "true") != inverted
		return nil
	}, func(c *Config) string {
		if !*field(c) {
			return ""
		}
		return strconv.FormatBool(!inverted)
	}}
}

func sizeKey(name string, def int64, field func(*Config) *int64) dsnKey {
	return dsnKey{name, func(c *Config, v string) error {
		n, err := strconv.ParseInt(v, 10, 64)
		if err != nil || n <= 0 {
			return fmt.Errorf("fluss: %s must be a positive number", name)
		}
		*field(c) = n
		return nil
	}, func(c *Config) string {
		if *field(c) == def || *field(c) == 0 {
			return ""
		}
		return strconv.FormatInt(*field(c), 10)
	}}
}

func readLocation(c *Config, v string) error {
	loc, err := time.LoadLocation(v)
	if err != nil || v == "" {
		return fmt.Errorf("fluss: loc must be the name of a time zone such as UTC or Europe/Paris")
	}
	c.Location = loc
	return nil
}

func parseQuery(c *Config, query string) error {
	if query == "" {
		return nil
	}
	var seen []string
	n := 0
	for part := range strings.SplitSeq(query, "&") {
		n++
		rawKey, rawValue, ok := strings.Cut(part, "=")
		key, err1 := unescape(rawKey)
		value, err2 := unescape(rawValue)
		if err1 != nil || err2 != nil || !ok {
			return errors.New("fluss: an option of the DSN is not of the form key=value")
		}
		i := slices.IndexFunc(dsnKeys, func(k dsnKey) bool { return k.name == key })
		if i < 0 {
			// It may be what is behind a '?' in a password that was not encoded, so it is not printed.
			return fmt.Errorf("fluss: option %d in the DSN is unknown%s", n, nearest(key))
		}
		if slices.Contains(seen, key) {
			return fmt.Errorf("fluss: option %s is given twice in the DSN", key)
		}
		seen = append(seen, key)
		if err := dsnKeys[i].read(c, value); err != nil {
			return err
		}
	}
	return nil
}

// nearest names the known key that takes the fewest changes to reach.
func nearest(key string) string {
	names := make([]string, len(dsnKeys))
	for i := range dsnKeys {
		names[i] = dsnKeys[i].name
	}
	if near := dialect.Nearest(key, names); near != "" {
		return "; did you mean " + near + "?"
	}
	return ""
}

// FormatDSN writes the Config as a DSN, password included: ParseDSN gives the same Config back. What a DSN cannot hold
// (TLSConfig, Dial, Logger, OnRequest) is left out. To print a Config use String.
func (c *Config) FormatDSN() string {
	var b strings.Builder
	b.WriteString("fluss://")
	if c.User != "" {
		b.WriteString(escape(c.User))
		if c.Password != "" {
			b.WriteString(":" + escape(c.Password))
		}
		b.WriteByte('@')
	}
	b.WriteString(strings.Join(c.Addresses, ","))
	if c.Database != "" {
		b.WriteString("/" + escape(c.Database))
	}
	sep := byte('?')
	for _, k := range dsnKeys {
		if v := k.show(c); v != "" {
			b.WriteByte(sep)
			b.WriteString(k.name + "=" + escape(v))
			sep = '&'
		}
	}
	return b.String()
}

const hexDigits = "0123456789ABCDEF"

// escape percent-encodes everything but letters, digits and - . _ ~
func escape(s string) string {
	var b strings.Builder
	for i := range len(s) {
		c := s[i]
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-._~", c) >= 0 {
			b.WriteByte(c)
		} else {
			b.Write([]byte{'%', hexDigits[c>>4], hexDigits[c&15]})
		}
	}
	return b.String()
}
