package plan

import (
	"slices"
	"time"

	"github.com/gofluss/fluss/dialect"
	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/row"
)

// Access is how the rows of a SELECT are found.
type Access uint8

// The ways to rows.
const (
	Lookup    Access = iota + 1 // by full primary key: LOOKUP
	Prefix                      // by bucket key: PREFIX_LOOKUP
	TableScan                   // the rows of a key table, bucket by bucket: LIMIT_SCAN
	LogScan                     // the records of a log: FETCH_LOG
	CountRows                   // COUNT(*) from GET_TABLE_STATS
)

// Output is one column of the result.
type Output struct {
	Name   string
	Column int // position in the virtual row
	Type   *catalog.Type
}

// OrderKey is one term of an ORDER BY that is done in memory.
type OrderKey struct {
	Column int // position in the virtual row
	Desc   bool
	Type   *catalog.Type
}

// Select is a planned SELECT on one table.
type Select struct {
	Table           *catalog.Table
	Access          Access
	Keys            *Keys   // Lookup and Prefix
	Partition       *Keys   // the partition columns, where a scan is bound to single partitions
	PartitionFilter *Filter // what else WHERE says about partitions; looks at partition columns and _partition only
	Out             []Output
	Columns         []int // the table's own columns that are needed, ascending
	Filter          *Filter
	OrderBy         []OrderKey
	Limit           Count
	Offset          Count
	Buckets         *Buckets
	Log             *Log
	Count           bool // the result is the number of rows; with CountRows it is asked for, else counted
	KeepMissing     bool // Lookup: a row for each key that is not there
	Changelog       bool // $changelog or $binlog
	Binlog          bool // $binlog: a row for each change, with what was before and after
	FullScan        bool // TableScan: whatever the size
	Timeout         time.Duration
	Idle            []string // options that change nothing here
	pseudo          bool     // some pseudo column is looked at
	images          []catalog.Column
	literals        []literal
	partKey         []int // TableScan: the columns of the primary key that WHERE fixes all the same
}

// Log is where a LogScan begins and ends.
type Log struct {
	Start   Start
	Stop    *Source         // exclusive, in every bucket
	Buckets []BucketOffsets // overrides Start and Stop
	Bounds  []Bound         // from predicates on _log_offset, all of which hold
	Times   []Bound         // from predicates on _commit_timestamp, all of which hold; Filter checks them again
	Follow  bool
	// Discovery is how often FOLLOW looks for new partitions; 0: not at all.
	Discovery time.Duration
}

// Bound is a predicate on _log_offset, where Src is a BIGINT, or on _commit_timestamp, where it is a TIMESTAMP_LTZ(9).
type Bound struct {
	Op  string // = < <= > >=
	Src Source
}

// Buckets restricts a statement to buckets: those of the hint BUCKET that are also in each list of sources.
type Buckets struct {
	Hint  []int32
	Lists [][]Source // INT sources
}

const selectHints = "OPTIONS BUCKET OFFSET STOP_OFFSET LAST OFFSETS FOLLOW FULL_SCAN EXACT KEEP_MISSING TIMEOUT"

func compileSelect(s *dialect.Select, table *catalog.Table, o Options) (Plan, error) {
	c := &selectCompiler{stmt: s, opts: &o.Bind, scope: scope{table: table, alias: s.Alias}}
	if err := c.compile(); err != nil {
		return nil, err
	}
	return &c.out, nil
}

type selectCompiler struct {
	stmt  *dialect.Select
	opts  *row.BindOptions
	scope scope
	hints *hints
	where *conditions
	out   Select
}

func (c *selectCompiler) compile() error {
	c.out.Table = c.scope.table
	if err := c.suffix(); err != nil {
		return err
	}
	var err error
	if c.hints, err = readHints(c.stmt.Hints, "SELECT", selectHints, c.opts); err != nil {
		return err
	}
	if c.where, err = takeApart(&c.scope, c.stmt.Where, c.opts); err != nil {
		return err
	}
	c.out.KeepMissing, c.out.FullScan, c.out.Timeout = c.hints.keepMissing, c.hints.fullScan, c.hints.timeout
	c.out.Idle = c.hints.idle
	if c.out.Limit, err = newCount(c.stmt.Limit, "LIMIT", c.opts); err != nil {
		return err
	}
	if c.out.Offset, err = newCount(c.stmt.Offset, "OFFSET", c.opts); err != nil {
		return err
	}
	for _, step := range []func() error{c.access, c.items, c.filter, c.order, c.check} {
		if err := step(); err != nil {
			return err
		}
	}
	c.needed()
	return nil
}

func (c *selectCompiler) suffix() error {
	switch suffix := c.stmt.From.Suffix; suffix {
	case "":
	case "changelog":
		c.out.Changelog = true
	case "binlog":
		return c.binlog()
	case "lake":
		return &dialect.UnsupportedError{Feature: c.stmt.From.Table + "$lake", Reason: "lake files are read by their own engines", Hint: "select from the table itself to read the Fluss layer"}
	default:
		return &dialect.UnsupportedError{Feature: "$" + suffix, Reason: "the virtual tables that can be read are $changelog and $binlog"}
	}
	return nil
}

// items plans the select list.
func (c *selectCompiler) items() error {
	for i := range c.stmt.Items {
		item := &c.stmt.Items[i]
		var err error
		switch e := item.Expr.(type) {
		case *dialect.Star:
			err = c.star(e)
		case *dialect.ColumnRef:
			err = c.output(e, item)
		case *dialect.Func:
			err = c.function(e, item)
		case *dialect.Operand:
			err = c.literal(e, item)
		default:
			err = refuseItem(item)
		}
		if err != nil {
			return err
		}
	}
	if c.out.Count && len(c.stmt.Items) > 1 {
		return &dialect.UnsupportedError{Feature: "COUNT(*) beside other columns", Reason: "there is no GROUP BY"}
	}
	return nil
}

func (c *selectCompiler) star(e *dialect.Star) error {
	if e.Qualifier != "" {
		if e.Qualifier != c.scope.alias && e.Qualifier != c.scope.table.Path.Table {
			return &ColumnError{c.scope.table.Path.String(), e.Qualifier + ".*", "there is no table or alias " + e.Qualifier + " in this statement"}
		}
	}
	w := c.scope.width()
	if c.out.Changelog {
		for _, p := range []int{pseudoChangeType, pseudoLogOffset, pseudoCommitTimestamp} {
			c.addOutput(pseudoColumns[p].Name, w+p)
		}
	}
	if c.out.Binlog {
		c.addOutput("before", w+PseudoColumns+imageBefore)
		c.addOutput("after", w+PseudoColumns+imageAfter)
		return nil
	}
	for i := range c.scope.table.Schema.Columns {
		c.addOutput(c.scope.table.Schema.Columns[i].Name, i)
	}
	if c.out.KeepMissing {
		c.addOutput(pseudoColumns[pseudoFound].Name, w+pseudoFound)
	}
	return nil
}

func (c *selectCompiler) addOutput(name string, col int) {
	t := &c.scope.column(col).Type
	if c.out.KeepMissing && col < c.scope.width() && !slices.Contains(c.scope.table.PrimaryKey, col) {
		t = nullable(t)
	}
	c.out.Out = append(c.out.Out, Output{Name: name, Column: col, Type: t})
}

func (c *selectCompiler) output(e *dialect.ColumnRef, item *dialect.SelectItem) error {
	i, err := c.scope.resolve(e.Qualifier, e.Name)
	if err != nil {
		return err
	}
	name := item.Alias
	if name == "" {
		name = c.scope.column(i).Name
	}
	c.addOutput(name, i)
	return nil
}

func (c *selectCompiler) function(e *dialect.Func, item *dialect.SelectItem) error {
	if e.Name != "COUNT" {
		return &dialect.UnsupportedError{Feature: e.Name, Reason: "Fluss 0.9.1 can only count rows"}
	}
	if e.Distinct || len(e.Args) != 1 {
		return &dialect.UnsupportedError{Feature: item.Text, Reason: "Fluss 0.9.1 can only count rows", Hint: "use COUNT(*)"}
	}
	switch arg := e.Args[0].(type) {
	case *dialect.Star:
	case *dialect.Operand:
		if arg.Kind != dialect.Number {
			return &dialect.UnsupportedError{Feature: item.Text, Hint: "use COUNT(*)"}
		}
	default:
		return &dialect.UnsupportedError{Feature: item.Text, Reason: "Fluss 0.9.1 can only count rows", Hint: "use COUNT(*)"}
	}
	name := item.Alias
	if name == "" {
		name = item.Text
	}
	c.out.Count = true
	c.out.Out = append(c.out.Out, Output{Name: name, Column: -1, Type: &bigint})
	return nil
}

func (c *selectCompiler) filter() error {
	var err error
	if c.out.Filter, err = newFilter(&c.scope, c.where.residual(), c.opts); err != nil {
		return err
	}
	if !c.out.Count || c.hints.exact || c.out.Filter != nil || c.out.Changelog {
		return nil
	}
	log := c.out.Log
	whole := log == nil || log.Start.Kind == FromEarliest && log.Stop == nil && log.Buckets == nil && log.Bounds == nil
	if whole && c.out.Keys == nil {
		c.out.Access = CountRows
	}
	return nil
}

func (c *selectCompiler) order() error {
	for _, item := range c.stmt.OrderBy {
		ref, ok := item.Expr.(*dialect.ColumnRef)
		if !ok {
			return &dialect.UnsupportedError{Feature: "ORDER BY an expression", Reason: "rows are ordered by columns", Hint: "name a column, or its alias in the select list"}
		}
		i, err := c.orderColumn(ref)
		if err != nil {
			return err
		}
		t := &c.scope.column(i).Type
		if t.IsNested() {
			return &dialect.UnsupportedError{Feature: "ORDER BY " + ref.Name + " " + t.Name(), Reason: "nested values are not compared"}
		}
		c.out.OrderBy = append(c.out.OrderBy, OrderKey{Column: i, Desc: item.Desc, Type: t})
	}
	if c.offsetOrder() || c.out.Count {
		c.out.OrderBy = nil
	}
	return c.orderAllowed()
}

// orderColumn resolves an ORDER BY name: an alias of the select list wins.
func (c *selectCompiler) orderColumn(ref *dialect.ColumnRef) (int, error) {
	if ref.Qualifier == "" {
		for i := range c.stmt.Items {
			if c.stmt.Items[i].Alias == ref.Name && len(c.out.Out) == len(c.stmt.Items) && c.out.Out[i].Column >= 0 && c.out.Out[i].Column < c.out.columns() {
				return c.out.Out[i].Column, nil
			}
		}
	}
	return c.scope.resolve(ref.Qualifier, ref.Name)
}

// offsetOrder reports whether the order asked for is the one in which a log of one bucket comes anyway.
func (c *selectCompiler) offsetOrder() bool {
	o := c.out.OrderBy
	if c.out.Access != LogScan || len(o) != 1 || o[0].Desc || o[0].Column != c.scope.width()+pseudoLogOffset || c.scope.table.IsPartitioned() {
		return false
	}
	b := c.out.Buckets
	return c.scope.table.BucketCount == 1 || b != nil && (len(b.Hint) == 1 || slices.ContainsFunc(b.Lists, func(l []Source) bool { return len(l) == 1 }))
}

// MaxSortedRows bounds a LIMIT under an ORDER BY that is done in memory.
const MaxSortedRows = 10_000

func (c *selectCompiler) orderAllowed() error {
	if c.out.OrderBy == nil || c.out.Access == Lookup || c.out.Access == Prefix {
		return nil
	}
	if c.out.Log != nil && c.out.Log.Follow {
		return &dialect.UnsupportedError{Feature: "ORDER BY with FOLLOW", Reason: "a scan that follows the log has no last row"}
	}
	limit := c.out.Limit
	if !limit.Present || limit.Src.Param < 0 && limit.Src.Lit.I > MaxSortedRows {
		return &dialect.UnsupportedError{Feature: "ORDER BY without a LIMIT of at most 10000", Reason: "rows are sorted in the memory of this process",
			Hint: "add LIMIT, or read one bucket of a log in the order of _log_offset"}
	}
	return nil
}

// check refuses pseudo columns and hints where they mean nothing.
func (c *selectCompiler) check() error {
	if c.out.Count && c.hints.follow {
		return &dialect.UnsupportedError{Feature: "COUNT(*) with FOLLOW", Reason: "a scan that follows the log has no last row"}
	}
	if c.out.KeepMissing && (c.out.Access != Lookup || c.out.Filter != nil || c.out.Count) {
		return &dialect.UnsupportedError{Feature: "KEEP_MISSING", Reason: "it needs a WHERE that names full keys and nothing else"}
	}
	w := c.scope.width()
	allowed := map[int]bool{w + pseudoBucket: true, w + pseudoPartition: true}
	switch {
	case c.out.Log != nil:
		allowed[w+pseudoLogOffset], allowed[w+pseudoCommitTimestamp], allowed[w+pseudoChangeType] = true, true, true
	case c.out.KeepMissing:
		allowed[w+pseudoFound] = true
	}
	var used []int
	for _, o := range c.out.Out {
		used = append(used, o.Column)
	}
	for _, o := range c.out.OrderBy {
		used = append(used, o.Column)
	}
	if c.out.Filter != nil {
		used = append(used, c.out.Filter.Columns...)
	}
	for _, i := range used {
		if i >= w && i < w+PseudoColumns && !allowed[i] {
			name := c.scope.column(i).Name
			return &ColumnError{c.scope.table.Path.String(), name, "rows read this way have no " + name + c.whereIs(i-w)}
		}
	}
	if c.hints.fullScan && c.out.Access != TableScan && c.out.Access != CountRows {
		return &dialect.UnsupportedError{Feature: "FULL_SCAN", Reason: "this statement does not scan a key table"}
	}
	return nil
}

// whereIs says which rows have a pseudo column.
func (c *selectCompiler) whereIs(pseudo int) string {
	switch {
	case pseudo == pseudoFound:
		return "; it comes with lookups by key and the hint KEEP_MISSING"
	case c.scope.table.IsKeyTable():
		return "; select from " + c.scope.table.Path.String() + "$changelog"
	}
	return ""
}

// needed lists the table's own columns that a row must be decoded for, and says whether there are others.
func (c *selectCompiler) needed() {
	var at, own []int
	for _, o := range c.out.Out {
		if o.Column < c.out.columns() {
			at = append(at, o.Column)
		}
	}
	for _, o := range c.out.OrderBy {
		at = append(at, o.Column)
	}
	if c.out.Filter != nil {
		at = append(at, c.out.Filter.Columns...)
	}
	c.out.pseudo = slices.ContainsFunc(at, func(i int) bool { return i >= c.scope.width() })
	for _, i := range at {
		own = append(own, c.scope.ownOf(i)...)
	}
	c.out.Columns = sortedUnique(own)
}

// Width is the length of the virtual row that Out, Filter and OrderBy point into.
func (s *Select) Width() int { return s.columns() + len(s.literals) }

// FillPseudo sets the pseudo columns of a virtual row, if any is looked at. partition is nil where there is none.
func (s *Select) FillPseudo(v []row.Datum, bucket int32, offset, commitMillis int64, changeType, partition []byte) {
	if s.pseudo {
		s.fillPseudo(v, bucket, offset, commitMillis, changeType, partition)
	}
}

func (s *Select) fillPseudo(v []row.Datum, bucket int32, offset, commitMillis int64, changeType, partition []byte) {
	p := v[len(s.Table.Schema.Columns):]
	p[pseudoBucket] = row.Datum{I: int64(bucket)}
	p[pseudoLogOffset] = row.Datum{I: offset}
	p[pseudoCommitTimestamp] = row.Datum{I: commitMillis}
	p[pseudoChangeType] = row.Datum{B: changeType}
	p[pseudoPartition] = row.Datum{B: partition, Null: partition == nil}
}

// FillFound sets _found, if it is looked at.
func (s *Select) FillFound(v []row.Datum, found bool) {
	if !s.pseudo {
		return
	}
	d := &v[len(s.Table.Schema.Columns)+pseudoFound]
	*d = row.Datum{}
	if found {
		d.I = 1
	}
}
