package ring

import (
	"context"
	"database/sql"
	"errors"

	"github.com/gofluss/fluss"
)

// refused is the class of the servers' refusals.
const refused = "refused with a code"

// classOf names the documented class of an error of a statement: "" when it has none. ctx is the call's context.
func classOf(err error, ctx context.Context) string {
	var (
		refusal *fluss.Error
		part    *fluss.PartialWriteError
	)
	switch {
	case errors.Is(err, fluss.ErrAmbiguousWrite):
		return "unknown"
	case errors.As(err, &part):
		return "partly stored"
	case ctx.Err() != nil && errors.Is(err, ctx.Err()):
		return "context"
	case errors.As(err, &refusal) && refusal.Code != 0:
		return refused
	case errors.Is(err, context.DeadlineExceeded) && refusal != nil:
		return "timeout" // request_timeout or write_timeout
	case ctx.Err() != nil && (errors.Is(err, sql.ErrTxDone) || err.Error() == stmtClosed):
		return "context" // database/sql rolled back
	}
	for name, sentinel := range sentinels {
		if errors.Is(err, sentinel) {
			return name
		}
	}
	return ""
}

// stmtClosed is what database/sql says of a statement of a transaction that it rolled back.
const stmtClosed = "sql: statement is closed"

// sentinels are those that a fault can lead to; a statement of the load that is refused as such is no fault.
var sentinels = map[string]error{
	"table does not exist": fluss.ErrTableNotExist,
	"table changed":        fluss.ErrTableChanged,
	"offset out of range":  fluss.ErrOffsetOutOfRange,
	"corrupt record":       fluss.ErrCorruptRecord,
	"authentication":       fluss.ErrAuthentication,
	"too large":            fluss.ErrTooLarge,
}

// outcome is what a caller was told of a row.
type outcome uint8

const (
	stored outcome = iota
	notStored
	unknown
)

// anyBucket is for rows of which the load does not know the bucket.
const anyBucket = -1

// outcomeOf reads from the error of a statement or of a transaction what became of the rows that went to one bucket of a
// table. ok is false when the error accounts for other rows than these.
func outcomeOf(err error, table string, bucket int32, rows int) (o outcome, ok bool) {
	if err == nil {
		return stored, true
	}
	var sum counts
	buckets, told := bucketsIn(err)
	switch tx, ok := errors.AsType[*fluss.TxError](err); {
	case ok:
		sum = countsOf(tx.Tables, table, bucket)
	case told:
		sum = sumOf(buckets, bucket)
	case errors.Is(err, fluss.ErrAmbiguousWrite):
		return unknown, false
	default:
		return notStored, true
	}
	return sum.each(), sum.rows() == rows
}
