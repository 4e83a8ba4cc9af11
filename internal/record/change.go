package record

// ChangeType says what a log record did to its key. It is one byte on the wire.
type ChangeType uint8

// The change types. A log table knows Append alone, the changelog of a key table the other four.
// Source: ChangeType (Java, v0.9.1-incubating).
const (
	Append       ChangeType = iota // +A
	Insert                         // +I
	UpdateBefore                   // -U
	UpdateAfter                    // +U
	Delete                         // -D
	changeTypes
)

var changeWords = [changeTypes]string{"append", "insert", "update_before", "update_after", "delete"}

// String returns the word that the SQL side shows: "insert", "update_before", ...
func (c ChangeType) String() string {
	if c < changeTypes {
		return changeWords[c]
	}
	return "invalid"
}
