package dialect

// The words for what Fluss, or this driver, does not do.
const (
	queryPlans       = "Fluss serves lookups and scans, not query plans"
	joinElsewhere    = "read both tables and join in Go, or use Flink"
	computeElsewhere = "compute it in Go, or use Flink"
	grants           = "use CALL sys.add_acl and CALL sys.drop_acl"
)

// refusal is what an UnsupportedError says.
type refusal struct{ feature, reason, hint string }

// clauses are refused where a clause begins that the grammar does not know.
var clauses = map[string]refusal{
	"JOIN": join, "LEFT": join, "RIGHT": join, "INNER": join, "CROSS": join, "NATURAL": join, "FULL": join,
	"STRAIGHT_JOIN": join, "LATERAL": join, "USING": join,
	"GROUP":           {"GROUP BY", queryPlans, computeElsewhere},
	"HAVING":          {"HAVING", queryPlans, computeElsewhere},
	"UNION":           {"UNION", queryPlans, "run both statements"},
	"EXCEPT":          {"EXCEPT", queryPlans, computeElsewhere},
	"MINUS":           {"MINUS", queryPlans, computeElsewhere},
	"INTERSECT":       {"INTERSECT", queryPlans, computeElsewhere},
	"WINDOW":          {"WINDOW", queryPlans, computeElsewhere},
	"QUALIFY":         {"QUALIFY", queryPlans, computeElsewhere},
	"MATCH_RECOGNIZE": {"MATCH_RECOGNIZE", queryPlans, computeElsewhere},
	"TABLESAMPLE":     {"TABLESAMPLE", queryPlans, "use LIMIT"},
	"LOCK":            {"LOCK IN SHARE MODE", noTransactions, "leave it out"},
	"FETCH":           {"FETCH FIRST", "", "use LIMIT n OFFSET m"},
	"INTO":            {"SELECT INTO", "", "scan the rows in Go"},
	"PROCEDURE":       {"PROCEDURE", "", ""},
	"RETURNING":       {"RETURNING", "only an INSERT into a log table returns something", ""},
	"ON":              {"ON", "ON DUPLICATE KEY UPDATE belongs to INSERT, join conditions to JOIN", ""},
	"PARTITION":       {"PARTITION (...) behind a table", "", "compare the partition column in WHERE"},
	"USE":             {"USE INDEX", "there are no indexes to choose from", "leave it out"},
	"FORCE":           {"FORCE INDEX", "there are no indexes to choose from", "leave it out"},
	"IGNORE":          {"IGNORE INDEX", "there are no indexes to choose from", "leave it out"},
}

var join = refusal{"JOIN", queryPlans, joinElsewhere}

// refuseWord refuses the current token if it is a bare word of the table.
func (p *parser) refuseWord(table map[string]refusal) {
	if p.tok.kind != word {
		return
	}
	if r, ok := table[upper(p.tok.text)]; ok {
		p.refuseAt(p.tok.pos, r.feature, r.reason, r.hint)
	}
}

// refuseClause refuses the clause that the current token begins, if it is a known one.
func (p *parser) refuseClause() {
	if p.is("FOR") {
		switch next := p.following(); {
		case next.is("SYSTEM_TIME"):
			p.refuseAt(p.tok.pos, "FOR SYSTEM_TIME AS OF", "time travel of a key table is not stored by Fluss",
				"for logs use scan.startup.mode=timestamp")
		case next.is("UPDATE"), next.is("SHARE"), next.is("NO"), next.is("KEY"):
			p.refuseAt(p.tok.pos, "FOR "+upper(next.text), noTransactions, "leave it out")
		}
		return
	}
	p.refuseWord(clauses)
	p.refuseOperator()
}

// operators are refused where they stand behind a complete operand.
var operators = map[string]refusal{
	"REGEXP": regexp, "RLIKE": regexp, "SIMILAR": regexp,
	"ILIKE":    {"ILIKE", "", "use LIKE"},
	"SOUNDS":   {"SOUNDS LIKE", "", "use LIKE"},
	"DIV":      {"DIV", "", "compute it in Go"},
	"MOD":      {"MOD", "", "use %"},
	"XOR":      {"XOR", "", "write it with AND, OR and NOT"},
	"COLLATE":  {"COLLATE", "strings compare by their bytes", "leave it out"},
	"MEMBER":   {"MEMBER OF", "", "use IN"},
	"OVERLAPS": {"OVERLAPS", "", "compare the bounds"},
}

var regexp = refusal{"REGEXP", "", "use LIKE"}

// refuseOperator refuses the operator that the current token is, if it is a known one that the grammar is not
// to have: MySQL and the standard read || in different ways, for one.
func (p *parser) refuseOperator() {
	at := p.tok.pos
	switch p.tok.kind {
	case word:
		if p.is("AT") {
			if next := p.following(); next.is("TIME") {
				p.refuseAt(at, "AT TIME ZONE", "", "convert in Go")
			}
		}
		p.refuseWord(operators)
	case nullSafeEqual:
		p.refuseAt(at, "the operator <=>", "", "use = or IS NULL")
	case barBar:
		p.refuseAt(at, "the operator ||", "it means OR to some and concatenation to others", "write OR, or join strings in Go")
	case ampAmp:
		p.refuseAt(at, "the operator &&", "", "write AND")
	case arrow:
		p.refuseAt(at, "the operator "+p.sql[p.tok.pos:p.tok.end], "", "read the column whole and take it apart in Go")
	case '[':
		p.refuseAt(at, "access to an element of an array, a map or a row", "", "read the column whole and take it apart in Go")
	case fatArrow:
		p.refuseAt(at, "the operator =>", "it names arguments of a procedure", "write >=")
	case doubleColon:
		p.refuseAt(at, "the operator ::", "", "convert in Go")
	case '|', '&', '^':
		p.refuseAt(at, "the operator "+string(rune(p.tok.kind)), "", "compute it in Go")
	}
}

// refuseSubquery refuses a SELECT where an expression is expected.
func (p *parser) refuseSubquery() {
	if p.is("SELECT") || p.is("WITH") {
		p.refuseAt(p.tok.pos, "a subquery", queryPlans, "run it first and pass its result as a parameter")
	}
}

// refuseObject refuses CREATE, DROP or ALTER of the object that the current token names.
func (p *parser) refuseObject(verb string) {
	r := refusal{}
	switch {
	case p.is("INDEX"), p.is("UNIQUE"), p.is("FULLTEXT"), p.is("SPATIAL"):
		r = refusal{verb + " INDEX", onlyPrimaryKey, "choose the primary key and the bucket key for the lookups"}
	case p.is("MATERIALIZED"):
		r = refusal{verb + " MATERIALIZED TABLE", "it belongs to Flink", "use Flink"}
		if next := p.following(); next.is("VIEW") {
			r.feature = verb + " MATERIALIZED VIEW"
		}
	case p.is("VIEW"):
		r = refusal{verb + " VIEW", queryPlans, "keep the SELECT in Go"}
	case p.is("TEMPORARY"):
		r = refusal{verb + " TEMPORARY", "there is no session that could own it", ""}
	case p.is("CATALOG"):
		r = refusal{verb + " CATALOG", "there is no catalog above the cluster", "name the cluster and the database in the DSN"}
	case p.is("OR"):
		r = refusal{verb + " OR REPLACE", "", "drop the table first"}
	case p.is("DATABASE"), p.is("SCHEMA"):
		r = refusal{verb + " DATABASE", "", ""}
	case p.is("USER"), p.is("ROLE"):
		r = refusal{verb + " " + upper(p.tok.text), "users are configured at the server", ""}
	case p.tok.kind == word:
		r = refusal{verb + " " + upper(p.tok.text), "Fluss has databases and tables", ""}
	default:
		return
	}
	p.refuseAt(p.tok.pos, r.feature, r.reason, r.hint)
}
