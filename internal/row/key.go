package row

import (
	"errors"
	"fmt"

	"github.com/gofluss/fluss/internal/catalog"
)

// keyRule is one of the three ways to turn key columns into bytes.
type keyRule uint8

const (
	keyCompacted keyRule = iota // the fields of a COMPACTED row, in key order, with no null bits
	keyPaimon                   // key_paimon.go
	keyIceberg                  // key_iceberg.go
)

// A table without a lake format, or of lance, has compacted keys and the bucket function of Fluss. The others:
//
//	                                                   primary key bytes   bucket key bytes
//	paimon, iceberg; kv format version absent or 1     of the lake         of the lake
//	    version 2, bucket key = physical primary key   of the lake         of the lake
//	    version 2, another bucket key                  compacted           of the lake
//
// The property counts whether the lake is enabled or not. Source: KeyEncoder (Java, v0.9.1-incubating).

// bucketKeyRule returns the rule of the bytes that are hashed.
func bucketKeyRule(t *catalog.Table) (keyRule, error) {
	switch t.DatalakeFormat {
	case "", "lance":
		return keyCompacted, nil
	case "paimon":
		return keyPaimon, nil
	case "iceberg":
		return keyIceberg, nil
	}
	return 0, fmt.Errorf("table %s: table.datalake.format = %q is not known to this client", t.Path, t.DatalakeFormat)
}

// primaryKeyRule returns the rule of the bytes that identify a row.
func primaryKeyRule(t *catalog.Table) (keyRule, error) {
	rule, err := bucketKeyRule(t)
	switch {
	case err != nil:
		return 0, err
	case rule == keyCompacted || t.KVFormatVersion == 1:
		return rule, nil
	case t.KVFormatVersion != 2:
		return 0, fmt.Errorf("table %s: table.kv.format-version = %d is not known to this client", t.Path, t.KVFormatVersion)
	case t.DefaultBucketKey():
		return rule, nil
	}
	return keyCompacted, nil
}

// ErrEmptyKey is returned where the key bytes come out empty, which no bucket takes: an empty text or no bytes as
// the key of an iceberg table.
var ErrEmptyKey = errors.New("the key is empty, which iceberg tables cannot have")

// NullKeyError is a NULL in a key column.
type NullKeyError struct{ Column string }

func (e *NullKeyError) Error() string { return fmt.Sprintf("key column %q is NULL", e.Column) }

// KeyEncoder turns some columns of a row into key bytes. It is compiled once per table, immutable and safe for
// concurrent use.
type KeyEncoder struct {
	rule      keyRule
	positions []int
	columns   []codecColumn
	types     []*catalog.Type
	names     []string
}

// NewKeyEncoder returns the encoder of a key table's primary key bytes. They cover the physical primary key: the
// partition columns are left out.
func NewKeyEncoder(t *catalog.Table) (*KeyEncoder, error) {
	if !t.IsKeyTable() {
		return nil, fmt.Errorf("table %s has no primary key", t.Path)
	}
	rule, err := primaryKeyRule(t)
	if err != nil {
		return nil, err
	}
	return newKeyEncoder(t, rule, t.PhysicalKey)
}

// NewBucketKeyEncoder returns the encoder of the bytes from which a Bucketer finds the bucket. A log table without
// a bucket key has none: its rows may go to any bucket.
func NewBucketKeyEncoder(t *catalog.Table) (*KeyEncoder, error) {
	rule, err := bucketKeyRule(t)
	if err != nil {
		return nil, err
	}
	return newKeyEncoder(t, rule, t.BucketCols)
}

// NewPrefixKeyEncoder returns the encoder of what a prefix lookup sends: the bucket columns by the rule of the
// primary key. It fails where t.PrefixLookup is false.
func NewPrefixKeyEncoder(t *catalog.Table) (*KeyEncoder, error) {
	if !t.PrefixLookup() {
		return nil, fmt.Errorf("table %s: the bucket key is no proper prefix of the primary key", t.Path)
	}
	rule, err := primaryKeyRule(t)
	if err != nil {
		return nil, err
	}
	return newKeyEncoder(t, rule, t.BucketCols)
}

func newKeyEncoder(t *catalog.Table, rule keyRule, positions []int) (*KeyEncoder, error) {
	k := &KeyEncoder{rule: rule, positions: positions}
	if len(positions) == 0 {
		return nil, fmt.Errorf("table %s: the key has no columns", t.Path)
	}
	for _, p := range positions {
		c := &t.Schema.Columns[p]
		if c.Type.IsNested() {
			return nil, fmt.Errorf("table %s: column %q of type %s cannot be part of a key", t.Path, c.Name, c.Type.Name())
		}
		k.columns = append(k.columns, compileColumn(Compacted, &c.Type))
		k.types = append(k.types, &c.Type)
		k.names = append(k.names, c.Name)
	}
	if rule == keyIceberg {
		if err := checkIcebergKey(k.types); err != nil {
			return nil, fmt.Errorf("table %s: %w", t.Path, err)
		}
	}
	return k, nil
}

// Columns returns the positions of the columns that the key covers, in key order. Do not change it.
func (k *KeyEncoder) Columns() []int { return k.positions }

// Append appends the key bytes of row, which has all columns of the table's schema; only those of Columns are
// looked at. A NULL among them is a *NullKeyError, except in the bucket key of a paimon table, which has a null
// bit. It allocates only to grow dst; dst comes back as it was when there is an error.
func (k *KeyEncoder) Append(dst []byte, row []Datum) ([]byte, error) {
	from := len(dst)
	if k.rule == keyPaimon {
		return k.appendPaimon(dst, row), nil
	}
	for i, p := range k.positions {
		if row[p].Null {
			return dst[:from], &NullKeyError{Column: k.names[i]}
		}
		if k.rule == keyIceberg {
			dst = appendIcebergKey(dst, k.types[i], &row[p])
		} else {
			dst = k.columns[i].appendCompacted(dst, &row[p])
		}
	}
	if len(dst) == from {
		return dst, ErrEmptyKey
	}
	return dst, nil
}
