package fluss

import (
	"context"
	"errors"
	"io"

	"github.com/gofluss/fluss/dialect"
	"github.com/gofluss/fluss/internal/plan"
	"github.com/gofluss/fluss/internal/record"
	"github.com/gofluss/fluss/internal/route"
	"github.com/gofluss/fluss/internal/row"
	"github.com/gofluss/fluss/internal/wire"
)

// translate turns the errors of the packages below into those that this package documents. subject is the table or
// database that the statement is about. Errors that are documented already, those of contexts and io.EOF pass.
func translate(err error, subject string) error {
	switch {
	case err == nil, err == io.EOF, err == context.Canceled, err == context.DeadlineExceeded:
		return err
	case isPublic(err):
		return err
	}
	if e, ok := errors.AsType[*plan.ValueError](err); ok {
		return &ValueError{Table: e.Table, Column: e.Column, Row: e.Row, Err: e.Err}
	}
	if e, ok := errors.AsType[*row.PartitionValueError](err); ok {
		return &ValueError{Table: subject, Column: e.Column, Err: e}
	}
	if e, ok := errors.AsType[*row.NullKeyError](err); ok {
		return &ValueError{Table: subject, Column: e.Column, Err: e}
	}
	if e, ok := errors.AsType[*route.PoisonError](err); ok {
		return &CorruptRecordError{Table: e.Table.String(), Partition: e.Partition, Bucket: e.Bucket.ID, Offset: e.Offset, NextOffset: e.Next, Reason: e.Reason}
	}
	if e, ok := errors.AsType[*plan.ColumnError](err); ok {
		return &Error{Message: e.Error(), Table: e.Table, Err: e, kind: ErrColumnNotExist}
	}
	if e, ok := errors.AsType[*wire.ServerError](err); ok {
		return serverError(e, err, subject)
	}
	return &Error{Message: err.Error(), Table: subject, Err: err, kind: kindOf(err)}
}

// isPublic reports whether callers may see the error as it is.
func isPublic(err error) bool {
	switch err.(type) {
	case *Error, *ValueError, *CorruptRecordError, *AmbiguousWriteError, *PartialWriteError, *TxError, *dialect.SyntaxError, *dialect.UnsupportedError:
		return true
	}
	return false
}

// kindOf finds the sentinel of an error that is no server's answer.
func kindOf(err error) error {
	switch {
	case as[*route.TableChangedError](err):
		return ErrTableChanged
	case as[*route.UnknownOutcomeError](err):
		return ErrAmbiguousWrite
	case as[*route.OffsetRangeError](err):
		return ErrOffsetOutOfRange
	case as[*record.CorruptError](err), as[*row.DecodeError](err):
		return ErrCorruptRecord
	case as[*wire.ErrResponseTooLarge](err), as[*wire.ErrRequestTooLarge](err), as[*route.RowTooLargeError](err):
		return ErrTooLarge
	case as[*wire.AuthError](err):
		return ErrAuthentication
	case as[*row.BindError](err):
		return ErrValue
	}
	return nil
}

func as[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

var codeKinds = map[wire.ErrorCode]error{
	wire.CodeDatabaseNotExist:       ErrDatabaseNotExist,
	wire.CodeDatabaseAlreadyExist:   ErrDatabaseExists,
	wire.CodeTableNotExist:          ErrTableNotExist,
	wire.CodeTableAlreadyExist:      ErrTableExists,
	wire.CodePartitionNotExists:     ErrPartitionNotExist,
	wire.CodePartitionAlreadyExists: ErrPartitionExists,
	wire.CodeLogOffsetOutOfRange:    ErrOffsetOutOfRange,
	wire.CodeAuthenticate:           ErrAuthentication,
	wire.CodeRetriableAuthenticate:  ErrAuthentication,
	wire.CodeAuthorization:          ErrAuthorization,
	wire.CodeRecordTooLarge:         ErrTooLarge,
}

func serverError(e *wire.ServerError, err error, subject string) error {
	out := &Error{Op: e.API.String(), Code: int(e.Code), Name: e.Code.Name(), Message: e.Message, Table: subject, Server: e.Server, Err: err, kind: codeKinds[e.Code]}
	if out.Message == "" {
		out.Message = err.Error()
	}
	return out
}
