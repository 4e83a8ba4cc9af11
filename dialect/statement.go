package dialect

// statement reads one statement up to its last word; what follows is the caller's to check.
func (p *parser) statement() Statement {
	if p.err == nil && p.tok.kind == endOfText {
		p.failAt(p.tok.pos, "there is no statement")
		return nil
	}
	switch {
	case p.is("SELECT"):
		return p.selectStatement()
	case p.is("INSERT"):
		return p.insert(InsertVerb)
	case p.is("UPSERT"):
		return p.insert(UpsertVerb)
	case p.is("REPLACE"):
		return p.insert(ReplaceVerb)
	case p.is("UPDATE"):
		return p.update()
	case p.is("DELETE"):
		return p.delete()
	case p.acceptWord("CREATE"):
		return p.create()
	case p.acceptWord("DROP"):
		return p.drop()
	case p.acceptWord("ALTER"):
		return p.alter()
	case p.acceptWord("USE"):
		return p.use()
	case p.acceptWord("SHOW"):
		return p.show()
	case p.acceptWord("DESCRIBE"), p.acceptWord("DESC"):
		return p.describeTable()
	case p.acceptWord("EXPLAIN"):
		return p.explain()
	case p.acceptWord("CALL"):
		return p.callStatement()
	case p.is("SET") && p.setsForeignKeyChecks():
		return p.foreignKeyChecks()
	case p.acceptWord("BEGIN"):
		return p.begin()
	case p.acceptWord("START"):
		return p.start()
	case p.acceptWord("COMMIT"):
		return p.finish(Commit)
	case p.acceptWord("ROLLBACK"):
		return p.finish(Rollback)
	}
	p.refuseVerb()
	p.unexpected("SELECT, INSERT, UPSERT, UPDATE, DELETE, CREATE, DROP, ALTER, SHOW, DESCRIBE, EXPLAIN, CALL or USE")
	return nil
}

// attach hands hints and parameters over to the statement they belong to. Statements that take none refuse them.
func (p *parser) attach(s Statement) {
	switch s := s.(type) {
	case *Select:
		s.Hints, s.Params = p.hints, p.params
	case *Insert:
		s.Hints, s.Params = p.hints, p.params
	case *Update:
		s.Hints, s.Params = p.hints, p.params
	case *Delete:
		s.Hints, s.Params = p.hints, p.params
	case *Explain:
		p.attach(s.Statement)
	case *Call:
		p.refuseHints()
		s.Params = p.params
	default:
		p.refuseHints()
		if p.params.Count > 0 || p.params.Names != nil {
			p.fail(0, "this statement takes no parameters: write the value as a literal")
		}
	}
}

func (p *parser) refuseHints() {
	if len(p.hints) > 0 {
		p.fail(int(p.hints[0].Pos), "this statement takes no hints")
	}
}

// verbs of statements that are refused as a whole.
var verbs = map[string]refusal{
	"WITH":      {"WITH", queryPlans, computeElsewhere},
	"VALUES":    {"VALUES as a statement", "", "write INSERT INTO t VALUES (...)"},
	"TABLE":     {"TABLE as a statement", "", "write SELECT * FROM t"},
	"TRUNCATE":  {"TRUNCATE", "Fluss cannot empty a table", "DROP and CREATE it, or DELETE the rows by key"},
	"MERGE":     {"MERGE", queryPlans, "use UPSERT, which replaces the row of the same key"},
	"SAVEPOINT": {"SAVEPOINT", noTransactions, ""},
	"RELEASE":   {"SAVEPOINT", noTransactions, ""},
	"LOCK":      {"LOCK", noTransactions, ""},
	"UNLOCK":    {"UNLOCK", noTransactions, ""},
	"XA":        {"XA", noTransactions, ""},
	"GRANT":     {"GRANT", "", grants},
	"REVOKE":    {"REVOKE", "", grants},
	"ANALYZE":   {"ANALYZE", "Fluss keeps its statistics itself", ""},
	"RENAME":    {"RENAME", "Fluss 0.9.1 cannot rename a table", ""},
	"COMMENT":   {"COMMENT ON", "", "write COMMENT in CREATE TABLE"},
	"PREPARE":   {"PREPARE as a statement", "", "use db.Prepare"},
	"EXECUTE":   {"EXECUTE", "", "send the statement itself"},
	"LOAD":      {"LOAD", "", "INSERT many rows with one statement"},
	"COPY":      {"COPY", "", "INSERT many rows with one statement"},
	"KILL":      {"KILL", "", "cancel the context of the query"},
	"RESET":     session,
	"ADD":       {"ADD JAR", "it belongs to Flink", ""},
}

var session = refusal{"SET", "a connection of this driver has no session settings", "put options into the DSN, or a hint into the statement"}

func (p *parser) setsForeignKeyChecks() bool {
	next := p.following()
	return next.is("FOREIGN_KEY_CHECKS")
}

// foreignKeyChecks reads SET foreign_key_checks = 0 or 1.
func (p *parser) foreignKeyChecks() Statement {
	p.advance()
	p.advance()
	p.expect('=', "'='")
	if p.tok.kind != number || p.tok.text != "0" && p.tok.text != "1" {
		p.unexpected("0 or 1")
		return nil
	}
	t := p.take()
	return &ForeignKeyChecks{On: t.text == "1"}
}

// refuseVerb refuses the statement that the current token begins, if it is a known one.
func (p *parser) refuseVerb() {
	if !p.is("SET") {
		p.refuseWord(verbs)
		return
	}
	ahead := p.scanner
	t := ahead.next()
	for t.is("SESSION") || t.is("GLOBAL") || t.is("LOCAL") {
		t = ahead.next()
	}
	if t.is("TRANSACTION") || t.is("AUTOCOMMIT") {
		p.refuseAt(p.tok.pos, "SET "+upper(t.text), noTransactions, "use db.BeginTx with the default level; see the tx option of the DSN")
	}
	p.refuseAt(p.tok.pos, session.feature, session.reason, session.hint)
}
