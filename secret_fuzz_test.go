package fluss

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gofluss/fluss/internal/fuzzbound"
)

// marked is in every password of these tests, between the parts that the fuzzing engine makes: of a password that is
// printed, even in part or encoded in another way, one of them is seen.
const marked = "hunter2"

// FuzzPassword: no error, text, JSON or log record of anything holds the password, be the DSN right, not encoded or
// damaged.
func FuzzPassword(f *testing.F) {
	for i, s := range []string{"", ":", "@", "/", "?", "#", "%", "+", "&", "|:.X|O;WC:N8u~]&wt1#^6=~ED@+ %25/?é", "?acks=", "%zz", "[::1]", "\n\x00\xff", `"\`, ",", "=1&"} {
		for form := range uint8(6) {
			f.Add(form, "ann", s, s, uint(i), byte('@'))
			f.Add(form, "u"+s+"x", "1234", s, uint(3*i+9), byte('?'))
		}
	}
	f.Add(uint8(2), "ann", "1?", "=1@x", uint(12), byte(':'))
	f.Add(uint8(4), "ann", "h?34", "=1&", uint(57), byte(6))
	fuzzbound.Fuzz(f, func(t *testing.T, form uint8, user, head, tail string, at uint, with byte) {
		dsn := dsnForm(t, form%6, user, head, tail, at, with)
		c, err := ParseDSN(dsn)
		switch {
		case err != nil:
			secretFree(t, dsn, err)
		case strings.Contains(c.Password, marked):
			secretFree(t, dsn, c)
			secretFree(t, dsn, *c)
		}
	})
}

// dsnForm makes a DSN as it should be or as it should not be.
func dsnForm(t *testing.T, form uint8, user, head, tail string, at uint, with byte) string {
	password := head + marked + tail + marked
	encoded := []byte(whole(t, user, password))
	at %= uint(len(encoded))
	switch form {
	case 0:
		encoded[at] = with
	case 1:
		encoded = encoded[:at]
	case 2:
		return "fluss://" + user + ":" + password + "@127.0.0.1:1/db"
	case 3:
		return "fluss://" + user + ":" + head + marked + "@" + tail + "@127.0.0.1:1/db?" + marked
	case 4:
		return "fluss://" + user + "@" + password
	}
	return string(encoded)
}

// whole makes the DSN of a password, which has to give it back.
func whole(t *testing.T, user, password string) string {
	c := NewConfig("127.0.0.1:1")
	c.User, c.Password, c.SASL, c.Database = "u"+user, password, "plain", "db"
	dsn := c.FormatDSN()
	back, err := ParseDSN(dsn)
	if err != nil || back.Password != password || back.User != "u"+user {
		t.Fatalf("%q: came back as %+v, %v", dsn, back, err)
	}
	return dsn
}

// TestPasswordAnywhere makes passwords of odd pieces and prints everything that knows them.
func TestPasswordAnywhere(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"", ":", "@", "/", "?", "#", "%", "%41", "+", " ", "&", "|", `"`, `\`, "'", "\n", "\x00", "\xff", "é", "=", ",", "[", "]", "0"}
	for range 100 {
		password := pieces[random.IntN(len(pieces))] + marked + pieces[random.IntN(len(pieces))] + pieces[random.IntN(len(pieces))] + marked
		dsn := whole(t, "ann", password)
		c, err := ParseDSN(dsn)
		if err != nil {
			t.Fatal(err)
		}
		printed(t, dsn, c)
	}
}

// printed prints everything that knows the password, in every way.
func printed(t *testing.T, dsn string, c *Config) {
	var logged lockedBuffer
	c.Logger = slog.New(slog.NewJSONHandler(&logged, &slog.HandlerOptions{Level: slog.LevelDebug}))
	c.Dial = func(_ context.Context, _, address string) (net.Conn, error) {
		return nil, &net.OpError{Op: "dial", Err: errors.New(address + " is out of order")}
	}
	c.OnRequest = func(i RequestInfo) { secretFree(t, dsn, i) }
	connector, err := NewConnector(c)
	if err != nil {
		secretFree(t, dsn, err)
		return
	}
	db := sql.OpenDB(connector)
	defer db.Close()
	cn, err := connector.Connect(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	st, err := cn.Prepare("SELECT 1")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	pingError := db.PingContext(ctx)
	if pingError == nil {
		t.Fatal("Ping of a server that is not there")
	}
	for _, v := range []any{c, *c, connector, connector.cfg, connector.Driver(), cn, st, db, pingError, panicked(c), panicked(connector)} {
		secretFree(t, dsn, v)
		c.Logger.Info("value", "v", v, slog.Group("g", "v", v))
		slog.New(slog.NewTextHandler(&logged, nil)).Info("value", "v", v)
	}
	secretFree(t, dsn, logged.String())
}

// lockedBuffer is written to by handlers, and by dials that still go on.
type lockedBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

// panicked is the text of a panic with v.
func panicked(v any) (text string) {
	defer func() { text = fmt.Sprint(recover()) }()
	panic(v)
}

// secretFree fails when a text of v, or of what holds it, has part of a password. What holds a Config itself, and not a
// pointer to it, in a field that is not exported is left out: fmt asks nobody how to print that.
func secretFree(t *testing.T, dsn string, v any) {
	hidden := struct{ v any }{v}
	if _, ok := v.(Config); ok {
		hidden.v = nil
	}
	text := fmt.Appendf(nil, "%v %+v %#v %s %q %x %X %d", v, v, v, v, v, v, v, v)
	text = fmt.Appendf(text, "%v %+v %#v %+v %#v", []any{v}, struct{ V any }{v}, struct{ V any }{v}, hidden, hidden)
	for _, v := range []any{v, map[string]any{"v": v}} {
		asJSON, _ := json.Marshal(v)
		text = append(text, asJSON...)
	}
	for _, form := range markedForms {
		if bytes.Contains(text, form) {
			t.Helper()
			t.Fatalf("%q: the password is printed: %s", dsn, text)
		}
	}
}

var markedForms = [][]byte{[]byte(marked), fmt.Appendf(nil, "%x", marked), fmt.Appendf(nil, "%X", marked)}
