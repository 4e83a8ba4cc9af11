package fluss_test

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/gofluss/fluss"

// allowed says which packages of this module, and which of others, each package may import. The standard library is
// open to all.
var allowed = map[string][]string{
	"":                      {"dialect", "internal/plan", "internal/infoschema", "internal/route", "internal/record", "internal/row", "internal/catalog", "internal/wire", "arrow-go"},
	"dialect":               {"sqlparser"},
	"internal/catalog":      {},
	"internal/fuzzbound":    {},
	"internal/plan":         {"dialect", "internal/catalog", "internal/row", "decimal"},
	"internal/infoschema":   {"dialect", "internal/catalog", "internal/plan"},
	"internal/row":          {"internal/catalog", "decimal"},
	"internal/row/rowtest":  {"internal/catalog", "internal/row"},
	"internal/record":       {"internal/row", "internal/catalog", "arrow-go", "compress", "lz4"},
	"internal/route":        {"internal/wire", "internal/wire/flusspb", "internal/record", "internal/row", "internal/catalog", "protobuf"},
	"internal/wire":         {"internal/wire/flusspb", "protobuf"},
	"internal/wire/flusspb": {"protobuf"},
	"flusstest":             {"internal/wire", "internal/wire/flusspb", "internal/record", "internal/row", "internal/catalog", "protobuf"},
	"examples/quickstart":   {"", "flusstest"},
}

var modules = map[string]string{
	"github.com/apache/arrow-go/v18/": "arrow-go",
	"github.com/shopspring/decimal":   "decimal",
	"github.com/xwb1989/sqlparser":    "sqlparser",
	"google.golang.org/protobuf/":     "protobuf",
	"github.com/klauspost/compress/":  "compress",
	"github.com/pierrec/lz4/v4":       "lz4",
}

// TestImports keeps imports going one way.
func TestImports(t *testing.T) {
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", "./...").Output()
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for d := json.NewDecoder(strings.NewReader(string(out))); ; seen++ {
		var p struct {
			ImportPath string
			Imports    []string
		}
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		checkImports(t, strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, module), "/"), p.Imports)
	}
	if seen < 8 {
		t.Errorf("go list shows %d packages only", seen)
	}
}

func checkImports(t *testing.T, pkg string, imports []string) {
	may, known := allowed[pkg]
	if !known {
		t.Errorf("package %q is not in the import table", pkg)
	}
	for _, path := range imports {
		if name := short(path); name != "std" && !slices.Contains(may, name) {
			t.Errorf("package %q imports %s", pkg, path)
		}
	}
}

// short names an import as the table does.
func short(path string) string {
	if path == module {
		return ""
	}
	if own, ok := strings.CutPrefix(path, module+"/"); ok {
		return own
	}
	for prefix, name := range modules {
		if strings.HasPrefix(path+"/", prefix) {
			return name
		}
	}
	if first, _, _ := strings.Cut(path, "/"); strings.Contains(first, ".") {
		return path
	}
	return "std"
}
