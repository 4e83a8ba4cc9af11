package dialect

import (
	"flag"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write testdata/*.txt anew from what the parser does; read the diff")

// golden is one block of testdata/*.txt: the statement, a line "=> " with its canonical form, a line "   " with
// its tree. Blocks are separated by a line of dashes.
type golden struct{ sql, format, tree string }

const goldenRule = "\n----\n"

func readGolden(t testing.TB, file string) []golden {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var list []golden
	for block := range strings.SplitSeq(strings.TrimSuffix(string(raw), "\n"), goldenRule) {
		var g golden
		var rest string
		g.sql, rest, _ = strings.Cut(block, "\n=> ")
		g.format, g.tree, _ = strings.Cut(rest, "\n   ")
		list = append(list, g)
	}
	return list
}

func writeGolden(t *testing.T, file string, list []golden) {
	t.Helper()
	var blocks []string
	for _, g := range list {
		blocks = append(blocks, g.sql+"\n=> "+g.format+"\n   "+g.tree)
	}
	if err := os.WriteFile(file, []byte(strings.Join(blocks, goldenRule)+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
}

var goldenFiles = []string{"testdata/select.txt", "testdata/write.txt", "testdata/ddl.txt", "testdata/call.txt", "testdata/tools.txt"}

// Every statement of testdata parses to the tree that stands there, prints as it says there, and what is
// printed parses to the same tree.
func TestParse(t *testing.T) {
	n := 0
	for _, file := range goldenFiles {
		list := readGolden(t, file)
		for i := range list {
			g := &list[i]
			s, err := Parse(g.sql, Options{})
			if err != nil {
				t.Errorf("%s: %s\n%v", file, g.sql, err)
				continue
			}
			got := golden{g.sql, Format(s), dump(s)}
			if *update {
				*g = got
			}
			if got != *g {
				t.Errorf("%s: %s\ngot  %s\n     %s\nwant %s\n     %s", file, g.sql, got.format, got.tree, g.format, g.tree)
			}
			again, err := Parse(got.format, Options{})
			if err != nil {
				t.Errorf("%s: printed %s\n%v", file, got.format, err)
			} else if dump(again) != got.tree {
				t.Errorf("%s: printed %s\ngot  %s\nwant %s", file, got.format, dump(again), got.tree)
			}
			n++
		}
		if *update {
			writeGolden(t, file, list)
		}
	}
	t.Logf("%d statements", n)
}
