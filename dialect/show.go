package dialect

// use reads what follows USE.
func (p *parser) use() Statement {
	next := p.following()
	if (p.is("CATALOG") || p.is("MODULES")) && next.kind != endOfText && next.kind != ';' {
		p.refuseAt(p.tok.pos, "USE "+upper(p.tok.text), "there is no catalog above the cluster", "name the cluster and the database in the DSN")
	}
	return &Use{Database: p.database()}
}

// show reads what follows SHOW.
func (p *parser) show() Statement {
	s := &Show{Full: p.acceptWord("FULL")}
	if s.Full && !p.is("TABLES") && !p.is("COLUMNS") {
		p.unexpected("TABLES or COLUMNS")
	}
	if p.is("GLOBAL") || p.is("SESSION") {
		p.advance()
		if !p.is("VARIABLES") {
			p.unexpected("VARIABLES")
		}
	}
	switch {
	case p.acceptWord("DATABASES"), p.acceptWord("SCHEMAS"):
		s.Kind = ShowDatabases
		p.showLike(s)
	case p.acceptWord("TABLES"):
		s.Kind, s.Database = ShowTables, p.fromDatabase()
		p.showLike(s)
	case p.acceptWord("COLUMNS"), p.acceptWord("FIELDS"):
		s.Kind = ShowColumns
		p.fromTable(s)
		p.showLike(s)
	case p.acceptWord("CREATE"):
		s.Kind = ShowCreateTable
		p.expectWords("TABLE")
		s.Table = p.tableName()
	case p.acceptWord("PARTITIONS"):
		s.Kind = ShowPartitions
		if p.is("FROM") {
			p.advance()
		}
		s.Table = p.tableName()
		p.showPartition(s)
	case p.acceptWord("BUCKETS"):
		s.Kind = ShowBuckets
		p.fromTable(s)
		p.showPartition(s)
	case p.acceptWord("CLUSTER"):
		s.Kind = ShowCluster
	case p.acceptWord("PROCEDURES"):
		s.Kind, s.Database = ShowProcedures, p.fromDatabase()
		p.showLike(s)
	case p.acceptWord("VARIABLES"):
		s.Kind = ShowVariables
		p.showLike(s)
	case p.tok.kind == word:
		p.refuseAt(p.tok.pos, "SHOW "+upper(p.tok.text), "", "SHOW knows DATABASES, TABLES, COLUMNS, CREATE TABLE, PARTITIONS, BUCKETS, CLUSTER, PROCEDURES and VARIABLES")
	default:
		p.unexpected("what to show")
	}
	return s
}

// fromDatabase reads [FROM|IN db].
func (p *parser) fromDatabase() string {
	if p.acceptWord("FROM") || p.acceptWord("IN") {
		return p.database()
	}
	return ""
}

// fromTable reads FROM|IN [db.]t [FROM|IN db].
func (p *parser) fromTable(s *Show) {
	if !p.acceptWord("FROM") && !p.acceptWord("IN") {
		p.unexpected("FROM")
	}
	s.Table = p.tableName()
	at := p.tok.pos
	if db := p.fromDatabase(); db != "" {
		if s.Table.Database != "" {
			p.failAt(at, "the database is given twice")
		}
		s.Table.Database = db
	}
}

func (p *parser) showLike(s *Show) {
	if p.acceptWord("LIKE") {
		pattern := p.string("a pattern in quotes")
		s.Like = &pattern
	}
	if p.is("WHERE") {
		p.refuseAt(p.tok.pos, "WHERE in SHOW", "", "use LIKE, or SELECT from information_schema")
	}
}

func (p *parser) showPartition(s *Show) {
	if p.acceptWord("PARTITION") {
		s.Partition = p.partitionSpec()
	}
}

// describe reads what follows DESCRIBE or DESC.
func (p *parser) describeTable() Statement {
	if next := p.following(); p.is("TABLE") || p.is("EXTENDED") && next.isName() || p.is("FORMATTED") && next.isName() {
		p.refuseAt(p.tok.pos, "DESCRIBE "+upper(p.tok.text), "", "write DESCRIBE t")
	}
	if p.is("SELECT") {
		p.refuseAt(p.tok.pos, "DESCRIBE of a statement", "", "use EXPLAIN")
	}
	return &Describe{Table: p.tableName()}
}

// explain reads what follows EXPLAIN: [PLAN FOR] and a statement.
func (p *parser) explain() Statement {
	at := p.tok.pos
	if p.acceptWord("PLAN") {
		p.expectWords("FOR")
	}
	if p.is("ANALYZE") || p.is("FORMAT") || p.is("EXTENDED") {
		p.refuseAt(at, "EXPLAIN "+upper(p.tok.text), "", "write EXPLAIN SELECT ...")
	}
	switch {
	case p.is("SELECT"), p.is("INSERT"), p.is("UPSERT"), p.is("REPLACE"), p.is("UPDATE"), p.is("DELETE"):
		return &Explain{Statement: p.statement()}
	}
	p.refuseVerb()
	p.unexpected("SELECT, INSERT, UPDATE or DELETE")
	return nil
}
