package ring

import (
	"context"
	"database/sql"

	"github.com/gofluss/fluss"
)

// finish files what became of the rows of a transaction. Rows of one bucket that fared differently are unknown one by one;
// of log rows it is known how many are there.
func (t *streamTx) finish(kind string, s span, err error, result fluss.TxResult) {
	r := t.w.run
	key := countsOf(result.Tables, r.log.KeyTable, t.group.bucket)
	log := countsOf(result.Tables, r.log.LogTable, anyBucket)
	t.account(kind, key, t.keys, len(t.writes), err)
	t.account(kind, log, t.rows, t.tried, err)
	if t.ended {
		t.compare(kind, err, key, log)
	}
	for i, x := range t.writes {
		o := key.each()
		if i >= key.rows() {
			o = notStored
		}
		t.w.file(s, o, x)
	}
	r.ledger.settleCounts(t.first, t.issued, log)
	r.countAll(log, t.issued)
}

// account judges that the counts are those of the rows whose statements succeeded, done of them, and of the one more that
// was tried, where its statement failed: it may have been taken before.
func (t *streamTx) account(kind string, c counts, done, tried int, err error) {
	if n := c.rows(); n != done && n != tried {
		t.w.run.judge.found(undocumented, "%s: %+v accounts for other rows than its %d or %d: %v", kind, c, done, tried, err)
	}
}

// compare judges that what Commit or Rollback returned says the same as the counts.
func (t *streamTx) compare(kind string, err error, key, log counts) {
	r := t.w.run
	all := key.plus(log)
	switch {
	case err == context.Canceled, err == context.DeadlineExceeded, err == sql.ErrTxDone: // database/sql did not ask the driver
	case err == nil && t.rolledBack:
		if all.stored+all.unknown > 0 {
			r.judge.found(unknownUnreported, "%s: Rollback succeeded, and of the rows %+v", kind, all)
		}
	case err == nil:
		if all.stored != all.rows() {
			r.judge.found(unknownUnreported, "%s: Commit succeeded, and of the rows %+v", kind, all)
		}
	default:
		if o, ok := outcomeOf(err, r.log.KeyTable, t.group.bucket, key.rows()); o != key.each() || !ok {
			r.judge.found(undocumented, "%s: the error counts other rows of %s than LastTx, %+v: %v", kind, r.log.KeyTable, key, err)
		}
		if o, ok := outcomeOf(err, r.log.LogTable, anyBucket, log.rows()); o != log.each() || !ok {
			r.judge.found(undocumented, "%s: the error counts other rows of %s than LastTx, %+v: %v", kind, r.log.LogTable, log, err)
		}
	}
}
