package dialect

import (
	"encoding/hex"
	"strconv"
	"strings"
)

// Format prints a statement in one canonical form: names in backticks, words in upper case, one line. What it
// prints parses again to the same statement, positions and SelectItem.Text apart. Hints stand right behind the
// verb, so '?' markers in hints that stood behind others change their order.
func Format(s Statement) string {
	f := formatter{}
	f.statement(s)
	return string(f.b)
}

// formatter appends to b. names are those of the named parameters, nil when parameters are '?'.
type formatter struct {
	b     []byte
	names []string
	lines bool // CREATE TABLE over several lines
}

func (f *formatter) add(parts ...string) {
	for _, s := range parts {
		f.b = append(f.b, s...)
	}
}

// when adds s if ok.
func (f *formatter) when(ok bool, s string) {
	if ok {
		f.add(s)
	}
}

func (f *formatter) name(s string) {
	f.add("`", strings.ReplaceAll(s, "`", "``"), "`")
}

var stringEscapes = strings.NewReplacer(`\`, `\\`, `'`, `''`)

func (f *formatter) string(s string) {
	f.add("'", stringEscapes.Replace(s), "'")
}

func (f *formatter) table(t TableName) {
	if t.Database != "" {
		f.name(t.Database)
		f.add(".")
	}
	if t.Suffix != "" {
		t.Table += "$" + t.Suffix
	}
	f.name(t.Table)
}

// list calls one for 0 to n-1 with ", " in between.
func (f *formatter) list(n int, one func(i int)) {
	for i := range n {
		f.when(i > 0, ", ")
		one(i)
	}
}

func (f *formatter) columns(list []ColumnName) {
	f.add("(")
	f.list(len(list), func(i int) { f.name(list[i].Name) })
	f.add(")")
}

func (f *formatter) options(list []Option) {
	f.add("(")
	f.list(len(list), func(i int) {
		f.string(list[i].Key)
		f.add(" = ")
		f.string(list[i].Value)
	})
	f.add(")")
}

func (f *formatter) partition(list []Option) {
	f.add("PARTITION (")
	f.list(len(list), func(i int) {
		f.name(list[i].Key)
		f.add(" = ")
		f.string(list[i].Value)
	})
	f.add(")")
}

func (f *formatter) hints(list []Hint) {
	if len(list) == 0 {
		return
	}
	f.add("/*+ ")
	f.list(len(list), func(i int) {
		f.add(list[i].Name)
		if list[i].Options != nil {
			f.options(list[i].Options)
		}
		if list[i].Args != nil {
			f.operands("(", list[i].Args, ")")
		}
	})
	f.add(" */ ")
}

func (f *formatter) operands(open string, list []Operand, closing string) {
	f.add(open)
	f.list(len(list), func(i int) { f.operand(&list[i]) })
	f.add(closing)
}

func (f *formatter) operand(o *Operand) {
	switch o.Kind {
	case Param:
		if o.Index < len(f.names) {
			f.add(":", f.names[o.Index])
		} else {
			f.add("?")
		}
	case Null:
		f.add("NULL")
	case Bool:
		f.add(strings.ToUpper(o.Text))
	case Number:
		f.add(o.Text)
	case String:
		f.string(o.Text)
	case HexBytes:
		f.add("X'", hex.EncodeToString([]byte(o.Text)), "'")
	case DateLit:
		f.add("DATE ")
		f.string(o.Text)
	case TimeLit:
		f.add("TIME ")
		f.string(o.Text)
	case TimestampLit:
		f.add("TIMESTAMP ")
		f.string(o.Text)
	case Default:
		f.add("DEFAULT")
	case ArrayLit:
		f.operands("ARRAY[", o.Args, "]")
	case MapLit:
		f.operands("MAP[", o.Args, "]")
	case RowLit:
		f.operands("ROW(", o.Args, ")")
	case ValuesOf:
		f.add("VALUES(")
		f.name(o.Text)
		f.add(")")
	}
}

func (f *formatter) integer(n int) { f.b = strconv.AppendInt(f.b, int64(n), 10) }
