package conformance

import (
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/gofluss/fluss"
)

// scriptScanTypes are the ScanTypes of the types, nullable and NOT NULL.
var scriptScanTypes = map[string][2]reflect.Type{
	"BOOLEAN": boolTypes, "TINYINT": intTypes, "SMALLINT": intTypes, "INT": intTypes, "BIGINT": intTypes, "FLOAT": floatTypes, "DOUBLE": floatTypes,
	"DECIMAL": stringTypes, "CHAR": stringTypes, "STRING": stringTypes, "BINARY": bytesTypes, "BYTES": bytesTypes, "DATE": timeTypes,
	"TIME": stringTypes, "TIMESTAMP": timeTypes, "TIMESTAMP_LTZ": timeTypes, "ARRAY": stringTypes, "MAP": stringTypes, "ROW": stringTypes,
}

// scriptClasses are the classes of a refusal.
var scriptClasses = map[string]error{
	"Unsupported": fluss.ErrUnsupported, "Syntax": fluss.ErrSyntax, "Value": fluss.ErrValue, "TableNotExist": fluss.ErrTableNotExist,
	"TableExists": fluss.ErrTableExists, "DatabaseNotExist": fluss.ErrDatabaseNotExist, "DatabaseExists": fluss.ErrDatabaseExists,
	"ColumnNotExist": fluss.ErrColumnNotExist, "ColumnExists": fluss.ErrColumnExists, "PartitionNotExist": fluss.ErrPartitionNotExist,
	"PartitionExists": fluss.ErrPartitionExists, "OffsetOutOfRange": fluss.ErrOffsetOutOfRange, "NoLastInsertID": fluss.ErrNoLastInsertID,
	"Error": nil,
}

// cellText prints a value as scripts have it.
func cellText(v any) string {
	switch v := v.(type) {
	case nil:
		return "NULL"
	case time.Time:
		return v.Format("2006-01-02T15:04:05.999999999Z07:00")
	case []byte:
		return "X'" + hex.EncodeToString(v) + "'"
	case string:
		odd := func(c rune) bool { return c == '|' || c == '"' || !unicode.IsPrint(c) }
		if v == "" || v != strings.TrimSpace(v) || v == "NULL" || strings.IndexFunc(v, odd) >= 0 && !strings.HasPrefix(v, "{") && !strings.HasPrefix(v, "[") || !utf8.ValidString(v) {
			return strconv.Quote(v)
		}
		return v
	}
	return fmt.Sprint(v)
}

func headerOf(types []*sql.ColumnType) string {
	var cells []string
	for _, c := range types {
		cell := c.Name() + " " + c.DatabaseTypeName()
		if p, s, ok := c.DecimalSize(); ok {
			cell += fmt.Sprintf("(%d,%d)", p, s)
		} else if n, ok := c.Length(); ok && (c.DatabaseTypeName() == "CHAR" || c.DatabaseTypeName() == "BINARY") {
			cell += fmt.Sprintf("(%d)", n)
		}
		if nullable, ok := c.Nullable(); ok && !nullable {
			cell += " NOT NULL"
		}
		cells = append(cells, cell)
	}
	return strings.Join(cells, " | ")
}

func (r *scriptRun) columns(s *scriptStep, types []*sql.ColumnType) {
	r.t.Helper()
	var want, got []string
	parts := strings.Split(r.scripted(headerOf(types)), " | ")
	for i, c := range s.columns {
		text := c.name
		if c.typ != "" {
			text += " " + c.typ
		}
		if c.notNull {
			text += " NOT NULL"
		}
		want = append(want, text)
		if c.typ == "" && r.strict {
			r.errorf(s, "column %s has no type; the header is\n%s", c.name, r.scripted(headerOf(types)))
			return
		}
		if c.typ == "" || i >= len(types) {
			continue
		}
		word, _, _ := strings.Cut(c.typ, "(")
		if scan := scriptScanTypes[word][map[bool]int{true: 1}[c.notNull]]; types[i].ScanType() != scan {
			r.errorf(s, "%s is scanned into %s, want %s", c.name, types[i].ScanType(), scan)
		}
	}
	for i := range types {
		if i < len(s.columns) && s.columns[i].typ == "" {
			got = append(got, r.scripted(types[i].Name()))
		} else {
			got = append(got, parts[i])
		}
	}
	if g, w := strings.Join(got, " | "), strings.Join(want, " | "); g != w {
		r.errorf(s, "got  columns %s\nwant columns %s", g, w)
	}
}

func (r *scriptRun) rows(s *scriptStep, got []string) {
	r.t.Helper()
	want := slices.Clone(s.rows)
	if s.unordered {
		slices.Sort(got)
		slices.Sort(want)
	}
	same := len(got) == len(want)
	for i := 0; same && i < len(got); i++ {
		same = sameCells(got[i], want[i])
	}
	if !same {
		r.errorf(s, "got\n--> %s\nwant\n--> %s", strings.Join(got, "\n--> "), strings.Join(want, "\n--> "))
	}
	r.answered++
}

// sameCells compares rows; a '~' of want stands for any value, or for any text within one.
func sameCells(got, want string) bool {
	if !strings.Contains(want, "~") {
		return got == want
	}
	pattern := strings.ReplaceAll(regexp.QuoteMeta(want), "~", "[^|]+")
	return regexp.MustCompile("^" + pattern + "$").MatchString(got)
}

// failed reports whether the step is done with: it failed, or should have.
func (r *scriptRun) failed(s *scriptStep, err error) bool {
	r.t.Helper()
	if s.class == "" {
		if err != nil {
			r.errorf(s, "%v", err)
		}
		return err != nil
	}
	sentinel, known := scriptClasses[s.class]
	if !known {
		r.errorf(s, "there is no class %s", s.class)
	}
	if err == nil || sentinel != nil && !errors.Is(err, sentinel) {
		r.errorf(s, "got  %v (%T)\nwant %s with %q", err, err, s.class, s.words)
		return true
	}
	if got := errorCode(err); s.class == "Error" && s.code == 0 {
		for name, other := range scriptClasses {
			if other != nil && errors.Is(err, other) {
				r.errorf(s, "the error has a class: %s", name)
			}
		}
	} else if s.code != 0 && got != s.code {
		r.errorf(s, "got  code %d: %v\nwant %d", got, err, s.code)
	}
	r.refusalType(s, err)
	rest := r.scripted(err.Error())
	for _, w := range s.words {
		_, after, ok := strings.Cut(rest, w)
		if !ok {
			r.errorf(s, "got  %v\nwant %q in this order", err, s.words)
			break
		}
		rest = after
	}
	r.refused++
	return true
}

// refusalType checks the type and the SQLSTATE of the classes that have them.
func (r *scriptRun) refusalType(s *scriptStep, err error) {
	r.t.Helper()
	var state interface{ SQLState() string }
	want := map[string]string{"Unsupported": "0A000", "Syntax": "42601", "Value": "22000", "TableNotExist": "42S02", "ColumnNotExist": "42S22"}[s.class]
	if want != "" && (!errors.As(err, &state) || state.SQLState() != want) {
		r.errorf(s, "%T has no SQLSTATE %s", err, want)
	}
	var u *fluss.UnsupportedError
	if s.class == "Unsupported" && (!errors.As(err, &u) || u.Feature == "") {
		r.errorf(s, "%T names no feature", err)
	}
}

// errorCode is the server's code, 0 when there is none.
func errorCode(err error) int {
	var e *fluss.Error
	if errors.As(err, &e) {
		return e.Code
	}
	return 0
}
