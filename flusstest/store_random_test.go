package flusstest

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/record"
	"github.com/gofluss/fluss/internal/row"
)

var (
	randomSeed   = flag.Uint64("store.seed", 0, "the first seed of TestRandom")
	randomTables = flag.Int("store.tables", 10, "how many tables TestRandom makes, one for each seed")
)

// TestRandom does the same random things to a bucketStore and to the target, and compares every answer, the change
// log, the rows and the count. Where the target is another store, that says that equal requests have equal answers.
//
// The seeds are printed; -store.seed and -store.tables=1 do one of them again.
func TestRandom(t *testing.T) {
	steps := 0
	for seed := *randomSeed; seed < *randomSeed+uint64(*randomTables) && !t.Failed(); seed++ {
		steps += randomTable(t, seed)
	}
	t.Logf("%d steps from seed %d on", steps, *randomSeed)
}

// randomTypes are what a table may begin with: ARRAY, MAP and ROW are those of parseColumn.
var randomTypes = append(slices.Clone(randomScalars), "ARRAY", "MAP", "ROW")

type randomRun struct {
	*testing.T
	r     *rand.Rand
	seed  uint64
	mem   *memoryTarget
	other storeTarget
	seq   [3]int32 // next sequences of three writers
	done  []string
}

func randomTable(t *testing.T, seed uint64) int {
	g := &randomRun{T: t, seed: seed, r: rand.New(rand.NewPCG(seed, 9))}
	s := g.script()
	g.mem = newMemoryTarget(t, memoryDescriptor(t, s))
	g.other = newTarget(t, s.descriptor(t))
	const steps = 120
	for range steps {
		g.step()
		if t.Failed() {
			break
		}
	}
	g.compare("log", func(x storeTarget) string { return logText(t, x, nil) })
	g.compare("rows", func(x storeTarget) string { return rowsText(t, x) })
	g.compare("stats", func(x storeTarget) string { n, err := x.stats(); return answerQuietly(n, err) })
	if t.Failed() {
		t.Logf("seed %d: %s %v", seed, s.columns, s.props)
		for _, d := range g.done {
			t.Log(d)
		}
	}
	return steps
}

// memoryDescriptor is the script's descriptor as a server completes it.
func memoryDescriptor(t *testing.T, s *script) catalog.Descriptor {
	d := s.descriptor(t)
	d.BucketCount = 1
	d.Schema.AssignIDs()
	for i := range max(s.keys, 1) {
		d.Schema.Columns[i].Type.NotNull = true
	}
	return d
}

func answerQuietly(n int64, err error) string {
	if e, ok := err.(*storeError); ok {
		return fmt.Sprintf("E%d", e.code)
	}
	return fmt.Sprint(n, err)
}

func (g *randomRun) compare(what string, f func(storeTarget) string) {
	g.Helper()
	if got, want := f(g.mem), f(g.other); got != want {
		g.Errorf("seed %d: %s:\nstore %s\nother %s", g.seed, what, got, want)
	}
}

func (g *randomRun) pick(list ...string) string { return list[g.r.IntN(len(list))] }

var randomScalars = []string{
	"BOOLEAN", "TINYINT", "SMALLINT", "INT", "BIGINT", "FLOAT", "DOUBLE", "CHAR(4)", "STRING", "BINARY(3)", "BYTES",
	"DECIMAL(5;2)", "DECIMAL(18;0)", "DECIMAL(25;3)", "DATE", "TIME(3)", "TIMESTAMP(3)", "TIMESTAMP(9)", "TIMESTAMP_LTZ(6)",
}

func (g *randomRun) script() *script {
	s := &script{columns: "k " + g.pick("INT", "BIGINT", "STRING"), props: map[string]string{}}
	if g.r.IntN(3) == 0 {
		s.columns += ", k2 " + g.pick("STRING", "SMALLINT", "DATE")
		s.keys = 2
	}
	engine := g.pick("", "", "", "first_row", "versioned", "aggregation", "aggregation")
	if engine != "" {
		s.props[mergeEngine] = engine
	}
	if engine == "versioned" {
		s.columns += ", ver " + g.pick("INT", "BIGINT", "TIMESTAMP(6)", "TIMESTAMP_LTZ(3)")
		s.props[versionColumn] = "ver"
	}
	for i := range 1 + g.r.IntN(6) {
		s.columns += fmt.Sprintf(", c%d %s", i, g.column(engine))
	}
	if engine == "" && g.r.IntN(4) == 0 {
		s.columns += ", auto " + g.pick("INT", "BIGINT")
		s.auto = "auto"
	}
	if g.r.IntN(6) == 0 {
		s.columns += " NOT NULL"
	}
	if g.r.IntN(3) == 0 && engine != "aggregation" {
		s.props[changelogImage] = "wal"
	}
	behaviors := []string{"", "ignore", "disable", "allow"}
	if engine == "first_row" || engine == "versioned" {
		behaviors = behaviors[:3]
	}
	if b := g.pick(behaviors...); b != "" {
		s.props[deleteBehavior] = b
	}
	if g.r.IntN(4) == 0 {
		s.props["table.log.format"] = "compacted"
	} else if g.r.IntN(3) == 0 {
		s.props["table.kv.format"] = "indexed"
	}
	return s
}

// column is a type, with a function that takes it in an aggregation table.
func (g *randomRun) column(engine string) string {
	typ := g.pick(randomTypes...)
	if engine != "aggregation" || g.r.IntN(5) == 0 {
		return typ
	}
	functions := []string{"last_value", "last_value_ignore_nulls", "first_value", "first_value_ignore_nulls"}
	switch word, _, _ := strings.Cut(typ, "("); word {
	case "BOOLEAN":
		functions = append(functions, "bool_and", "bool_or")
	case "TINYINT", "SMALLINT", "INT", "BIGINT", "FLOAT", "DOUBLE", "DECIMAL":
		functions = append(functions, "sum", "product", "max", "min", "sum", "max")
	case "STRING":
		functions = append(functions, "listagg", "string_agg -", "max", "min")
	case "CHAR", "DATE", "TIME", "TIMESTAMP", "TIMESTAMP_LTZ":
		functions = append(functions, "max", "min")
	}
	return typ + " " + g.pick(functions...)
}

func (g *randomRun) step() {
	switch what := g.r.IntN(40); {
	case what == 0 && len(g.mem.versions.list) < 4:
		c := parseColumn(g, fmt.Sprintf("n%d %s", len(g.mem.versions.list), g.pick(randomScalars...)))
		g.done = append(g.done, "add "+c.Name+" "+c.Type.Name())
		g.mem.addColumn(c)
		g.other.addColumn(c)
	case what < 5:
		keys := [][]byte{g.key(), g.key(), g.key()}
		g.done = append(g.done, fmt.Sprintf("insert %x", keys))
		g.compare("insert", func(x storeTarget) string {
			values, err := x.insert(keys)
			return valuesQuietly(g, x, values, err)
		})
	case what < 9:
		keys := [][]byte{g.key(), g.key(), g.key(), g.key()}
		g.compare("lookup", func(x storeTarget) string {
			values, err := x.lookup(keys)
			return valuesQuietly(g, x, values, err)
		})
	case what < 11:
		key := g.key()
		key = key[:g.r.IntN(len(key)+1)]
		g.compare("prefix", func(x storeTarget) string {
			values, err := x.prefix(key)
			return valuesQuietly(g, x, values, err)
		})
	default:
		g.put()
	}
}

func valuesQuietly(t testing.TB, x storeTarget, values [][]byte, err error) string {
	if err != nil {
		return answerQuietly(0, err)
	}
	return valuesText(t, x, values)
}

func (g *randomRun) put() {
	latest := g.mem.versions.latest()
	schema := latest
	if g.r.IntN(4) == 0 {
		schema = g.mem.versions.byID(1 + g.r.IntN(latest.ID))
	}
	var target []int32
	if g.r.IntN(3) == 0 || latest.AutoIncrement != "" && g.r.IntN(5) > 0 {
		target = g.target(schema)
	}
	overwrite := g.r.IntN(10) == 0
	writer := g.r.IntN(4) - 1
	id, sequence := int64(-1), int32(-1)
	if writer >= 0 {
		id = int64(g.seed%1000)*10 + 5_000_000_000 + int64(writer)
		sequence = max(g.seq[writer]-int32(max(g.r.IntN(12)-5, 0)), 0)
	}
	var records []byte
	n := 1 + g.r.IntN(4)
	var texts []string
	codec := row.NewCodec(kvFormat(g.mem.table()), schema.Types())
	for range n {
		if g.r.IntN(5) == 0 {
			key := g.key()
			records = record.AppendKVRecord(records, key, nil)
			texts = append(texts, fmt.Sprintf("!%x", key))
			continue
		}
		values := g.values(schema)
		records = record.AppendKVRecord(records, keyOf(g, g.mem.table(), values), codec.Append(nil, values))
		texts = append(texts, rowText(schema.Types(), values))
	}
	batch := kvBatch(schema.ID, id, sequence, n, records)
	g.done = append(g.done, fmt.Sprintf("put schema %d target %v overwrite %v writer %d/%d: %s", schema.ID, target, overwrite, id, sequence, texts))
	g.compare(g.done[len(g.done)-1], func(x storeTarget) string {
		end, err := x.put(batch, target, overwrite)
		if x == storeTarget(g.mem) && err == nil && writer >= 0 && sequence == g.seq[writer] {
			g.seq[writer]++
		}
		return answerQuietly(end, err)
	})
}

// target is mostly the key and some of the columns of the schema, sometimes less.
func (g *randomRun) target(s *catalog.Schema) (target []int32) {
	for i := range s.Columns {
		isKey := slices.Contains(s.PrimaryKey, s.Columns[i].Name)
		isAuto := s.Columns[i].Name == s.AutoIncrement
		if isKey && g.r.IntN(30) > 0 || !isKey && !isAuto && g.r.IntN(2) == 0 || isAuto && g.r.IntN(30) == 0 {
			target = append(target, int32(i))
		}
	}
	return target
}

func (g *randomRun) key() []byte {
	return keyOf(g, g.mem.table(), g.values(g.mem.versions.latest()))
}

func (g *randomRun) values(s *catalog.Schema) []row.Datum {
	values := make([]row.Datum, len(s.Columns))
	for i := range values {
		c := &s.Columns[i]
		if !c.Type.NotNull && g.r.IntN(4) == 0 {
			values[i] = row.Datum{Null: true}
			continue
		}
		values[i] = g.value(&c.Type, slices.Contains(s.PrimaryKey, c.Name))
	}
	return values
}

// value is one of few for a key, so that keys come again.
func (g *randomRun) value(t *catalog.Type, few bool) row.Datum {
	n := g.r.Int64N(200) - 100
	if few {
		n = g.r.Int64N(6)
	}
	switch t.Kind {
	case catalog.Array:
		d := row.Datum{L: []row.Datum{}}
		for range n & 3 {
			d.L = append(d.L, g.value(t.Elem, true), row.Datum{Null: true})
		}
		return d
	case catalog.Map:
		return row.Datum{L: []row.Datum{g.value(t.Key, false), g.value(t.Elem, false)}}
	case catalog.Row:
		return row.Datum{L: []row.Datum{g.value(&t.Fields[0].Type, false), g.value(&t.Fields[1].Type, false)}}
	case catalog.Boolean:
		return row.Datum{I: n & 1}
	case catalog.Float, catalog.Double:
		if special := []float64{math.NaN(), math.Inf(-1), math.Copysign(0, -1)}; n > 90 && n < 94 {
			return floatDatum(t, special[n-91])
		}
	}
	switch t.Kind {
	case catalog.Float:
		return row.Datum{I: int64(math.Float32bits(float32(n) / 4))}
	case catalog.Double:
		return row.Datum{I: int64(math.Float64bits(float64(n) / 10))}
	case catalog.Char:
		return row.Datum{B: []byte(fmt.Sprint(n))}
	case catalog.String, catalog.Bytes:
		return row.Datum{B: []byte(strings.Repeat("x", int(n&3)) + fmt.Sprint(n))}
	case catalog.Binary:
		return row.Datum{B: []byte{1, byte(n), 3}}
	case catalog.Decimal:
		if t.IsCompactDecimal() {
			return row.Datum{I: n * 997} // a few sums have too many digits for DECIMAL(5,2)
		}
		d := decimalDatum(&catalog.Type{Kind: catalog.Decimal, Precision: 38}, unscaledDecimal(&catalog.Type{Precision: 18, Kind: catalog.Decimal}, &row.Datum{I: n * 1e15}))
		return d
	case catalog.Timestamp, catalog.TimestampLTZ:
		d := row.Datum{I: n * 1000}
		if t.Precision > catalog.MaxCompactTimestamp {
			d.N = int32(n&3) * 1000
		}
		return d
	case catalog.Time:
		return row.Datum{I: (n + 100) * 1000}
	}
	return row.Datum{I: n}
}

func floatDatum(t *catalog.Type, f float64) row.Datum {
	if t.Kind == catalog.Float {
		return row.Datum{I: int64(math.Float32bits(float32(f)))}
	}
	return row.Datum{I: int64(math.Float64bits(f))}
}
