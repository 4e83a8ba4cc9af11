package fluss

import (
	"errors"
	"fmt"
	"strings"
)

// TxResult is what became of the rows of a transaction.
type TxResult struct {
	Tables []TableOutcome // in the order in which they were first written
}

// TableOutcome is what became of the rows that a transaction wrote to one table. A row that was written twice counts
// twice; one that was inserted and deleted again before it was sent does not count.
type TableOutcome struct {
	Table   string // database.table
	Buckets []BucketOutcome
}

// count sums up over the buckets.
func (o *TableOutcome) count() (sum BucketOutcome) {
	for _, b := range o.Buckets {
		sum.Stored, sum.NotStored, sum.Unknown = sum.Stored+b.Stored, sum.NotStored+b.NotStored, sum.Unknown+b.Unknown
	}
	return sum
}

// count sums up over the tables.
func (r *TxResult) count() (sum BucketOutcome) {
	for i := range r.Tables {
		b := r.Tables[i].count()
		sum.Stored, sum.NotStored, sum.Unknown = sum.Stored+b.Stored, sum.NotStored+b.NotStored, sum.Unknown+b.Unknown
	}
	return sum
}

// LastTx returns what became of the rows of the last transaction that ended on a connection. It is the only way to learn
// it where database/sql drops the error: when the context given to BeginTx ends, it rolls back by itself, a little later; until
// then LastTx is an error. driverConn is what the function given to (*sql.Conn).Raw gets.
func LastTx(driverConn any) (TxResult, error) {
	c, ok := driverConn.(*conn)
	if !ok {
		return TxResult{}, errors.New("fluss: LastTx needs the driver connection that (*sql.Conn).Raw gives")
	}
	if c.tx != nil {
		return TxResult{}, errors.New("fluss: a transaction is open on this connection")
	}
	if c.lastTx == nil {
		return TxResult{}, errors.New("fluss: no transaction ended on this connection yet")
	}
	return *c.lastTx, nil
}

// TxError says that a transaction over several tables ended with some rows stored, or with rows of which it is unknown.
// For a transaction over one table it is an [AmbiguousWriteError] or a [PartialWriteError]; errors.As finds those of
// the single tables in here.
type TxError struct {
	Tables []TableOutcome
	Cause  error
}

func (e *TxError) Error() string {
	var b strings.Builder
	b.WriteString("fluss: the transaction was not stored as a whole: ")
	for i := range e.Tables {
		if i > 0 {
			b.WriteString("; ")
		}
		n := e.Tables[i].count()
		fmt.Fprintf(&b, "%s: %d rows stored, %d not stored, %d unknown", e.Tables[i].Table, n.Stored, n.NotStored, n.Unknown)
	}
	return fmt.Sprintf("%s: %v", &b, e.Cause)
}

// Unwrap returns the errors of the single tables, whose cause is that of the whole: of those that were not stored as a
// whole, or of all where a rollback came too late for all of them.
func (e *TxError) Unwrap() []error {
	var list []error
	for i := range e.Tables {
		if err := e.Tables[i].err(e.Cause); err != nil {
			list = append(list, err)
		}
	}
	if len(list) > 0 {
		return list
	}
	for i := range e.Tables {
		list = append(list, e.Tables[i].part(e.Cause))
	}
	return list
}

// err is the error of one table: nil when all of its rows are stored.
func (o *TableOutcome) err(cause error) error {
	switch n := o.count(); {
	case n.Unknown > 0:
		return &AmbiguousWriteError{Table: o.Table, Buckets: o.Buckets, Cause: cause}
	case n.NotStored > 0:
		return o.part(cause)
	}
	return nil
}

func (o *TableOutcome) part(cause error) error {
	return &PartialWriteError{Table: o.Table, Buckets: o.Buckets, Cause: cause}
}

// err is the error of a transaction that cause kept from being stored as a whole: the cause alone where nothing was
// stored and nothing is unknown.
func (r *TxResult) err(cause error) error {
	switch n := r.count(); {
	case n.Stored == 0 && n.Unknown == 0:
		return cause
	case len(r.Tables) == 1:
		if err := r.Tables[0].err(cause); err != nil {
			return err
		}
		return r.Tables[0].part(cause)
	}
	return &TxError{Tables: r.Tables, Cause: cause}
}
