package dialect

const (
	noTransactions = "Fluss has no transactions"
	onlyAppends    = "Fluss 0.9.1 can only add nullable columns at the end (apache/fluss#1154)"
	onlyPrimaryKey = "a Fluss table has a primary key and no other index or constraint"
	noDefaults     = "Fluss columns have no default values"
)

// create reads what follows CREATE.
func (p *parser) create() Statement {
	switch {
	case p.acceptWord("DATABASE"), p.acceptWord("SCHEMA"):
		return p.createDatabase()
	case p.acceptWord("TABLE"):
		return p.createTable()
	}
	p.refuseObject("CREATE")
	p.unexpected("DATABASE or TABLE")
	return nil
}

// ifNotExists reads [IF NOT EXISTS].
func (p *parser) ifNotExists() bool {
	if !p.is("IF") {
		return false
	}
	p.advance()
	p.expectWords("NOT", "EXISTS")
	return true
}

// ifExists reads [IF EXISTS].
func (p *parser) ifExists() bool {
	if !p.is("IF") {
		return false
	}
	p.advance()
	p.expectWords("EXISTS")
	return true
}

func (p *parser) createDatabase() Statement {
	s := &CreateDatabase{IfNotExists: p.ifNotExists(), Name: p.database()}
	if p.acceptWord("COMMENT") {
		s.Comment = p.string("a comment in quotes")
	}
	if p.acceptWord("WITH") {
		s.Options = p.options()
	}
	return s
}

func (p *parser) createTable() Statement {
	s := &CreateTable{IfNotExists: p.ifNotExists(), Table: p.tableName()}
	if p.is("AS") {
		p.refuseAt(p.tok.pos, "CREATE TABLE AS", "", "create the table, then INSERT the rows from Go or Flink")
	}
	if p.tok.kind != '(' {
		p.createLike(s)
		return s
	}
	p.commaList(func() { p.tableElement(s) })
	if p.err == nil && len(s.Columns) == 0 {
		p.failAt(int(s.Table.Pos), "a table needs a column")
	}
	for p.err == nil && p.tableClause(s) {
	}
	return s
}

// tableClause reads one of the clauses behind the columns, in whatever order they stand.
func (p *parser) tableClause(s *CreateTable) bool {
	at := p.tok.pos
	once := func(given bool, clause string) {
		if given {
			p.failAt(at, "%s is given twice", clause)
		}
	}
	switch {
	case p.acceptWord("COMMENT"):
		once(s.Comment != "", "COMMENT")
		p.accept('=')
		s.Comment = p.string("a comment in quotes")
	case p.acceptWord("PARTITIONED"):
		once(s.PartitionedBy != nil, "PARTITIONED BY")
		p.expectWords("BY")
		s.PartitionedBy = p.columnNames()
	case p.acceptWord("DISTRIBUTED"):
		once(s.DistributedBy != nil || s.Buckets != 0, "DISTRIBUTED BY")
		p.distribution(s)
	case p.acceptWord("WITH"):
		once(s.Options != nil, "WITH")
		s.Options = p.options()
	default:
		p.refuseTableClause()
		return false
	}
	return true
}

// refuseTableClause refuses the table options of MySQL and the ways to fill or copy a table.
func (p *parser) refuseTableClause() {
	switch at := p.tok.pos; {
	case p.is("AS"), p.is("SELECT"):
		p.refuseAt(at, "CREATE TABLE AS SELECT", "", "create the table, then INSERT the rows from Go or Flink")
	case p.is("LIKE"):
		p.refuseAt(at, "CREATE TABLE with columns of its own and LIKE", "", "create it LIKE the other, then ALTER TABLE ADD the columns")
	case p.is("PARTITION"):
		p.refuseAt(at, "PARTITION BY", "", "write PARTITIONED BY (column)")
	case p.is("ENGINE"), p.is("CHARSET"), p.is("CHARACTER"), p.is("COLLATE"), p.is("AUTO_INCREMENT"), p.is("DEFAULT"), p.is("ROW_FORMAT"):
		p.refuseAt(at, "the table option "+upper(p.tok.text), "Fluss does not know it", "options are written WITH ('key' = 'value')")
	}
}

// distribution reads BY [HASH] (b, ...) [INTO n BUCKETS], or INTO n BUCKETS alone.
func (p *parser) distribution(s *CreateTable) {
	if !p.is("INTO") {
		p.expectWords("BY")
		if p.is("RANGE") {
			p.refuseAt(p.tok.pos, "DISTRIBUTED BY RANGE", "Fluss hashes the bucket key", "use HASH")
		}
		p.acceptWord("HASH")
		s.DistributedBy = p.columnNames()
	}
	if p.acceptWord("INTO") {
		at := p.tok.pos
		if s.Buckets = p.integer("the number of buckets"); p.err == nil && s.Buckets == 0 {
			p.failAt(at, "a table needs at least one bucket")
		}
		p.expectWords("BUCKETS")
	}
}

// tableElement reads a column or a constraint. Words like KEY or INDEX begin a constraint unless a type follows.
func (p *parser) tableElement(s *CreateTable) {
	if next := p.following(); p.tok.kind == word && !next.isType() {
		if p.constraint(s) {
			return
		}
	}
	s.Columns = append(s.Columns, p.columnDef())
}

// constraint reads [CONSTRAINT name] PRIMARY KEY (...) and refuses all others. It is false if none begins here.
func (p *parser) constraint(s *CreateTable) bool {
	at := p.tok.pos
	if p.acceptWord("CONSTRAINT") && !p.is("PRIMARY") {
		p.name("a constraint name") // Fluss keeps no names of constraints
	}
	switch {
	case p.acceptWord("PRIMARY"):
		p.expectWords("KEY")
		if s.PrimaryKey != nil {
			p.failAt(at, "PRIMARY KEY is given twice")
		}
		s.PrimaryKey = p.columnNames()
		p.enforcement()
	case p.is("UNIQUE"), p.is("FOREIGN"), p.is("CHECK"), p.is("INDEX"), p.is("KEY"), p.is("FULLTEXT"), p.is("SPATIAL"):
		feature := upper(p.tok.text)
		if feature == "FOREIGN" {
			feature = "FOREIGN KEY"
		}
		p.refuseAt(p.tok.pos, feature, onlyPrimaryKey, "leave it out")
	case p.is("WATERMARK"):
		p.refuseAt(at, "WATERMARK", "watermarks belong to Flink's tables", "leave it out")
	case p.is("PERIOD"):
		p.refuseAt(at, "PERIOD", "", "leave it out")
	case p.is("LIKE"):
		p.refuseAt(at, "LIKE in a table's columns", "", "write the columns out; SHOW CREATE TABLE prints them")
	default:
		if p.tok.pos != at {
			p.unexpected("PRIMARY KEY")
		}
		return false
	}
	return true
}

// enforcement reads [NOT ENFORCED] behind a primary key.
func (p *parser) enforcement() {
	if p.is("ENFORCED") {
		p.refuseAt(p.tok.pos, "PRIMARY KEY ENFORCED", "a later row with the same key replaces the earlier one", "write NOT ENFORCED or nothing")
	}
	if p.is("NOT") {
		if next := p.following(); next.is("ENFORCED") {
			p.advance()
			p.advance()
		}
	}
}

// columnDef reads name TYPE and what may stand behind.
func (p *parser) columnDef() ColumnDef {
	var c ColumnDef
	c.Name, c.Pos = p.name("a column name")
	if p.is("AS") {
		p.refuseAt(p.tok.pos, "a computed column", "Fluss stores columns and computes none", "compute the value in Go")
	}
	c.Type = p.typeSpec()
	for p.err == nil && p.columnOption(&c) {
	}
	return c
}

func (p *parser) columnOption(c *ColumnDef) bool {
	switch {
	case p.is("NOT"), p.is("NULL"):
		at := p.tok.pos
		if p.nullability(&c.Type); p.tok.pos == at {
			p.advance()
			p.unexpected("NULL")
		}
	case p.acceptWord("COMMENT"):
		c.Comment = p.string("a comment in quotes")
	case p.acceptWord("PRIMARY"):
		p.expectWords("KEY")
		c.PrimaryKey = true
		p.enforcement()
	case p.is("DEFAULT"):
		at := p.tok.pos
		if p.advance(); !p.acceptWord("NULL") {
			p.refuseAt(at, "DEFAULT", noDefaults, "leave it out and write the value with each row")
		}
	default:
		p.refuseColumnOption()
		return false
	}
	return true
}

func (p *parser) refuseColumnOption() {
	switch at := p.tok.pos; {
	case p.is("AUTO_INCREMENT"), p.is("AUTOINCREMENT"):
		p.refuseAt(at, "AUTO_INCREMENT behind a column", "", "write WITH ('auto-increment.fields' = '<column>')")
	case p.is("GENERATED"), p.is("AS"):
		p.refuseAt(at, "a generated column", "Fluss stores columns and computes none", "compute the value in Go")
	case p.is("METADATA"):
		p.refuseAt(at, "a metadata column", "", "select the pseudo columns _bucket and _log_offset")
	case p.is("UNIQUE"), p.is("CHECK"), p.is("REFERENCES"), p.is("CONSTRAINT"), p.is("KEY"):
		p.refuseAt(at, upper(p.tok.text), onlyPrimaryKey, "leave it out")
	case p.is("ON"):
		p.refuseAt(at, "ON UPDATE", noDefaults, "write the value with each row")
	case p.is("UNSIGNED"), p.is("ZEROFILL"):
		p.refuseAt(at, upper(p.tok.text), "the integers of Fluss are signed", "use the next wider type")
	case p.is("COLLATE"), p.is("CHARACTER"), p.is("CHARSET"):
		p.refuseAt(at, upper(p.tok.text), "strings are UTF-8 and compare by their bytes", "leave it out")
	case p.is("FIRST"), p.is("AFTER"):
		p.refuseAt(at, upper(p.tok.text)+" in ADD COLUMN", onlyAppends, "")
	}
}
