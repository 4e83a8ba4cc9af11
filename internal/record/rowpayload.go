package record

import (
	"fmt"

	"github.com/gofluss/fluss/internal/row"
)

// rowPayload decodes the payload of INDEXED and COMPACTED logs, a sequence of
//
//	int32  bytes that follow
//	int8   change type
//	       row
//
// All rows are decoded once to check them and then again, one at a time, as they are asked for: keeping them
// decoded would take many times the size of the batch.
type rowPayload struct {
	codec   *row.Codec
	starts  [][]byte // the bytes of each row
	changes []byte
	current []row.Datum
	at      int   // the row in current, or -1
	want    []int // the columns to decode into current; nil: all
	wanted  []bool
}

func newRowPayload(codec *row.Codec, columns int) *rowPayload {
	return &rowPayload{codec: codec, current: make([]row.Datum, columns), at: -1}
}

func (p *rowPayload) selectColumns(want []bool) {
	p.wanted, p.want, p.at = want, []int{}, -1
	for i, w := range want {
		if w {
			p.want = append(p.want, i)
		}
	}
}

func (p *rowPayload) decode(d *LogDecoder, b *LogBatch) error {
	p.starts, p.changes, p.at = p.starts[:0], p.changes[:0], -1
	it := items{rest: b.Payload, left: b.Count}
	for {
		item, ok := it.next("log batch")
		if !ok {
			break
		}
		if len(item) < 1 || ChangeType(item[0]) >= changeTypes {
			return corruptf("record %d has no known change type", len(p.starts))
		}
		if err := p.codec.Decode(p.current, item[1:]); err != nil {
			return &CorruptError{Reason: fmt.Sprintf("record %d", len(p.starts)), Cause: err}
		}
		p.starts = append(p.starts, item[1:])
		p.changes = append(p.changes, item[0])
	}
	if it.err != nil {
		return it.err
	}
	d.rows.rowwise, d.rows.changes = p, p.changes
	return nil
}

// datum sets dst to a column of row i, which was checked.
func (p *rowPayload) datum(dst *row.Datum, col, i int) {
	if p.wanted != nil && !p.wanted[col] {
		*dst = row.Datum{Null: true}
		return
	}
	if p.at != i {
		if err := p.decodeRow(p.starts[i]); err != nil {
			panic("record: a row that decoded once does not decode again: " + err.Error())
		}
		p.at = i
	}
	*dst = p.current[col]
}

func (p *rowPayload) decodeRow(src []byte) error {
	if p.want == nil {
		return p.codec.Decode(p.current, src)
	}
	return p.codec.DecodeColumns(p.current, src, p.want)
}
