package dialect

import "strconv"

// typeWord says how one type word is read.
type typeWord struct {
	name   string // the word of Fluss
	params int    // how many parameters it may have
	drop   bool   // its parameters say nothing in Fluss: VARCHAR(20), BIGINT(20)
}

// typeWords are the types of Fluss and those of MySQL that ORMs write for them.
var typeWords = map[string]typeWord{
	"BOOLEAN": {name: "BOOLEAN"}, "BOOL": {name: "BOOLEAN"},
	"TINYINT":  {"TINYINT", 1, true},
	"SMALLINT": {"SMALLINT", 1, true},
	"INT":      {"INT", 1, true}, "INTEGER": {"INT", 1, true},
	"BIGINT": {"BIGINT", 1, true},
	"FLOAT":  {name: "FLOAT"},
	"DOUBLE": {name: "DOUBLE"},
	"CHAR":   {"CHAR", 1, false},
	"STRING": {name: "STRING"}, "VARCHAR": {"STRING", 1, true}, "TEXT": {name: "STRING"}, "TINYTEXT": {name: "STRING"},
	"MEDIUMTEXT": {name: "STRING"}, "LONGTEXT": {name: "STRING"},
	"BINARY": {"BINARY", 1, false},
	"BYTES":  {name: "BYTES"}, "VARBINARY": {"BYTES", 1, true}, "BLOB": {name: "BYTES"}, "TINYBLOB": {name: "BYTES"},
	"MEDIUMBLOB": {name: "BYTES"}, "LONGBLOB": {name: "BYTES"},
	"DECIMAL": {"DECIMAL", 2, false}, "DEC": {"DECIMAL", 2, false}, "NUMERIC": {"DECIMAL", 2, false},
	"DATE":      {name: "DATE"},
	"TIME":      {"TIME", 1, false},
	"TIMESTAMP": {"TIMESTAMP", 1, false}, "DATETIME": {"TIMESTAMP", 1, false},
	"TIMESTAMP_LTZ": {"TIMESTAMP_LTZ", 1, false},
	"ARRAY":         {name: "ARRAY"}, "MAP": {name: "MAP"}, "ROW": {name: "ROW"},
}

const typeNames = "BOOLEAN, TINYINT, SMALLINT, INT, BIGINT, FLOAT, DOUBLE, CHAR, STRING, BINARY, BYTES, DECIMAL, DATE, " +
	"TIME, TIMESTAMP, TIMESTAMP_LTZ, ARRAY, MAP and ROW"

// isType reports whether t is a word that begins a type.
func (t *token) isType() bool {
	if t.kind != word || len(t.text) > longestKeyword {
		return false
	}
	_, ok := typeWords[upper(t.text)]
	return ok
}

// typeSpec reads a type and the [NOT] NULL behind it.
func (p *parser) typeSpec() TypeSpec {
	t := TypeSpec{P: -1, S: -1, Pos: Pos(p.tok.pos)}
	if p.tok.kind != word {
		p.unexpected("a type")
		return t
	}
	if !p.enter() {
		return t
	}
	defer p.leave()
	w, ok := typeWords[upper(p.tok.text)]
	if !ok {
		p.refuseAt(p.tok.pos, "the type "+p.tok.text, "the types are "+typeNames, "")
		return t
	}
	p.advance()
	t.Name = w.name
	switch w.name {
	case "ARRAY":
		p.expect('<', "'<', as in ARRAY<INT>")
		t.Elem = p.nested()
		p.expect('>', "'>'")
	case "MAP":
		p.expect('<', "'<', as in MAP<STRING, INT>")
		t.Key = p.nested()
		p.expect(',', "','")
		t.Elem = p.nested()
		p.expect('>', "'>'")
	case "ROW":
		t.Fields = p.rowFields()
	default:
		p.typeParameters(&t, w)
	}
	p.nullability(&t)
	return t
}

func (p *parser) nested() *TypeSpec {
	t := p.typeSpec()
	return &t
}

// typeParameters reads (p) or (p, s) and the words that belong to some types.
func (p *parser) typeParameters(t *TypeSpec, w typeWord) {
	if p.tok.kind == '(' {
		if w.params == 0 {
			p.failAt(p.tok.pos, "%s takes no parameters", w.name)
		}
		p.advance()
		t.P = p.integer("a number")
		if w.params == 2 && p.accept(',') {
			t.S = p.integer("a number")
		}
		p.expect(')', "')'")
	}
	if w.drop {
		t.P, t.S = -1, -1
	}
	if w.name == "DOUBLE" {
		p.acceptWord("PRECISION")
	}
	if w.name == "TIMESTAMP" || w.name == "TIME" {
		p.timeZone(t)
	}
	if p.is("UNSIGNED") || p.is("ZEROFILL") {
		p.refuseAt(p.tok.pos, upper(p.tok.text), "the integers of Fluss are signed", "use the next wider type")
	}
	if p.is("COLLATE") || p.is("CHARACTER") || p.is("CHARSET") {
		p.refuseAt(p.tok.pos, upper(p.tok.text), "strings are UTF-8 and compare by their bytes", "leave it out")
	}
}

// timeZone reads WITHOUT TIME ZONE and WITH LOCAL TIME ZONE.
func (p *parser) timeZone(t *TypeSpec) {
	at := p.tok.pos
	switch {
	case p.acceptWord("WITHOUT"):
		p.expectWords("TIME", "ZONE")
	case p.is("WITH") && t.Name == "TIMESTAMP":
		p.advance()
		if p.is("TIME") {
			p.refuseAt(at, "TIMESTAMP WITH TIME ZONE", "Fluss does not store a zone", "use TIMESTAMP_LTZ")
		}
		p.expectWords("LOCAL", "TIME", "ZONE")
		t.Name = "TIMESTAMP_LTZ"
	}
}

// rowFields reads <a INT COMMENT 's', b STRING>, or the same in parentheses.
func (p *parser) rowFields() []FieldSpec {
	closing, want := kind('>'), "',' or '>'"
	if p.accept('(') {
		closing, want = ')', "',' or ')'"
	} else {
		p.expect('<', "'<', as in ROW<a INT, b STRING>")
	}
	var fields []FieldSpec
	for p.err == nil {
		f := FieldSpec{}
		f.Name, _ = p.name("a field name")
		f.Type = p.typeSpec()
		if p.acceptWord("COMMENT") {
			f.Comment = p.string("a comment in quotes")
		}
		fields = append(fields, f)
		if !p.accept(',') {
			break
		}
	}
	p.expect(closing, want)
	return fields
}

// nullability reads [NOT] NULL. NOT ENFORCED is left alone.
func (p *parser) nullability(t *TypeSpec) {
	if p.is("NOT") {
		if next := p.following(); next.is("NULL") {
			p.advance()
			p.advance()
			t.NotNull = true
		}
		return
	}
	p.acceptWord("NULL")
}

// integer reads a whole number from 0 to the largest int32, which want names.
func (p *parser) integer(want string) int {
	if p.tok.kind != number {
		p.unexpected(want)
		return 0
	}
	t := p.take()
	n, err := strconv.ParseInt(t.text, 10, 32)
	if err != nil {
		p.failAt(t.pos, "expected a whole number up to 2147483647")
	}
	return int(n)
}
