package ring

import (
	"fmt"
	"hash/crc32"
	"strconv"
	"strings"
)

// Every STRING written says what it is: "a.17.3.w5.12345.89abcdef" is column a of group 17 item 3, written by worker 5 as
// the write 12345 of the run, with the CRC32 of all that in front. A value that stands where it was not written, or that
// nobody wrote, is recognised on any read. Log rows pad it: "l.0.0.w5.12345.89abcdef.xxxxx".

// cellText makes a value.
func cellText(column byte, group int64, item, worker int, op uint64) string {
	head := fmt.Sprintf("%c.%d.%d.w%d.%d", column, group, item, worker, op)
	return fmt.Sprintf("%s.%08x", head, crc32.ChecksumIEEE([]byte(head)))
}

// cellOp returns the write that a value stems from, and whether the value is whole and belongs where it was read.
func cellOp(text string, column byte, group int64, item int) (op uint64, ok bool) {
	want := fmt.Sprintf("%c.%d.%d.w", column, group, item)
	cut := strings.LastIndexByte(text, '.')
	if cut < 0 || !strings.HasPrefix(text, want) {
		return 0, false
	}
	if fmt.Sprintf("%08x", crc32.ChecksumIEEE([]byte(text[:cut]))) != text[cut+1:] {
		return 0, false
	}
	number := text[strings.LastIndexByte(text[:cut], '.')+1 : cut]
	op, err := strconv.ParseUint(number, 10, 64)
	return op, err == nil
}

// logText makes the value of a log row, with pad bytes behind it.
func logText(worker int, id int64, pad int) string {
	return cellText('l', 0, 0, worker, uint64(id)) + "." + strings.Repeat("x", pad)
}

// logID returns the id in the value of a log row.
func logID(text string) (id int64, ok bool) {
	cut := strings.LastIndexByte(text, '.')
	if cut < 0 || strings.Trim(text[cut+1:], "x") != "" {
		return 0, false
	}
	op, ok := cellOp(text[:cut], 'l', 0, 0)
	return int64(op), ok
}
