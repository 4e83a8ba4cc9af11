package fluss

import (
	"errors"
	"fmt"
	"strings"

	"github.com/gofluss/fluss/dialect"
	"github.com/gofluss/fluss/internal/plan"
)

// Sentinels, to be matched with [errors.Is].
var (
	ErrDatabaseNotExist = errors.New("fluss: the database does not exist")
	ErrDatabaseExists   = errors.New("fluss: the database exists already")
	ErrTableNotExist    = errors.New("fluss: the table does not exist")
	ErrTableExists      = errors.New("fluss: the table exists already")
	// ErrTableChanged: the table was dropped, recreated or altered while the statement ran, and it could not be tried again.
	ErrTableChanged      = errors.New("fluss: the table changed while the statement ran")
	ErrPartitionNotExist = errors.New("fluss: the partition does not exist")
	ErrPartitionExists   = errors.New("fluss: the partition exists already")
	ErrColumnNotExist    = errors.New("fluss: no such column")
	ErrColumnExists      = errors.New("fluss: the column exists already")
	// ErrOffsetOutOfRange: a scan was to start where the log has no offset (any more).
	ErrOffsetOutOfRange = errors.New("fluss: the offset is out of range")
	// ErrCorruptRecord: bytes read from a log or a table make no rows.
	ErrCorruptRecord = errors.New("fluss: a stored record cannot be decoded")
	// ErrAuthentication: the server refused the credentials, or wants some.
	ErrAuthentication = errors.New("fluss: authentication failed")
	// ErrAuthorization: the user lacks a right.
	ErrAuthorization = errors.New("fluss: not authorized")
	// ErrTooLarge: a row, a request or an answer is over its limit.
	ErrTooLarge = errors.New("fluss: too large")
	// ErrAmbiguousWrite: it is unknown whether rows were stored, see AmbiguousWriteError, or whether a table, a database or
	// a partition was created, changed or dropped.
	ErrAmbiguousWrite = errors.New("fluss: the outcome of the write is unknown")
	// ErrNoLastInsertID: the table has an auto-increment column, whose new values the server does not tell.
	ErrNoLastInsertID = errors.New("fluss: the server does not return generated values; look the row up by its key")
	// ErrUnsupported: the statement is understood, but Fluss or this driver does not do it. See UnsupportedError.
	ErrUnsupported = dialect.ErrUnsupported
	// ErrSyntax: the text is not a statement. See SyntaxError.
	ErrSyntax = dialect.ErrSyntax
	// ErrValue: a value does not fit its column. See ValueError.
	ErrValue = errors.New("fluss: the value does not fit its column")
)

type (
	// SyntaxError is a text that is not a statement, with line, column and a caret line.
	SyntaxError = dialect.SyntaxError
	// UnsupportedError is a refusal: what, why, and what to do instead.
	UnsupportedError = dialect.UnsupportedError
)

// Error is what the server said, or what was refused before it was asked.
type Error struct {
	Op      string // what was tried: "LOOKUP", "CREATE_TABLE"
	Code    int    // the server's error code, 0 when the server was not asked
	Name    string // the code's name: "TABLE_NOT_EXIST"
	Message string
	Table   string // database.table, when there is one
	Server  string // host:port, when known
	Err     error  // the cause

	kind error // the sentinel
}

func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString("fluss: ")
	if e.Op != "" {
		b.WriteString(e.Op + ": ")
	}
	b.WriteString(e.Message)
	if e.Code != 0 {
		fmt.Fprintf(&b, " (%s, code %d)", e.Name, e.Code)
	}
	return b.String()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// SQLState is the code that the SQL standard or ODBC has for the sentinel the error matches, that of the cause, or HY000, a
// general error.
func (e *Error) SQLState() string {
	if state, ok := sqlStates[e.kind]; ok {
		return state
	}
	if cause, ok := errors.AsType[interface {
		error
		SQLState() string
	}](e.Err); ok {
		return cause.SQLState()
	}
	return "HY000"
}

var sqlStates = map[error]string{
	ErrValue: "22000", ErrDatabaseNotExist: "3D000", ErrTableNotExist: "42S02", ErrTableExists: "42S01",
	ErrColumnNotExist: "42S22", ErrColumnExists: "42S21", ErrAuthentication: "28000", ErrAuthorization: "42501",
}

// Is matches the sentinels.
func (e *Error) Is(target error) bool { return e.kind != nil && e.kind == target }

// ValueError says that a value cannot be what its column wants. Nothing was sent.
type ValueError struct {
	Table  string // database.table
	Column string
	Row    int // from 1; 0 when the statement has one row
	Err    error
}

func (e *ValueError) Error() string {
	return "fluss: " + (&plan.ValueError{Table: e.Table, Column: e.Column, Row: e.Row, Err: e.Err}).Error()
}

// Unwrap returns why.
func (e *ValueError) Unwrap() error { return e.Err }

// SQLState is 22000, a data exception.
func (e *ValueError) SQLState() string { return "22000" }

// Is matches ErrValue.
func (e *ValueError) Is(target error) bool { return target == ErrValue }

// BucketOutcome is what became of the rows of one bucket.
type BucketOutcome struct {
	Partition                  string // "" when the table is not partitioned
	Bucket                     int32
	Stored, NotStored, Unknown int // rows
}

// AmbiguousWriteError says that rows of a write were sent and no answer settles whether they were stored. A row counted
// as Unknown may be stored, now or a little later, once; it is never stored twice. On a key table it can take effect
// until the next acknowledged write of the same Connector (the same sql.DB) to its bucket.
type AmbiguousWriteError struct {
	Table   string // database.table
	Buckets []BucketOutcome
	Cause   error
}

func (e *AmbiguousWriteError) Error() string {
	var stored, not, unknown int
	for _, b := range e.Buckets {
		stored, not, unknown = stored+b.Stored, not+b.NotStored, unknown+b.Unknown
	}
	return fmt.Sprintf("fluss: write to %s: %d rows stored, %d not stored, %d unknown: %v", e.Table, stored, not, unknown, e.Cause)
}

// Unwrap returns the cause: the context's error if the context ended.
func (e *AmbiguousWriteError) Unwrap() error { return e.Cause }

// Is matches ErrAmbiguousWrite.
func (e *AmbiguousWriteError) Is(target error) bool { return target == ErrAmbiguousWrite }

// PartialWriteError says that some rows of a statement are stored and the others for certain are not.
type PartialWriteError struct {
	Table   string // database.table
	Buckets []BucketOutcome
	Cause   error
}

func (e *PartialWriteError) Error() string {
	var stored, not int
	for _, b := range e.Buckets {
		stored, not = stored+b.Stored, not+b.NotStored
	}
	return fmt.Sprintf("fluss: write to %s: %d rows stored, %d not stored: %v", e.Table, stored, not, e.Cause)
}

// Unwrap returns why rows were not stored.
func (e *PartialWriteError) Unwrap() error { return e.Cause }

// mayBeStored reports whether an error leaves rows of its statement stored, or unknown.
func mayBeStored(err error) bool { return as[*AmbiguousWriteError](err) || as[*PartialWriteError](err) }
