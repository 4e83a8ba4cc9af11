package flusstest

import (
	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/record"
	"github.com/gofluss/fluss/internal/row"
	"github.com/gofluss/fluss/internal/wire"
)

// decodeOld reads a stored value into p.old.
func (p *putScratch) decodeOld(value []byte) error {
	id, stored, err := record.ReadValue(value)
	if err != nil {
		return brokenf(indexOutOfBounds, "")
	}
	h := p.latest
	if int(id) != h.schema.ID {
		if h, err = p.b.shape(int(id)); err != nil {
			return err
		}
	}
	return h.decode(p.old, stored)
}

func (p *putScratch) remove(key []byte) error {
	switch {
	case p.overwrite:
	case p.b.table.DeleteBehavior == "ignore":
		return nil
	case p.b.table.DeleteBehavior == "disable":
		return refusef(wire.CodeDeletionDisabled,
			"Delete operations are disabled for this table. The table.delete.behavior is set to 'disable'.")
	}
	value := p.b.rows.get(key)
	if value == nil {
		return nil
	}
	if err := p.decodeOld(value); err != nil {
		return err
	}
	what, err := p.engine.remove(p.old, p.out)
	switch {
	case err != nil:
		return err
	case what == storeMerged:
		stored, err := p.encode(p.out)
		if err != nil {
			return err
		}
		return p.update(key, p.old, p.out, stored)
	}
	if err := p.change(record.Delete, p.old); err != nil {
		return err
	}
	p.b.rows.remove(key)
	return nil
}

func (p *putScratch) upsert(key, sent []byte) error {
	var old []row.Datum
	if !p.blind {
		if value := p.b.rows.get(key); value != nil {
			if err := p.decodeOld(value); err != nil {
				return err
			}
			old = p.old
		}
	}
	if err := p.sent.decode(p.new, sent); err != nil {
		return err
	}
	what, err := p.engine.upsert(old, p.new, p.out)
	if err != nil || what == keepOld {
		return err
	}
	values, stored := p.new, value{p.sent.schema.ID, sent}
	if what == storeMerged {
		values = p.out
		if stored, err = p.encode(values); err != nil {
			return err
		}
	}
	if old != nil || p.blind {
		return p.update(key, old, values, stored)
	}
	if p.number != nil {
		if stored, err = p.numbered(values); err != nil {
			return err
		}
	}
	if err := p.change(record.Insert, values); err != nil {
		return err
	}
	p.b.rows.put(key, int16(stored.schemaID), stored.row)
	return nil
}

// value is a row as it is stored.
type value struct {
	schemaID int
	row      []byte
}

// encode makes a row of the latest schema. A NULL that came to be in a NOT NULL column, as that of a product which
// has too many digits, is more than the real server's encoder can take.
func (p *putScratch) encode(values []row.Datum) (value, error) {
	for _, i := range p.latest.notNull {
		if values[i].Null {
			part := "Bytes"
			if p.latest.schema.Columns[i].Type.IsCompactDecimal() {
				part = "Long"
			}
			return value{}, brokenf(nullPointerException, `Cannot invoke "org.apache.fluss.row.Decimal.toUnscaled%s()" because "value" is null`, part)
		}
	}
	p.row = p.latest.codec.Append(p.row[:0], values)
	return value{p.latest.schema.ID, p.row}, nil
}

func (p *putScratch) update(key []byte, old, values []row.Datum, stored value) error {
	if !p.wal {
		if err := p.change(record.UpdateBefore, old); err != nil {
			return err
		}
	}
	if err := p.change(record.UpdateAfter, values); err != nil {
		return err
	}
	p.b.rows.put(key, int16(stored.schemaID), stored.row)
	return nil
}

func (p *putScratch) change(c record.ChangeType, values []row.Datum) error {
	if err := p.latest.checkLogged(values); err != nil {
		return err
	}
	values, err := p.latest.readBack(values)
	if err != nil {
		return err
	}
	if err := p.encoder.AppendChange(c, values); err != nil {
		if h := p.latest; h.table.KVFormat == catalog.KVIndexed && h.table.LogFormat == catalog.LogArrow {
			return brokenf(indexOutOfBounds, "%v", err) // a BINARY within a nested value, see readBack
		}
		return brokenf(illegalArgument, "%v", err)
	}
	return nil
}
