package conformance

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gofluss/fluss/dialect"
)

// document is a page of the documentation, taken apart.
type document struct {
	file     string
	headings []string     // of the third level
	sections []string     // of the second level
	steps    []scriptStep // of the SQL blocks and of the tables of refusals
	refusals int          // rows of the tables of refusals
	hints    []string     // of the table of hints
}

var tableCell = regexp.MustCompile("^\\| `([^`]+)`(?:, `[^`]+`)* \\| (.*) \\|$")

func readDocument(t *testing.T, file string) *document {
	t.Helper()
	text, err := os.ReadFile("../" + file)
	if err != nil {
		t.Fatal(err)
	}
	d := &document{file: file}
	fence, table, begin, block := "", "", 0, []string(nil)
	for i, l := range strings.Split(string(text), "\n") {
		info, isFence := strings.CutPrefix(strings.TrimSpace(l), "```")
		switch {
		case isFence && fence == "":
			fence, begin, block = "```"+info, i+2, nil
		case isFence:
			if fence == "```sql" {
				d.add(t, begin, block)
			}
			fence = ""
		case fence != "":
			block = append(block, l)
		case strings.HasPrefix(l, "### "):
			d.headings = append(d.headings, strings.TrimPrefix(l, "### "))
		case strings.HasPrefix(l, "## "):
			d.sections = append(d.sections, strings.TrimPrefix(l, "## "))
		case strings.HasPrefix(l, "| ") && table == "":
			table = l
		case strings.HasPrefix(l, "| "):
			d.tableRow(t, table, i+1, l)
		case l == "":
			table = ""
		}
	}
	return d
}

func (d *document) add(t *testing.T, line int, block []string) {
	t.Helper()
	steps, err := parseScript(d.file, line, strings.Join(block, "\n"))
	if err != nil {
		t.Fatal(err)
	}
	d.steps = append(d.steps, steps...)
}

// tableRow takes what a table says: a statement and the words it is refused with, or a hint.
func (d *document) tableRow(t *testing.T, table string, line int, row string) {
	t.Helper()
	m := tableCell.FindStringSubmatch(row)
	switch {
	case m == nil:
	case table == "| statement | refused with |":
		d.add(t, line, []string{m[1] + ";", "--> refused Unsupported: " + m[2]})
		d.refusals++
	case strings.HasPrefix(table, "| hint |"):
		name, _, _ := strings.Cut(m[1], "(")
		d.hints = append(d.hints, name)
	}
}

// TestDialectDocument runs the SQL of DIALECT.md.
func TestDialectDocument(t *testing.T) {
	d := readDocument(t, "DIALECT.md")
	r := newScriptRun(t, "db")
	r.step(&scriptStep{verb: "database", arg: "archive"})
	r.play(d.steps)
	t.Logf("%d statements, %d with rows, %d refused", len(d.steps), r.answered, r.refused)
	if d.refusals < 30 || r.answered < 30 {
		t.Errorf("%d refusals in tables, %d statements with rows: the page was not taken apart", d.refusals, r.answered)
	}
}

// TestDialectComplete: every form that DIALECT.md tells has cases, every form with cases is told there, and both have every
// hint and every kind of statement.
func TestDialectComplete(t *testing.T) {
	d := readDocument(t, "DIALECT.md")
	steps := allStatements(t)
	var forms []string
	for i := range steps {
		if f := steps[i].form; f != "" && !slices.Contains(forms, f) {
			forms = append(forms, f)
		}
	}
	for _, f := range forms {
		if !slices.Contains(d.headings, f) && !slices.Contains(d.sections, f) {
			t.Errorf("DIALECT.md has no heading %q", f)
		}
	}
	for _, h := range d.headings {
		if !slices.Contains(forms, h) {
			t.Errorf("no case of %q", h)
		}
	}
	checkHints(t, d, steps)
	checkStatementKinds(t, steps)
}

// checkHints takes the hints there are from the words that refuse an unknown one.
func checkHints(t *testing.T, d *document, steps []scriptStep) {
	t.Helper()
	_, err := dialect.Parse("SELECT /*+ NO_SUCH_HINT */ 1", dialect.Options{})
	_, list, ok := strings.Cut(fmt.Sprint(err), "the hints are ")
	if !ok {
		t.Fatal(err)
	}
	list, _, _ = strings.Cut(list, "\n")
	for name := range strings.SplitSeq(list, ", ") {
		if !slices.Contains(d.hints, name) {
			t.Errorf("DIALECT.md tells nothing of the hint %s", name)
		}
		use := regexp.MustCompile(`/\*\+[^/]*\b` + name + `\b`)
		if !slices.ContainsFunc(steps, func(s scriptStep) bool { return s.class == "" && use.MatchString(s.sql) }) {
			t.Errorf("no case with the hint %s that runs", name)
		}
	}
}

// checkStatementKinds takes the kinds of statement from the package that parses them.
func checkStatementKinds(t *testing.T, steps []scriptStep) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "../dialect/ast.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	have := map[string]bool{}
	for i := range steps {
		if s, err := dialect.Parse(steps[i].sql, dialect.Options{}); err == nil {
			have[fmt.Sprintf("%T", s)] = true
		}
	}
	kinds := 0
	for _, decl := range file.Decls {
		f, ok := decl.(*ast.FuncDecl)
		if !ok || f.Name.Name != "statement" || f.Recv == nil {
			continue
		}
		kinds++
		kind := "*dialect." + f.Recv.List[0].Type.(*ast.StarExpr).X.(*ast.Ident).Name
		if !have[kind] {
			t.Errorf("no case is a %s", kind)
		}
	}
	if kinds < 15 {
		t.Errorf("only %d kinds of statement were found", kinds)
	}
}

var quotedSQL = regexp.MustCompile("`((?:CREATE|SELECT|INSERT|UPSERT|UPDATE|DELETE) [^`]*)`((?:, [^,()]+)*)\\)")

// TestReadme runs the SQL of README.md: its SQL blocks, and what its Go snippets send with the arguments they give.
func TestReadme(t *testing.T) {
	d := readDocument(t, "README.md")
	r := newScriptRun(t, "db")
	r.play(d.steps)
	text, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	sent := 0
	for _, block := range regexp.MustCompile("(?s)```go\n(.*?)```").FindAllStringSubmatch(string(text), -1) {
		for _, m := range quotedSQL.FindAllStringSubmatch(block[1], -1) {
			args := strings.ReplaceAll(strings.TrimPrefix(m[2], ", "), `"`, "'")
			s := scriptStep{file: "README.md", sql: m[1], affected: -1}
			if err := s.arguments(args); err != nil {
				t.Errorf("%s: %v", m[0], err)
				continue
			}
			r.step(&s)
			sent++
		}
	}
	t.Logf("%d statements in blocks, %d in Go", len(d.steps), sent)
	if len(d.steps) == 0 || sent == 0 {
		t.Error("no statements were found")
	}
}

// allStatements are the steps of all statement scripts.
func allStatements(t *testing.T) []scriptStep {
	t.Helper()
	var all []scriptStep
	for _, file := range scripts(t, "testdata/statements") {
		all = append(all, readScript(t, file)...)
	}
	return all
}
