package row

import (
	"fmt"
	"strings"

	"github.com/gofluss/fluss/internal/catalog"
)

// MaxPartitionValue is the longest partition value, in bytes.
const MaxPartitionValue = 200

// PartitionName returns the name of the partition that a row belongs to: the values of the partition columns as
// text, in the order of the partition key, joined by '$'. row has all columns of the table's schema; only the
// partition columns are looked at. A NULL is a *NullKeyError, a value that no partition can have a
// *PartitionValueError.
func PartitionName(t *catalog.Table, row []Datum) (string, error) {
	var buf [128]byte
	name := buf[:0]
	for i, p := range t.PartitionCols {
		c := &t.Schema.Columns[p]
		if row[p].Null {
			return "", &NullKeyError{Column: c.Name}
		}
		if i > 0 {
			name = append(name, '$')
		}
		from := len(name)
		var err error
		if name, err = AppendPartitionValue(name, &c.Type, &row[p]); err != nil {
			return "", fmt.Errorf("partition column %q: %w", c.Name, err)
		}
		if err := checkPartitionValue(name[from:]); err != nil {
			err.Column = c.Name
			return "", err
		}
	}
	return string(name), nil
}

// SplitPartitionName gives back the values of a partition's name. No value has a '$' in it.
func SplitPartitionName(name string) []string { return strings.Split(name, "$") }

// JoinPartitionName gives the name of the partition of those values.
func JoinPartitionName(values []string) string { return strings.Join(values, "$") }

// PartitionValueError is a value that no partition can have.
type PartitionValueError struct {
	Column string // "" where only the value is known
	Value  string // cut to 40 bytes
	Reason string
}

func (e *PartitionValueError) Error() string {
	return fmt.Sprintf("%q cannot be a partition value: %s", e.Value, e.Reason)
}

// CheckPartitionValue refuses what the server refuses with code 43: a value has 1 to 200 characters out of letters,
// digits, '_' and '-' and does not start with "__". The error is a *PartitionValueError.
// Source: TablePath.detectInvalidName, PartitionUtils (Java, v0.9.1-incubating).
func CheckPartitionValue(s string) error {
	if err := checkPartitionValue(s); err != nil {
		return err
	}
	return nil
}

func checkPartitionValue[S string | []byte](s S) *PartitionValueError {
	reason := ""
	switch {
	case len(s) == 0:
		reason = "it is empty"
	case len(s) > MaxPartitionValue:
		reason = fmt.Sprintf("it is longer than %d bytes", MaxPartitionValue)
	case len(s) >= 2 && s[0] == '_' && s[1] == '_':
		reason = `it starts with "__"`
	default:
		for i := range len(s) {
			if !isPartitionByte(s[i]) {
				reason = "only ASCII letters, digits, '_' and '-' are allowed"
				break
			}
		}
	}
	if reason == "" {
		return nil
	}
	return &PartitionValueError{Value: string(s[:min(len(s), 40)]), Reason: reason}
}

func isPartitionByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '-'
}
