package dialect

import "strings"

// reserved words cannot stand bare where a name is expected: they begin or join what comes after one.
var reserved = wordSet(`AND OR NOT IN IS LIKE BETWEEN NULL TRUE FALSE EXISTS CASE WHEN THEN ELSE SELECT FROM WHERE
	GROUP HAVING ORDER BY LIMIT AS ON USING JOIN UNION EXCEPT INTERSECT DISTINCT FOR WITH INTO DEFAULT ASC DESC TABLE`)

// noAlias words cannot be an alias without AS, because they begin a clause.
var noAlias = wordSet(`LEFT RIGHT INNER CROSS NATURAL FULL STRAIGHT_JOIN OFFSET FETCH LOCK WINDOW MINUS PARTITION
	USE FORCE IGNORE TABLESAMPLE QUALIFY MATCH_RECOGNIZE LATERAL SET VALUES VALUE RETURNING OVER FILTER
	COLLATE DIV MOD XOR REGEXP RLIKE ILIKE SIMILAR SOUNDS MEMBER OVERLAPS AT ESCAPE PROCEDURE UNPIVOT PIVOT`)

func wordSet(list string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(list) {
		set[w] = true
	}
	return set
}

// longestKeyword is the length of the longest word in any set of words; longer ones need no look.
const longestKeyword = 20

// inSet reports whether t is a bare word of the set.
func (t *token) inSet(set map[string]bool) bool {
	if t.kind != word || len(t.text) > longestKeyword {
		return false
	}
	var b [longestKeyword]byte
	for i := 0; i < len(t.text); i++ {
		b[i] = upperByte(t.text[i])
	}
	return set[string(b[:len(t.text)])]
}

// isName reports whether t can be a name.
func (t *token) isName() bool {
	return t.kind == name || t.kind == word && !t.inSet(reserved)
}

// name reads a name; what says whose, as in "a column name".
func (p *parser) name(what string) (string, Pos) {
	if p.tok.kind == word && p.tok.inSet(reserved) {
		p.failAt(p.tok.pos, "unexpected %s, expected %s; a reserved word as a name is written `%s`", p.tok.text, what, p.tok.text)
	}
	if p.tok.kind != name && p.tok.kind != word {
		p.unexpected(what)
		return "", 0
	}
	t := p.take()
	return t.text, Pos(t.pos)
}

// partName reads a name behind a '.', where reserved words can be no others.
func (p *parser) partName(what string) string {
	if p.tok.kind != name && p.tok.kind != word {
		p.unexpected(what)
		return ""
	}
	return p.take().text
}

// suffixes of table names that address something else than the table's rows.
var suffixes = [...]string{"changelog", "binlog", "lake"}

// tableName reads [db.]table[$suffix].
func (p *parser) tableName() TableName {
	n, pos := p.name("a table name")
	t := TableName{Table: n, Pos: pos}
	if p.accept('.') {
		t.Database, t.Table = n, p.partName("a table name")
	}
	if p.tok.kind == '.' {
		p.refuseAt(int(pos), "a name of three parts", "there is no catalog above the database", "write database.table")
	}
	if i := strings.LastIndexByte(t.Table, '$'); i > 0 {
		for _, s := range suffixes {
			if t.Table[i+1:] == s {
				t.Table, t.Suffix = t.Table[:i], s
				break
			}
		}
	}
	return t
}

// database reads the name of a database.
func (p *parser) database() string {
	n, pos := p.name("a database name")
	if p.tok.kind == '.' {
		p.refuseAt(int(pos), "a database name of two parts", "there is no catalog above the database", "write the database's name alone")
	}
	return n
}

// columnName reads the name of a column that has nothing in front of it.
func (p *parser) columnName() ColumnName {
	n, pos := p.name("a column name")
	return ColumnName{Name: n, Pos: pos}
}

// columnNames reads (a, b, ...).
func (p *parser) columnNames() []ColumnName {
	var list []ColumnName
	p.commaList(func() { list = append(list, p.columnName()) })
	return list
}

// alias reads [AS] alias, "" when there is none. A string is an alias only behind AS.
func (p *parser) alias() string {
	if p.acceptWord("AS") {
		if p.tok.kind == text {
			if p.tok.text == "" {
				p.unexpected("an alias")
			}
			return p.take().text
		}
		n, _ := p.name("an alias")
		return n
	}
	if p.tok.isName() && !p.tok.inSet(noAlias) {
		return p.take().text
	}
	return ""
}

// options reads ('key' = 'value', ...), an empty list included.
func (p *parser) options() []Option {
	list := []Option{}
	if p.tok.kind == '(' {
		if t := p.following(); t.kind == ')' {
			p.advance()
			p.advance()
			return list
		}
	}
	seen := map[string]bool{}
	p.commaList(func() {
		o := Option{Pos: Pos(p.tok.pos)}
		o.Key = p.string("an option in quotes, as in 'bucket.num' = '4'")
		p.expect('=', "'='")
		o.Value = p.string("the option's value in quotes, as in 'bucket.num' = '4'")
		if seen[o.Key] {
			p.failAt(int(o.Pos), "option '%s' is given twice", o.Key)
		}
		seen[o.Key] = true
		list = append(list, o)
	})
	return list
}

// string reads a string, which want names.
func (p *parser) string(want string) string {
	if p.tok.kind != text {
		p.unexpected(want)
		return ""
	}
	return p.take().text
}
