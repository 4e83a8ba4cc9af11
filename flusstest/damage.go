package flusstest

import "errors"

var errNoSuchByte = errors.New("flusstest: no stored batch has such a byte")

// What tests do to the data of a bucket. The table is named as for Leader.

// ExpireLog drops the head of a bucket's log up to offset, as table.log.ttl does, whole batches only.
func (s *Server) ExpireLog(table string, bucket int, offset int64) error {
	b, err := s.bucket(table, bucket)
	if err == nil {
		b.store.expireTo(offset)
	}
	return err
}

// TruncateLog drops a bucket's log from the batch on that holds offset, and what it did to the rows of a key table: the
// loss of acknowledged writes that a killed server with a single replica suffers.
func (s *Server) TruncateLog(table string, bucket int, offset int64) error {
	b, err := s.bucket(table, bucket)
	if err == nil {
		err = b.store.truncateTo(offset)
	}
	return err
}

// CorruptLog inverts a byte of the stored batch that holds offset, at a distance from its start.
func (s *Server) CorruptLog(table string, bucket int, offset int64, at int) error {
	b, err := s.bucket(table, bucket)
	if err == nil && !b.store.corrupt(offset, at) {
		err = errNoSuchByte
	}
	return err
}

// ForgetWriters leaves a bucket with the newest batch of each writer only, as a restart does.
func (s *Server) ForgetWriters(table string, bucket int) error {
	b, err := s.bucket(table, bucket)
	if err == nil {
		b.store.forgetWriters()
	}
	return err
}

// LogEnd returns the offset that the next record of a bucket gets, -1 when there is no such bucket.
func (s *Server) LogEnd(table string, bucket int) int64 {
	b, err := s.bucket(table, bucket)
	if err != nil {
		return -1
	}
	return b.store.logEnd()
}

func (s *Server) bucket(table string, id int) (*bucket, error) {
	s.cluster.mu.RLock()
	defer s.cluster.mu.RUnlock()
	return s.cluster.named(table, id)
}
