//go:build go1.27

package fluss

import "github.com/gofluss/fluss/internal/record"

// textStrips are strips of texts, by column of the result: for those who scan column by column.
type textStrips []textStrip

// textStrip is the texts of some rows of a column.
type textStrip struct {
	from  int
	texts []string
	maker record.Strip
}

// forget lets go of the texts of a batch.
func (l textStrips) forget() {
	for i := range l {
		l[i].texts = nil
	}
}

// text sets p to the text of column i of the current row. It reports false where that is not made in strips.
func (r *rows) text(p *string, i int, v *record.Vector) bool {
	s := &r.strip
	if len(s.texts) < len(r.columns) {
		s.texts = make(textStrips, len(r.columns))
	}
	t := &s.texts[i]
	at := r.lazy.at - 1
	if k := at - t.from; uint(k) < uint(len(t.texts)) {
		*p = t.texts[k]
		return true
	}
	t.from = at
	if t.texts = t.maker.Texts(v, at, r.stripRows(at)); t.texts == nil {
		return false
	}
	s.size = min(2*s.size, maxStrip)
	*p = t.texts[0]
	return true
}
