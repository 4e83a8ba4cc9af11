package fluss

import (
	"database/sql/driver"
	"errors"
)

// result is what Exec returns.
type result struct {
	rows   int64
	noID   bool // the table has an auto-increment column
	zeroID bool // last_insert_id=zero
}

var _ driver.Result = result{}

// LastInsertId is (0, nil) for tables without an auto-increment column, as with other drivers that have nothing to
// tell, and ErrNoLastInsertID for tables with one, unless last_insert_id=zero.
func (r result) LastInsertId() (int64, error) {
	if r.noID && !r.zeroID {
		return 0, ErrNoLastInsertID
	}
	return 0, nil
}

// RowsAffected is the number of rows stored, or found by the key of an UPDATE or DELETE.
func (r result) RowsAffected() (int64, error) { return r.rows, nil }

// WriteResult says where the rows of a statement went.
type WriteResult struct {
	Table   string // database.table
	Buckets []BucketWrite
}

// BucketWrite is the part of a write that one bucket took.
type BucketWrite struct {
	Partition string // "" when the table is not partitioned
	Bucket    int32
	// Offset is, on a log table, that of the first row: the rows have Offset to Offset+Rows-1. On a key table it is the
	// end of the bucket's change log after the write. -1: the rows are stored, but the answer that told where is lost.
	Offset int64
	Rows   int
}

// LastWrite returns where the rows of the last write on a connection went; after a Commit with tx=batch, those of the table
// that was written last. With tx=stream see LastTx. driverConn is what the function given to
// (*sql.Conn).Raw gets:
//
//	err := conn.Raw(func(dc any) error {
//		w, err = fluss.LastWrite(dc)
//		return err
//	})
func LastWrite(driverConn any) (WriteResult, error) {
	c, ok := driverConn.(*conn)
	if !ok {
		return WriteResult{}, errors.New("fluss: LastWrite needs the driver connection that (*sql.Conn).Raw gives")
	}
	if !c.wrote {
		return WriteResult{}, errors.New("fluss: nothing was written on this connection yet")
	}
	return c.last, nil
}
