package conformance

import (
	"encoding/hex"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
)

// A script is SQL with what it must answer, in testdata/statements, in testdata/flink and in the documentation's blocks:
//
//	--# form NAME            the statement form, a heading of DIALECT.md, that the following statements show
//	--# open k=v&k=v         the following statements run on a pool with these keys in its DSN; nothing: the default again
//	--# database NAME        NAME is a database of the script's own: it gets a name that nobody else has
//	--# begin [OPTIONS]      a transaction, up to --# commit or --# rollback. OPTIONS: serializable, read only
//	--# outside              the next statement runs outside of the transaction
//	--# real                 the next statement needs a real cluster: flusstest documents that it does not do this
//	SELECT ...;              a statement ends with the line that ends with ';', or with that and a comment
//	--> with 1, 'x', NULL    its arguments: numbers, texts, X'hex', TRUE, lists in [], :name = value
//	--> 2 rows               RowsAffected
//	--> a INT | b STRING     the columns of a result; a type ends with NOT NULL, or the column is nullable. Or names alone
//	--> 1 | Ann              its rows; '~' stands for any value, unusual texts are quoted as in Go
//	--> unordered            the order of the rows is not promised
//	--> refused CLASS: a ... b   it fails with fluss.ErrCLASS and these words. A server's code may follow CLASS. CLASS
//	                         Error is any other error.
//
// Lines that start with "--" outside of a statement are comments.
type scriptStep struct {
	file, form string
	line       int
	verb       string // "", "open", "database", "begin", "commit", "rollback"
	arg        string // of the verb
	outside    bool
	real       bool

	sql       string
	args      []any
	affected  int64 // -1: not told
	columns   []scriptColumn
	rows      []string
	unordered bool
	class     string // "" when it must succeed
	code      int    // 0: not told
	words     []string
}

// scriptColumn is a column of a result. Without a type only the name counts.
type scriptColumn struct {
	name, typ string
	notNull   bool
}

func (s *scriptStep) String() string { return fmt.Sprintf("%s:%d: %s", s.file, s.line, s.sql) }

func readScript(t *testing.T, file string) []scriptStep {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	steps, err := parseScript(file, 1, string(text))
	if err != nil {
		t.Fatal(err)
	}
	return steps
}

// parseScript reads a script whose first line has that number in the file.
func parseScript(file string, line int, text string) ([]scriptStep, error) {
	p := scriptParser{file: file}
	for i, l := range strings.Split(text, "\n") {
		if err := p.take(line+i, strings.TrimRight(l, " \t\r")); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, line+i, err)
		}
	}
	if p.open {
		return nil, fmt.Errorf("%s: a statement does not end with ';'", file)
	}
	return p.steps, nil
}

type scriptParser struct {
	file, form string
	outside    bool
	real       bool
	open       bool // in a statement
	steps      []scriptStep
}

func (p *scriptParser) take(number int, l string) error {
	switch {
	case p.open:
		s := &p.steps[len(p.steps)-1]
		s.sql += "\n" + l
		p.open = !endsStatement(l)
	case strings.HasPrefix(l, "--> "):
		if len(p.steps) == 0 {
			return fmt.Errorf("there is no statement yet")
		}
		return p.steps[len(p.steps)-1].expect(strings.TrimPrefix(l, "--> "))
	case strings.HasPrefix(l, "--# "):
		verb, arg, _ := strings.Cut(strings.TrimPrefix(l, "--# "), " ")
		switch verb {
		case "form":
			p.form = arg
		case "outside":
			p.outside = true
		case "real":
			p.real = true
		case "open", "database", "begin", "commit", "rollback":
			p.steps = append(p.steps, scriptStep{file: p.file, form: p.form, line: number, verb: verb, arg: arg, affected: -1})
		default:
			return fmt.Errorf("unknown directive %q", verb)
		}
	case l == "" || strings.HasPrefix(l, "--"):
	default:
		p.steps = append(p.steps, scriptStep{file: p.file, form: p.form, line: number, sql: l, outside: p.outside, real: p.real, affected: -1})
		p.open, p.outside, p.real = !endsStatement(l), false, false
	}
	return nil
}

func endsStatement(l string) bool {
	head, _, _ := strings.Cut(l, "; --")
	return strings.HasSuffix(l, ";") || head != l
}

func (s *scriptStep) expect(l string) error {
	var n int64
	switch {
	case strings.HasPrefix(l, "with "):
		return s.arguments(strings.TrimPrefix(l, "with "))
	case l == "unordered":
		s.unordered = true
	case strings.HasPrefix(l, "refused "):
		head, words, ok := strings.Cut(strings.TrimPrefix(l, "refused "), ": ")
		class, code, _ := strings.Cut(head, " ")
		if !ok || words == "" {
			return fmt.Errorf("a refusal has words")
		}
		s.class, s.words = class, strings.Split(words, " ... ")
		if code != "" {
			var err error
			s.code, err = strconv.Atoi(code)
			return err
		}
	case scanExactly(l, "%d rows", &n):
		s.affected = n
	case s.columns == nil:
		for _, c := range strings.Split(l, " | ") {
			s.columns = append(s.columns, parseScriptColumn(c))
		}
	default:
		s.rows = append(s.rows, l)
	}
	return nil
}

func scanExactly(l, format string, n *int64) bool {
	_, err := fmt.Sscanf(l, format, n)
	return err == nil && fmt.Sprintf(format, *n) == l
}

func parseScriptColumn(text string) scriptColumn {
	c := scriptColumn{name: text}
	rest, notNull := strings.CutSuffix(text, " NOT NULL")
	i := strings.LastIndexByte(rest, ' ')
	if i < 0 {
		return c
	}
	word, _, _ := strings.Cut(rest[i+1:], "(")
	if _, known := scriptScanTypes[word]; !known {
		return c
	}
	return scriptColumn{name: rest[:i], typ: rest[i+1:], notNull: notNull}
}

// arguments reads a list of values as they stand in SQL.
func (s *scriptStep) arguments(text string) error {
	for text != "" {
		name, rest, ok := strings.Cut(text, " = ")
		if ok && strings.HasPrefix(name, ":") && !strings.ContainsAny(name, " ,") {
			text = rest
		} else {
			name = ""
		}
		v, rest, err := scriptValue(text)
		if err != nil {
			return err
		}
		if name != "" {
			v = named(name[1:], v)[0]
		}
		s.args = append(s.args, v)
		text = strings.TrimPrefix(rest, ", ")
		if rest != "" && text == rest {
			return fmt.Errorf("expected ', ' at %q", rest)
		}
	}
	return nil
}

// scriptValue reads the value that text starts with.
func scriptValue(text string) (v any, rest string, err error) {
	switch {
	case strings.HasPrefix(text, "["):
		var list []any
		text = text[1:]
		for !strings.HasPrefix(text, "]") {
			if v, text, err = scriptValue(text); err != nil {
				return nil, "", err
			}
			list = append(list, v)
			text = strings.TrimPrefix(text, ", ")
			if text == "" {
				return nil, "", fmt.Errorf("a list does not end")
			}
		}
		return list, text[1:], nil
	case strings.HasPrefix(text, "X'"):
		digits, rest, _ := strings.Cut(text[2:], "'")
		b, err := hex.DecodeString(digits)
		return b, rest, err
	case strings.HasPrefix(text, "'"):
		body, rest, ok := strings.Cut(text[1:], "'")
		for ok && strings.HasPrefix(rest, "'") {
			var more string
			more, rest, ok = strings.Cut(rest[1:], "'")
			body += "'" + more
		}
		if !ok {
			return nil, "", fmt.Errorf("a text does not end")
		}
		return body, rest, nil
	}
	end := strings.IndexAny(text, ",]")
	if end < 0 {
		end = len(text)
	}
	word, rest := text[:end], text[end:]
	switch word {
	case "NULL":
		return nil, rest, nil
	case "TRUE", "FALSE":
		return word == "TRUE", rest, nil
	}
	if n, err := strconv.ParseInt(word, 10, 64); err == nil {
		return n, rest, nil
	}
	f, err := strconv.ParseFloat(word, 64)
	return f, rest, err
}
