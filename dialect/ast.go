package dialect

// Pos is a byte offset into the statement's text as the caller gave it.
type Pos int

// Statement is one parsed statement: *Select, *Insert, *Update, *Delete, *CreateDatabase, *DropDatabase,
// *CreateTable, *DropTable, *AlterTable, *Use, *Show, *Describe, *Explain, *Call, *ForeignKeyChecks or *Transaction.
type Statement interface{ statement() }

// TableName is a table as written. Database is "" when it was left out. Suffix is what stands behind a '$':
// "changelog", "binlog", "lake", or "" for the table itself.
type TableName struct {
	Database string
	Table    string
	Suffix   string
	Pos      Pos
}

// Params says which parameters a statement takes. Either Count '?' markers, numbered from 0 in order of
// appearance, or the distinct Names of ':name' markers, whose Operand.Param is the index into Names.
type Params struct {
	Count int
	Names []string
}

// Hint is one NAME(args) of a /*+ ... */ comment. Name is in upper case. Args holds the arguments as written,
// strings unquoted; OPTIONS has its pairs in Options instead.
type Hint struct {
	Name    string
	Args    []Operand
	Options []Option
	Pos     Pos
}

// Option is a 'key' = 'value' pair of WITH, SET or OPTIONS.
type Option struct {
	Key, Value string
	Pos        Pos
}

// OperandKind says what an Operand is.
type OperandKind uint8

// The kinds of operand. Number and the typed literals keep their text: only the column's type says what it means.
const (
	Param        OperandKind = iota + 1 // Index into the parameters
	Null                                //
	Bool                                // Text is "true" or "false"
	Number                              // Text as written, with its sign
	String                              // Text without quotes and escapes
	HexBytes                            // X'..' or 0x..; Text holds the raw bytes
	DateLit                             // DATE '...'
	TimeLit                             // TIME '...'
	TimestampLit                        // TIMESTAMP '...' or TIMESTAMP_LTZ '...'
	Default                             // DEFAULT
	ArrayLit                            // ARRAY[...]; Args
	MapLit                              // MAP[k, v, ...]; Args alternate
	RowLit                              // ROW(...); Args
	ValuesOf                            // VALUES(c) of ON DUPLICATE KEY UPDATE; Text is the column
)

// Operand is a literal or a parameter: what may stand for a value without being computed.
type Operand struct {
	Kind  OperandKind
	Index int // Param
	Text  string
	Args  []Operand
	Pos   Pos
}

// Expr is *Operand, *ColumnRef, *Star, *Unary, *Binary, *In, *Between, *Like, *IsNull, *Tuple, *Func or *Exists.
type Expr interface{ Position() Pos }

// ColumnRef names a column, with the table or alias in front of it if one was written.
type ColumnRef struct {
	Qualifier string
	Name      string
	Pos       Pos
}

// Star is * or t.*.
type Star struct {
	Qualifier string
	Pos       Pos
}

// Unary is NOT x ("NOT") or -x ("-").
type Unary struct {
	Op  string
	X   Expr
	Pos Pos
}

// Binary is x Op y with Op one of = <> < <= > >= AND OR + - * / %. "!=" is written "<>".
type Binary struct {
	Op   string
	L, R Expr
	Pos  Pos
}

// In is x [NOT] IN (list). x is a *Tuple for (a, b) IN ((1,2),(3,4)). List is empty for IN ().
type In struct {
	X    Expr
	List []Expr
	Not  bool
	Pos  Pos
}

// Between is x [NOT] BETWEEN lo AND hi.
type Between struct {
	X, Lo, Hi Expr
	Not       bool
	Pos       Pos
}

// Like is x [NOT] LIKE pattern [ESCAPE escape].
type Like struct {
	X, Pattern Expr
	Escape     Expr // nil: backslash
	Not        bool
	Pos        Pos
}

// IsNull is x IS [NOT] NULL.
type IsNull struct {
	X   Expr
	Not bool
	Pos Pos
}

// Tuple is (a, b, ...).
type Tuple struct {
	List []Expr
	Pos  Pos
}

// Func is NAME(args), NAME in upper case. COUNT(*) has one *Star argument. Functions without parentheses that
// SQL knows (CURRENT_DATABASE) and @@variables come as Func without arguments, the latter as "@@VERSION".
type Func struct {
	Name     string
	Args     []Expr
	Distinct bool
	Pos      Pos
}

// Exists is EXISTS (select).
type Exists struct {
	Select *Select
	Pos    Pos
}

// SelectItem is one item of a select list. Alias is "" when there is none. Text is the item as written, which
// names the column when there is no alias.
type SelectItem struct {
	Expr  Expr
	Alias string
	Text  string
}

// Order is one item of ORDER BY.
type Order struct {
	Expr Expr
	Desc bool
}

// Select is SELECT ... [FROM t [WHERE] [ORDER BY] [LIMIT]].
type Select struct {
	Params
	Hints   []Hint
	Items   []SelectItem
	From    *TableName // nil: SELECT without FROM
	Alias   string
	Where   Expr
	OrderBy []Order
	Limit   *Operand
	Offset  *Operand
}

// Verb of an *Insert.
type Verb uint8

// The verbs.
const (
	InsertVerb Verb = iota
	UpsertVerb
	ReplaceVerb
)

// Insert is INSERT, UPSERT or REPLACE. Values holds the rows one after the other, Width operands each:
// len(Values) == Width*Rows. In a Uniform insert every value of every row is a '?', in order, and Values holds the first
// row alone: the bulk statements of many rows stay small. Columns is nil when no list was written.
type Insert struct {
	Params
	Hints       []Hint
	Verb        Verb
	Ignore      bool
	Table       TableName
	Columns     []ColumnName
	Width, Rows int
	Values      []Operand
	Uniform     bool
	OnDuplicate []Assignment
	Returning   []ColumnName
}

// ColumnName is a column in a list.
type ColumnName struct {
	Name string
	Pos  Pos
}

// Assignment is column = expr.
type Assignment struct {
	Column ColumnName
	Value  Expr
}

// Update is UPDATE t SET ... WHERE ....
type Update struct {
	Params
	Hints []Hint
	Table TableName
	Alias string
	Set   []Assignment
	Where Expr
}

// Delete is DELETE FROM t WHERE ....
type Delete struct {
	Params
	Hints []Hint
	Table TableName
	Alias string
	Where Expr
}

// CreateDatabase is CREATE DATABASE.
type CreateDatabase struct {
	Name        string
	IfNotExists bool
	Comment     string
	Options     []Option
}

// DropDatabase is DROP DATABASE.
type DropDatabase struct {
	Name     string
	IfExists bool
	Cascade  bool
}

// TypeSpec is a type as written, aliases already resolved ("VARCHAR(20)" is STRING). Name is the Fluss word in
// upper case: BOOLEAN TINYINT SMALLINT INT BIGINT FLOAT DOUBLE CHAR STRING BINARY BYTES DECIMAL DATE TIME
// TIMESTAMP TIMESTAMP_LTZ ARRAY MAP ROW. A parameter that was left out is -1.
type TypeSpec struct {
	Name    string
	P, S    int // length or precision; scale
	NotNull bool
	Key     *TypeSpec
	Elem    *TypeSpec
	Fields  []FieldSpec
	Pos     Pos
}

// FieldSpec is one field of a ROW type.
type FieldSpec struct {
	Name    string
	Type    TypeSpec
	Comment string
}

// ColumnDef is one column of CREATE TABLE or ADD COLUMN.
type ColumnDef struct {
	Name       string
	Type       TypeSpec
	PrimaryKey bool // PRIMARY KEY behind the column
	Comment    string
	Pos        Pos
}

// CreateTable is CREATE TABLE. Buckets is 0 when DISTRIBUTED BY was left out. With LIKE it has no columns of its own, and
// what it gives takes precedence over what Like has.
type CreateTable struct {
	Table         TableName
	IfNotExists   bool
	Columns       []ColumnDef
	PrimaryKey    []ColumnName
	Comment       string
	PartitionedBy []ColumnName
	DistributedBy []ColumnName
	Buckets       int
	Options       []Option

	Like           *TableName
	ExcludeOptions bool // LIKE t (EXCLUDING OPTIONS)
}

// DropTable is DROP TABLE.
type DropTable struct {
	Table    TableName
	IfExists bool
}

// AlterTable is ALTER TABLE with exactly one of its kinds of change.
type AlterTable struct {
	Table         TableName
	AddColumns    []ColumnDef
	Set           []Option
	Reset         []string
	AddPartition  []Option // partition column and value
	DropPartition []Option
	IfExists      bool // DROP PARTITION IF EXISTS
	IfNotExists   bool // ADD PARTITION IF NOT EXISTS
}

// Use is USE db.
type Use struct{ Database string }

// ShowKind says what a *Show shows.
type ShowKind uint8

// What can be shown.
const (
	ShowDatabases ShowKind = iota + 1
	ShowTables
	ShowColumns
	ShowCreateTable
	ShowPartitions
	ShowBuckets
	ShowCluster
	ShowVariables
	ShowProcedures
)

// Show is SHOW .... Like is nil when there is no LIKE.
type Show struct {
	Kind      ShowKind
	Full      bool
	Database  string // FROM or IN db; "" for the default
	Table     TableName
	Like      *string
	Partition []Option
}

// Describe is DESCRIBE t or DESC t.
type Describe struct{ Table TableName }

// Explain is EXPLAIN statement.
type Explain struct{ Statement Statement }

// Call is CALL sys.procedure(arguments). Procedure is the name of one of Procedures. Args has the values for each of its
// parameters, nil for one that was left out; only a variadic one can have several.
type Call struct {
	Params
	Procedure string
	Args      [][]Operand
}

// ForeignKeyChecks is SET foreign_key_checks = 0 or 1, which tools send around DROP TABLE. There are no foreign keys, so it
// does nothing; it is the only SET that is one.
type ForeignKeyChecks struct{ On bool }

// TransactionKind is a transaction word sent as text.
type TransactionKind uint8

// The transaction words.
const (
	Begin TransactionKind = iota + 1
	Commit
	Rollback
)

// Transaction is BEGIN, START TRANSACTION, COMMIT or ROLLBACK as text.
type Transaction struct{ Kind TransactionKind }

func (*Select) statement()           {}
func (*Insert) statement()           {}
func (*Update) statement()           {}
func (*Delete) statement()           {}
func (*CreateDatabase) statement()   {}
func (*DropDatabase) statement()     {}
func (*CreateTable) statement()      {}
func (*DropTable) statement()        {}
func (*AlterTable) statement()       {}
func (*Use) statement()              {}
func (*Show) statement()             {}
func (*Describe) statement()         {}
func (*Explain) statement()          {}
func (*Call) statement()             {}
func (*ForeignKeyChecks) statement() {}
func (*Transaction) statement()      {}

// Position is where the expression starts.
func (e *Operand) Position() Pos   { return e.Pos }
func (e *ColumnRef) Position() Pos { return e.Pos }
func (e *Star) Position() Pos      { return e.Pos }
func (e *Unary) Position() Pos     { return e.Pos }
func (e *Binary) Position() Pos    { return e.Pos }
func (e *In) Position() Pos        { return e.Pos }
func (e *Between) Position() Pos   { return e.Pos }
func (e *Like) Position() Pos      { return e.Pos }
func (e *IsNull) Position() Pos    { return e.Pos }
func (e *Tuple) Position() Pos     { return e.Pos }
func (e *Func) Position() Pos      { return e.Pos }
func (e *Exists) Position() Pos    { return e.Pos }
