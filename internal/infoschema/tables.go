package infoschema

import (
	"slices"
	"strings"
	"time"

	"github.com/gofluss/fluss/internal/catalog"
)

// column is one column of an information_schema table. byName: known without a look at the table.
type column struct {
	name   string
	typ    *catalog.Type
	byName bool
}

// entry is what a row is made from; index counts the rows of one table.
type entry struct {
	database   string
	table      string
	info       *catalog.Table
	partitions []Partition
	index      int
}

// setter appends values to a row, in the order of the columns. An int becomes an int64.
type setter func(values ...any)

// tableDef is one table. schema and table are the positions of the columns that hold these names, table -1 where there
// is none.
type tableDef struct {
	name          string
	columns       []column
	schema, table int
	oneRow        bool // a row for each table, whatever is in it
	partitions    bool // rows need the list of partitions
	count         func(e *entry) int
	fill          func(e *entry, set setter)
}

// columnsOf reads "NAME kind" lists: s text, i integer, in upper case when they may be NULL; a '+' behind marks what is
// known by name.
func columnsOf(list string) []column {
	types := map[byte]*catalog.Type{'s': &notNullText, 'S': &text, 'i': &notNullInt, 'I': &integer}
	var out []column
	for field := range strings.FieldsSeq(list) {
		name, kind, _ := strings.Cut(field, ":")
		out = append(out, column{name, types[kind[0]], strings.HasSuffix(kind, "+")})
	}
	return out
}

func one(*entry) int { return 1 }

func keyColumns(e *entry) int { return len(e.info.PrimaryKey) }

var tableDefs = []*tableDef{
	{name: "SCHEMATA", schema: 1, table: -1, fill: fillSchema,
		columns: columnsOf("CATALOG_NAME:s SCHEMA_NAME:s DEFAULT_CHARACTER_SET_NAME:s DEFAULT_COLLATION_NAME:s SQL_PATH:S")},
	{name: "TABLES", schema: 1, table: 2, oneRow: true, count: one, fill: fillTable,
		columns: columnsOf(`TABLE_CATALOG:s+ TABLE_SCHEMA:s+ TABLE_NAME:s+ TABLE_TYPE:s+ ENGINE:S+ VERSION:I+ ROW_FORMAT:S TABLE_ROWS:I+
			AVG_ROW_LENGTH:I+ DATA_LENGTH:I+ MAX_DATA_LENGTH:I+ INDEX_LENGTH:I+ DATA_FREE:I+ AUTO_INCREMENT:I+ CREATE_TIME:S UPDATE_TIME:S
			CHECK_TIME:S+ TABLE_COLLATION:S+ CHECKSUM:I+ CREATE_OPTIONS:S TABLE_COMMENT:S`)},
	{name: "COLUMNS", schema: 1, table: 2, count: func(e *entry) int { return len(e.info.Schema.Columns) }, fill: fillColumn,
		columns: columnsOf(`TABLE_CATALOG:s TABLE_SCHEMA:s TABLE_NAME:s COLUMN_NAME:s ORDINAL_POSITION:i COLUMN_DEFAULT:S IS_NULLABLE:s DATA_TYPE:s
			CHARACTER_MAXIMUM_LENGTH:I CHARACTER_OCTET_LENGTH:I NUMERIC_PRECISION:I NUMERIC_SCALE:I DATETIME_PRECISION:I CHARACTER_SET_NAME:S
			COLLATION_NAME:S COLUMN_TYPE:s COLUMN_KEY:s EXTRA:s PRIVILEGES:s COLUMN_COMMENT:s GENERATION_EXPRESSION:s FLUSS_TYPE:s`)},
	{name: "KEY_COLUMN_USAGE", schema: 4, table: 5, count: keyColumns, fill: fillKeyColumn,
		columns: columnsOf(`CONSTRAINT_CATALOG:s CONSTRAINT_SCHEMA:s CONSTRAINT_NAME:s TABLE_CATALOG:s TABLE_SCHEMA:s TABLE_NAME:s COLUMN_NAME:s
			ORDINAL_POSITION:i POSITION_IN_UNIQUE_CONSTRAINT:I REFERENCED_TABLE_SCHEMA:S REFERENCED_TABLE_NAME:S REFERENCED_COLUMN_NAME:S`)},
	{name: "TABLE_CONSTRAINTS", schema: 3, table: 4, count: func(e *entry) int { return min(1, keyColumns(e)) }, fill: fillConstraint,
		columns: columnsOf(`CONSTRAINT_CATALOG:s CONSTRAINT_SCHEMA:s CONSTRAINT_NAME:s TABLE_SCHEMA:s TABLE_NAME:s CONSTRAINT_TYPE:s`)},
	{name: "STATISTICS", schema: 1, table: 2, count: keyColumns, fill: fillStatistic,
		columns: columnsOf(`TABLE_CATALOG:s TABLE_SCHEMA:s TABLE_NAME:s NON_UNIQUE:i INDEX_SCHEMA:s INDEX_NAME:s SEQ_IN_INDEX:i COLUMN_NAME:s
			COLLATION:S CARDINALITY:I SUB_PART:I PACKED:S NULLABLE:s INDEX_TYPE:s COMMENT:s INDEX_COMMENT:s`)},
	{name: "PARTITIONS", schema: 1, table: 2, partitions: true, count: partitionRows, fill: fillPartition,
		columns: columnsOf(`TABLE_CATALOG:s TABLE_SCHEMA:s TABLE_NAME:s PARTITION_NAME:S SUBPARTITION_NAME:S PARTITION_ORDINAL_POSITION:I
			SUBPARTITION_ORDINAL_POSITION:I PARTITION_METHOD:S SUBPARTITION_METHOD:S PARTITION_EXPRESSION:S SUBPARTITION_EXPRESSION:S
			PARTITION_DESCRIPTION:S TABLE_ROWS:I PARTITION_COMMENT:S PARTITION_ID:I`)},
}

func findTable(name string) *tableDef {
	for _, d := range tableDefs {
		if strings.EqualFold(d.name, name) {
			return d
		}
	}
	return nil
}

func tableNames() []string {
	var out []string
	for _, d := range tableDefs {
		out = append(out, strings.ToLower(d.name))
	}
	return out
}

// catalogName is what MySQL has for the only catalog.
const (
	catalogName = "def"
	charset     = "utf8mb4"
	collation   = "utf8mb4_bin"
)

func fillSchema(e *entry, set setter) { set(catalogName, e.database, charset, collation, nil) }

func fillTable(e *entry, set setter) {
	set(catalogName, e.database, e.table, "BASE TABLE", "Fluss", nil)
	if e.info == nil { // only names are looked at
		set(nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, collation, nil, nil, nil)
		return
	}
	options := ""
	if e.info.IsPartitioned() {
		options = "partitioned"
	}
	format := "log"
	if e.info.IsKeyTable() {
		format = "primary key"
	}
	set(format, nil, nil, nil, nil, nil, nil, nil, millis(e.info.CreatedMillis), millis(e.info.ModifiedMillis), nil, collation, nil, options, e.info.Comment)
}

func millis(ms int64) any { return time.UnixMilli(ms).UTC().Format(timeLayout) }

func fillColumn(e *entry, set setter) {
	col := &e.info.Schema.Columns[e.index]
	m := mysqlType(&col.Type)
	nullable, key, extra := "YES", "", ""
	if col.Type.NotNull {
		nullable = "NO"
	}
	if slices.Contains(e.info.PrimaryKey, e.index) {
		key = "PRI"
	}
	if e.index == e.info.AutoIncrement {
		extra = "auto_increment"
	}
	set(catalogName, e.database, e.table, col.Name, e.index+1, nil, nullable, m.name)
	set(m.length, m.octets, m.precision, m.scale, m.fraction)
	if m.text {
		set(charset, collation)
	} else {
		set(nil, nil)
	}
	set(m.full, key, extra, "", col.Comment, "", col.Type.String())
}

func fillKeyColumn(e *entry, set setter) {
	set(catalogName, e.database, "PRIMARY", catalogName, e.database, e.table, e.info.Schema.PrimaryKey[e.index], e.index+1, nil, nil, nil, nil)
}

func fillConstraint(e *entry, set setter) {
	set(catalogName, e.database, "PRIMARY", e.database, e.table, "PRIMARY KEY")
}

func fillStatistic(e *entry, set setter) {
	set(catalogName, e.database, e.table, 0, e.database, "PRIMARY", e.index+1, e.info.Schema.PrimaryKey[e.index])
	set(nil, nil, nil, nil, "", "HASH", "", "")
}

// partitionRows is the number of partitions; a table without has one row of its own, as in MySQL.
func partitionRows(e *entry) int {
	if !e.info.IsPartitioned() {
		return 1
	}
	return len(e.partitions)
}

func fillPartition(e *entry, set setter) {
	set(catalogName, e.database, e.table)
	if !e.info.IsPartitioned() {
		set(nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, "", nil)
		return
	}
	p := e.partitions[e.index]
	var quoted, values []string
	for _, k := range e.info.PartitionKeys {
		quoted = append(quoted, "`"+strings.ReplaceAll(k, "`", "``")+"`")
	}
	for _, v := range p.Values {
		values = append(values, "'"+v+"'")
	}
	set(p.Name, nil, e.index+1, nil, "LIST COLUMNS", nil, strings.Join(quoted, ","), nil, strings.Join(values, ","), nil, "", p.ID)
}
