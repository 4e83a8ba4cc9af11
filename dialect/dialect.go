// Package dialect turns SQL text into statements. It knows no schema and does no I/O.
//
// The text is read once, left to right, by a scanner that keeps positions and a recursive-descent parser that
// looks one token ahead. Whatever the grammar does not consume is an error: a *SyntaxError when the text makes
// no sense, an *UnsupportedError when it does but Fluss, or this driver, does not do that.
//
// Expressions of SELECT, UPDATE and DELETE have the grammar of github.com/xwb1989/sqlparser, minus what the
// planner cannot use. The tests compare the two readings; that parser itself is not used here, because it keeps
// no positions, drops comments that are hints, and reads DATE '2020-01-01' as a column and its alias.
package dialect

// Options changes how a text is read.
type Options struct {
	ANSIQuotes bool // "x" is a name, not a string
}

// Parse reads one statement. One ';' may follow it. The statement's strings may alias sql.
//
// The error is a *SyntaxError or an *UnsupportedError.
func Parse(sql string, o Options) (Statement, error) {
	p := parser{scanner: scanner{sql: sql, ansi: o.ANSIQuotes}}
	p.advance()
	s := p.statement()
	if p.end(); p.err == nil {
		p.attach(s)
	}
	if p.err != nil {
		return nil, p.err
	}
	return s, nil
}
