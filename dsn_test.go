package fluss

import (
	"database/sql"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/gofluss/fluss/internal/fuzzbound"
)

func TestParseDSN(t *testing.T) {
	for _, c := range []struct {
		name, dsn string
		want      func(*Config)
	}{
		{"least", "fluss://h", func(c *Config) { c.Addresses = []string{"h:9123"} }},
		{"two servers", "fluss://a:1,b:2/db", func(c *Config) { c.Addresses, c.Database = []string{"a:1", "b:2"}, "db" }},
		{"IPv6", "fluss://[::1]:7,[fe80::1]/d", func(c *Config) { c.Addresses, c.Database = []string{"[::1]:7", "[fe80::1]:9123"}, "d" }},
		{"credentials", "fluss://ann:p%40ss+word@127.0.0.1", func(c *Config) {
			c.Addresses, c.User, c.Password, c.SASL = []string{"127.0.0.1:9123"}, "ann", "p@ss+word", "plain"
		}},
		{"options", "fluss://h?attempt_timeout=1s&loc=Europe%2FParis&acks=1&dynamic_partitions=false&decimal_round=true&bucket_num=4&max_scan_bytes=5", func(c *Config) {
			c.Addresses, c.AttemptTimeout, c.Acks, c.DisableDynamicPartitions = []string{"h:9123"}, time.Second, "1", true
			c.Location, _ = time.LoadLocation("Europe/Paris")
			c.DecimalRound, c.BucketNum, c.MaxScanBytes = true, 4, 5
		}},
		{"empty query", "fluss://h/d?", func(c *Config) { c.Addresses, c.Database = []string{"h:9123"}, "d" }},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := ParseDSN(c.dsn)
			if err != nil {
				t.Fatalf("%s: %v", c.dsn, err)
			}
			want := &Config{}
			c.want(want)
			want.setDefaults()
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s:\n got %#v\nwant %#v", c.dsn, *got, *want)
			}
		})
	}
}

func TestParseDSNErrors(t *testing.T) {
	const secret = "hunter2"
	for _, c := range []struct{ name, dsn, want string }{
		{"scheme", "mysql://u:hunter2@h", "fluss://"},
		{"no server", "fluss:///db", "server 1"},
		{"raw at", "fluss://u:hunter2@x@h/db", "percent-encode"},
		{"raw slash", "fluss://u:hunter2/x@h/db", "percent-encode"},
		{"raw question mark", "fluss://u:hunter2?x@h/db", "percent-encode"},
		{"raw question mark behind digits", "fluss://u:1?hunter2=1@h/db", "percent-encode"},
		{"raw hash", "fluss://u:hunter2#x@h/db", "percent-encode"},
		{"raw colon", "fluss://u:hunter2:x@h/db", "percent-encode"},
		{"raw percent", "fluss://u:hunter2%zz@h/db", "percent-encode"},
		{"hostile", `fluss://u:1@x:hunter2|:.X|O;WC:N8u~]&wt1#^6=~ED@+ %25/?é@h:1/db`, "percent-encode"},
		{"unknown", "fluss://h?conect_timeout=1s", "did you mean connect_timeout?"},
		{"repeated", "fluss://h?acks=1&acks=all", "acks is given twice"},
		{"badly typed", "fluss://h?attempt_timeout=fast", "attempt_timeout must be a positive duration"},
		{"bool", "fluss://h?decimal_round=yes", "decimal_round must be true or false"},
		{"word", "fluss://h?acks=2", "acks must be one of all, 1, 0"},
		{"zone", "fluss://h?loc=Mars", "loc must be the name of a time zone"},
		{"port", "fluss://h:99999", "server 1"},
		{"bare IPv6", "fluss://::1", "server 1"},
		{"path", "fluss://h/a/b", "more than one path element"},
		{"no value", "fluss://h?acks", "key=value"},
		{"plain password over a network", "fluss://u:hunter2@example.org", "allow_plaintext_password"},
		{"unknown tls", "fluss://h?tls=mine", "RegisterTLSConfig"},
		{"password without user", "fluss://:hunter2@127.0.0.1", "without a user name"},
		{"user without password", "fluss://u@127.0.0.1", "needs a user name and a password"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := ParseDSN(c.dsn)
			if err == nil {
				t.Fatalf("%s: no error", c.dsn)
			}
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %q, want it to say %q", err, c.want)
			}
			if strings.Contains(err.Error(), secret) {
				t.Errorf("the error prints the password: %v", err)
			}
		})
	}
}

// TestDSNRoundTrip writes and reads random Configs, with user names and passwords that hold what DSNs are made of.
func TestDSNRoundTrip(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	letters := []rune("ab:@/?#%+&|;=~]^[ \"'\\é日 ,.\x00\n")
	text := func() string {
		b := make([]rune, 1+random.IntN(12))
		for i := range b {
			b[i] = letters[random.IntN(len(letters))]
		}
		return string(b)
	}
	for range 10_000 {
		c := NewConfig("127.0.0.1:9123")
		c.User, c.Password, c.Database = text(), text(), text()
		c.SASL = "plain"
		dsn := c.FormatDSN()
		back, err := ParseDSN(dsn)
		if err != nil {
			t.Fatalf("%q: %v", dsn, err)
		}
		if !reflect.DeepEqual(back, c) {
			t.Fatalf("%q: user %q password %q database %q came back as %q %q %q", dsn, c.User, c.Password, c.Database, back.User, back.Password, back.Database)
		}
	}
}

// TestHostilePassword: user and password of everything that a DSN is made of.
func TestHostilePassword(t *testing.T) {
	const user, password = "u:1@x", "|:.X|O;WC:N8u~]&wt1#^6=~ED@+ %25/?é"
	c := NewConfig("127.0.0.1:9123")
	c.User, c.Password, c.SASL = user, password, "plain"
	for range 3 {
		dsn := c.FormatDSN()
		back, err := ParseDSN(dsn)
		if err != nil || back.User != user || back.Password != password {
			t.Fatalf("%s: came back as %q %q, %v", dsn, back.User, back.Password, err)
		}
		for range 2 { // twice with one DSN: nothing is registered
			db, err := sql.Open("fluss", dsn)
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
		}
		c = back
	}
	_, err := ParseDSN("fluss://" + user + ":" + password + "@127.0.0.1:9123/db")
	if err == nil || !strings.Contains(err.Error(), "percent-encoded") {
		t.Errorf("not encoded: got %v, want a hint", err)
	}
	for _, part := range []string{"WC:N8u", "ED@", "wt1", "|O;"} {
		if strings.Contains(err.Error(), part) {
			t.Errorf("the error prints %q: %v", part, err)
		}
	}
	if c, err = ParseDSN("fluss://ann:a+b@127.0.0.1"); err != nil || c.Password != "a+b" {
		t.Errorf("a plus sign: %v", err)
	}
}

// FuzzDSN checks that no text makes ParseDSN panic, and that what it accepts comes back from FormatDSN.
func FuzzDSN(f *testing.F) {
	for _, s := range []string{"fluss://h", "fluss://a:1,b:2/db?acks=1", "fluss://u:p%40@127.0.0.1/x?tls=skip-verify", "fluss://[::1]:7/"} {
		f.Add(s)
	}
	fuzzbound.Fuzz(f, func(t *testing.T, dsn string) {
		var c *Config
		var err error
		fuzzbound.Check(t, len(dsn), func() { c, err = ParseDSN(dsn) })
		if err != nil {
			return
		}
		back, err := ParseDSN(c.FormatDSN())
		if err != nil {
			t.Fatalf("%q was accepted and written as %q: %v", dsn, c.FormatDSN(), err)
		}
		if !reflect.DeepEqual(c, back) {
			t.Fatalf("%q: %q is another Config", dsn, c.FormatDSN())
		}
	})
}
