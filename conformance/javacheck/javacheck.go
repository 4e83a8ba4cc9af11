// Package javacheck writes and reads Fluss tables with the official Java client, to check the driver against it in both
// directions. The client is driven by a small program of our own (java/), compiled at first use.
//
// A row is a JSON array with one element per column, in the text form of the golden fixtures, which package
// internal/row/rowtest reads and writes:
//
//	any NULL                  null
//	BOOLEAN                   "true", "false"
//	TINYINT .. BIGINT         "-12"
//	FLOAT, DOUBLE             the IEEE bits, "0x" and 8 or 16 hex digits
//	CHAR, STRING              the text
//	BINARY, BYTES             hex
//	DECIMAL                   "-1.20"
//	DATE, TIME                days since 1970-01-01, milliseconds of the day
//	TIMESTAMP, TIMESTAMP_LTZ  "millis,nanosOfMilli", the latter 0 to 999999
//	ARRAY, ROW                array
//	MAP                       array of [key, value]
//
// Where the Java reader throws on a value, {"java_error": "class"} stands in its place.
//
// Every call is a process of its own and takes one to two seconds.
package javacheck

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"strings"

	"github.com/gofluss/fluss/conformance/cluster"
)

// Row is one row, or one key, as JSON. See the package comment.
type Row = json.RawMessage

// Client is how the Java client reaches a cluster.
type Client struct {
	Bootstrap string            // "host:port,host:port"
	Config    map[string]string // further client.* keys, for instance those of SASL
}

// Change is one record of a log or of a change log.
type Change struct {
	Partition string // "" in a table without partitions
	Bucket    int32
	Offset    int64
	Change    string // "+A", "+I", "-U", "+U", "-D"
	Timestamp int64  // commit time, milliseconds since the epoch
	Row       Row
}

// Create creates a table ("database.table") from a table descriptor's JSON, and the database where it is missing.
func (c Client) Create(ctx context.Context, table string, descriptor []byte) error {
	_, err := c.run(ctx, "create", table, nil, []Row{descriptor})
	return err
}

// Describe returns the descriptor JSON of a table, with all that the server filled in.
func (c Client) Describe(ctx context.Context, table string) ([]byte, error) {
	lines, err := c.run(ctx, "describe", table, nil, nil)
	if err != nil {
		return nil, err
	}
	if len(lines) != 1 {
		return nil, fmt.Errorf("describe %s: %d lines", table, len(lines))
	}
	return lines[0], nil
}

// Write upserts or appends rows, in order, and waits until all are acknowledged. Delete makes a row that deletes.
func (c Client) Write(ctx context.Context, table string, rows ...Row) error {
	_, err := c.run(ctx, "write", table, nil, rows)
	return err
}

// WriteColumns is a partial update of the named columns; the rows have the table's width all the same.
func (c Client) WriteColumns(ctx context.Context, table string, columns []string, rows ...Row) error {
	_, err := c.run(ctx, "write", table, columns, rows)
	return err
}

// Delete makes of a row of the table's width, of which only the key counts, one that Write deletes.
func Delete(row Row) Row { return Row(`{"delete":` + string(row) + `}`) }

// Lookup returns the row of each key, nil for a key that is not there. A key is an array of the key columns' values in
// the order of the primary key.
func (c Client) Lookup(ctx context.Context, table string, keys ...Row) ([]Row, error) {
	found, err := c.lookup(ctx, table, nil, keys)
	if err != nil {
		return nil, err
	}
	rows := make([]Row, len(found))
	for i, f := range found {
		if len(f) > 0 {
			rows[i] = f[0]
		}
	}
	return rows, nil
}

// LookupPrefix returns all rows for each value of the named columns: the bucket key, with the partition columns.
func (c Client) LookupPrefix(ctx context.Context, table string, columns []string, keys ...Row) ([][]Row, error) {
	return c.lookup(ctx, table, columns, keys)
}

func (c Client) lookup(ctx context.Context, table string, columns []string, keys []Row) ([][]Row, error) {
	lines, err := c.run(ctx, "lookup", table, columns, keys)
	if err != nil {
		return nil, err
	}
	if len(lines) != len(keys) {
		return nil, fmt.Errorf("lookup in %s: %d answers to %d keys", table, len(lines), len(keys))
	}
	found := make([][]Row, len(lines))
	for i, line := range lines {
		if err := json.Unmarshal(line, &found[i]); err != nil {
			return nil, fmt.Errorf("lookup in %s: %w in %s", table, err, line)
		}
	}
	return found, nil
}

// Scan returns the log of a table, or the change log of a key table, from the earliest offset up to the end at the time
// of the call; in order of the offsets within a bucket.
func (c Client) Scan(ctx context.Context, table string) ([]Change, error) {
	lines, err := c.run(ctx, "scan", table, nil, nil)
	if err != nil {
		return nil, err
	}
	changes := make([]Change, len(lines))
	for i, line := range lines {
		if err := json.Unmarshal(line, &changes[i]); err != nil {
			return nil, fmt.Errorf("scan of %s: %w in %s", table, err, line)
		}
	}
	return changes, nil
}

// run runs one mode of the Java program: a line of input for each row, a line of output for each element returned.
func (c Client) run(ctx context.Context, mode, table string, columns []string, rows []Row) ([]Row, error) {
	database, name, ok := strings.Cut(table, ".")
	if !ok {
		return nil, fmt.Errorf("table %q: want database.table", table)
	}
	java, classPath, err := compiled(ctx)
	if err != nil {
		return nil, err
	}
	args := []string{"-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "--add-opens=java.base/java.nio=ALL-UNNAMED",
		"-cp", classPath, "javacheck.Main", mode, database, name, "bootstrap.servers=" + c.Bootstrap}
	if len(columns) > 0 {
		args = append(args, "columns="+strings.Join(columns, ","))
	}
	for key, value := range c.Config {
		args = append(args, key+"="+value)
	}
	in, err := joinLines(rows)
	if err != nil {
		return nil, err
	}
	var out, errOut bytes.Buffer
	cmd := exec.CommandContext(ctx, java, args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in, &out, &errOut
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("java %s %s: %w\n%s", mode, table, errors.Join(err, ctx.Err()), errOut.Bytes())
	}
	return splitLines(out.Bytes()), nil
}

func joinLines(rows []Row) (*bytes.Buffer, error) {
	var in bytes.Buffer
	for i, row := range rows {
		if err := json.Compact(&in, row); err != nil {
			return nil, fmt.Errorf("row %d: %w in %s", i, err, row)
		}
		in.WriteByte('\n')
	}
	return &in, nil
}

func splitLines(out []byte) []Row {
	var lines []Row
	for line := range bytes.Lines(out) {
		if line = bytes.TrimSpace(line); len(line) > 0 {
			lines = append(lines, Row(line))
		}
	}
	return lines
}

// To is the Java client of a cluster that this process started, with the super user's rights.
func To(c *cluster.Cluster) Client {
	client := Client{Bootstrap: c.Bootstrap()}
	if user, password := c.SuperUser(); user != "" {
		client.Config = map[string]string{
			"client.security.protocol":       "SASL",
			"client.security.sasl.mechanism": "PLAIN",
			"client.security.sasl.username":  user,
			"client.security.sasl.password":  password,
		}
	}
	return client
}
