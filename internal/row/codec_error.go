package row

import "fmt"

// DecodeError tells why bytes are not a row.
type DecodeError struct {
	Format Format
	Column int // position; the number of columns when all were read and bytes remain
	Offset int // where that column starts
	Reason string
}

func (e *DecodeError) Error() string {
	return fmt.Sprintf("%s row: column %d at byte %d: %s", e.Format, e.Column, e.Offset, e.Reason)
}

// fault is a reason in one byte. The readers return it negated in place of the next offset, so that the way
// through a good row carries one int and no error value.
type fault uint8

const (
	faultNone fault = iota
	faultShort
	faultVarint
	faultLength
	faultNanos
	faultDecimal
	faultCount
	faultSlot
	faultOverlap
	faultTrailing
)

func (f fault) String() string {
	return [...]string{
		faultNone:     "none",
		faultShort:    "the row ends early",
		faultVarint:   "a varint is too long for its type",
		faultLength:   "a length is negative or runs over the end",
		faultNanos:    "nanoseconds of the millisecond are not within 0 and 999999",
		faultDecimal:  "a decimal is empty or longer than 16 bytes",
		faultCount:    "an element count is negative or larger than the bytes allow",
		faultSlot:     "an element lies outside its array",
		faultOverlap:  "nested values overlap",
		faultTrailing: "bytes remain behind the last column",
	}[f]
}
