package fluss

import (
	"context"
	"database/sql"
	"database/sql/driver"

	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/gofluss/fluss/dialect"
	"github.com/gofluss/fluss/internal/plan"
)

// ArrowConn reads and writes Arrow record batches past database/sql's rows. The driver connection is one:
//
//	err := conn.Raw(func(dc any) error {
//		r, err := dc.(fluss.ArrowConn).QueryArrow(ctx, "SELECT id, price FROM orders WHERE _bucket = ?", 0)
//		if err != nil {
//			return err
//		}
//		defer r.Release()
//		for r.Next() {
//			use(r.RecordBatch())
//		}
//		return r.Err()
//	})
type ArrowConn interface {
	// QueryArrow runs a SELECT on a table, of columns and not of COUNT(*). What Fluss types become:
	//
	//	BOOLEAN, TINYINT to BIGINT, FLOAT, DOUBLE   bool, int8 to int64, float32, float64
	//	CHAR, STRING; BINARY(n); BYTES              utf8; fixed_size_binary[n]; binary
	//	DECIMAL(p, s)                               decimal128(p, s)
	//	DATE; TIME(p)                               date32; time32[s] or [ms], time64[us] or [ns]
	//	TIMESTAMP(p), TIMESTAMP_LTZ(p)              timestamp[s], [ms], [us] or [ns] for p to 0, 3, 6, 9, without a zone
	//	ARRAY, MAP, ROW                             list, map, struct
	//
	// Batches of an ARROW log come as they are stored, unless WHERE, ORDER BY or a pseudo column stands between; others are
	// made row by row, and a value that the Arrow type cannot hold ends the reader with an error that names the column.
	// ctx bounds the reader, which may be used after Raw has returned, by one goroutine, and has to be released. A batch
	// lives until the next call of Next, unless it is retained.
	QueryArrow(ctx context.Context, query string, args ...any) (array.RecordReader, error)

	// AppendArrow appends everything that r gives to a log table, "table" or "database.table" without quotes. Columns go by
	// name, in any order, in the types that QueryArrow gives; those that r does not have are NULL. Values are checked as
	// those of an INSERT are. The rows of a record batch go to one bucket, unless the table has a bucket key.
	//
	// Unlike an INSERT it sends while it reads: full batches, several at a time, in bounded memory. When it fails, be it
	// that r does, earlier rows may be stored: the error is an [AmbiguousWriteError] or a [PartialWriteError], of the rows
	// read so far, and the result tells where the stored ones are. Otherwise nothing was stored.
	AppendArrow(ctx context.Context, table string, r array.RecordReader) (WriteResult, error)
}

var _ ArrowConn = (*conn)(nil)

// QueryArrow implements ArrowConn. The reader gets a handle of its own, since it may outlive the use of this one.
func (c *conn) QueryArrow(ctx context.Context, query string, args ...any) (array.RecordReader, error) {
	if err := c.check(ctx); err != nil {
		return nil, err
	}
	own := &conn{c: c.c, database: c.database, tx: c.tx}
	p, err := own.prepare(query)
	if err != nil {
		return nil, err
	}
	if _, ok := p.stmt.(*dialect.Select); !ok || p.table == nil {
		return nil, &UnsupportedError{Feature: "this statement through QueryArrow", Reason: "it reads the rows of tables: SELECT ... FROM", Hint: "use Query or Exec"}
	}
	pl, err := own.compile(ctx, p)
	if err != nil {
		return nil, err
	}
	if err := arrowRefusal(pl.plan); err != nil {
		return nil, err
	}
	arranged, err := arrange(&p.params, arrowArgs(args))
	if err != nil {
		return nil, err
	}
	out, err := own.query(ctx, p, arranged)
	if err != nil {
		return nil, err
	}
	r, ok := out.(*rows)
	if !ok { // planned anew for another table
		_ = out.Close()
		return nil, ErrTableChanged
	}
	return newArrowReader(r)
}

// arrowRefusal refuses the SELECTs that make no stream of batches.
func arrowRefusal(p plan.Plan) error {
	s, ok := p.(*plan.Select)
	switch {
	case !ok || s.Count:
		return &UnsupportedError{Feature: "COUNT(*) through QueryArrow", Reason: "it is one number", Hint: "use Query"}
	case s.Log != nil && s.Log.Follow && s.Filter != nil:
		return &UnsupportedError{Feature: "FOLLOW with this WHERE through QueryArrow", Reason: "rows would wait until a batch of them has come", Hint: "leave out the condition and filter the batches"}
	}
	return nil
}

func arrowArgs(args []any) []driver.NamedValue {
	out := make([]driver.NamedValue, len(args))
	for i, v := range args {
		out[i] = driver.NamedValue{Ordinal: i + 1, Value: v}
		if n, ok := v.(sql.NamedArg); ok {
			out[i].Name, out[i].Value = n.Name, n.Value
		}
	}
	return out
}
