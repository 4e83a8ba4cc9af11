package fluss

import "fmt"

// CorruptRecordError says which bytes of a table make no rows. Those before them have been given. A scan of a log goes on
// behind them when it is asked to, bucket by bucket, where it has not been yet:
//
//	damaged, ok := errors.AsType[*fluss.CorruptRecordError](rows.Err())
//	if ok && damaged.NextOffset >= 0 {
//		hint := fmt.Sprintf("/*+ OFFSETS('%d:%d-') */", damaged.Bucket, damaged.NextOffset) // and FOLLOW, if the scan had it
//		rows, err = db.Query("SELECT " + hint + " * FROM orders")
//	}
//
// The hint names the buckets that are read on: those of the others go behind the last _log_offset that was seen of each.
type CorruptRecordError struct {
	Table     string // database.table
	Partition string // "" when the table is not partitioned
	Bucket    int32
	Offset    int64 // of the first record of the damaged batch; -1 for a stored row of a key table

	// NextOffset is that of the first record behind the damage. It is -1 for a row of a key table, and where the damage hides
	// how long it is: then a larger offset has to be tried, since the server gives whole batches, from the one on that holds
	// the offset.
	NextOffset int64
	Reason     string
}

func (e *CorruptRecordError) Error() string {
	where := e.Table
	if e.Partition != "" {
		where += " partition " + e.Partition
	}
	switch where += fmt.Sprintf(" bucket %d", e.Bucket); {
	case e.Offset < 0:
		return fmt.Sprintf("fluss: %s: a stored row cannot be decoded: %s", where, e.Reason)
	case e.NextOffset < 0:
		return fmt.Sprintf("fluss: %s: the log cannot be decoded at offset %d: %s", where, e.Offset, e.Reason)
	}
	return fmt.Sprintf("fluss: %s: the log cannot be decoded from offset %d to %d: %s", where, e.Offset, e.NextOffset-1, e.Reason)
}

// Is matches ErrCorruptRecord.
func (e *CorruptRecordError) Is(target error) bool { return target == ErrCorruptRecord }
