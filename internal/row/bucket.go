package row

import (
	"math"

	"github.com/gofluss/fluss/internal/catalog"
)

// Bucketer finds the bucket of a row from its bucket key bytes, which a NewBucketKeyEncoder of the same table made.
type Bucketer struct {
	rule    keyRule
	buckets int32
}

// NewBucketer returns the bucket function of the table. A table without a lake format, or of lance, has the one of
// Fluss, as has one of a format that is not known: NewBucketKeyEncoder refuses that.
func NewBucketer(t *catalog.Table) Bucketer {
	rule, err := bucketKeyRule(t)
	if err != nil {
		rule = keyCompacted
	}
	return Bucketer{rule: rule, buckets: int32(min(max(t.BucketCount, 1), math.MaxInt32))}
}

// Bucket returns the bucket of a key, from 0. A key is never empty: KeyEncoder.Append refuses that.
// Source: FlussBucketingFunction, PaimonBucketingFunction, IcebergBucketingFunction (Java, v0.9.1-incubating).
func (b Bucketer) Bucket(key []byte) int32 {
	switch b.rule {
	case keyPaimon:
		return abs32(Hash42(key) % b.buckets)
	case keyIceberg:
		return HashIceberg(key) & math.MaxInt32 % b.buckets
	}
	return HashFluss(key) % b.buckets
}

func abs32(v int32) int32 {
	if v < 0 {
		return -v
	}
	return v
}
