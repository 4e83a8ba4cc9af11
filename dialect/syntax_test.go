package dialect

import (
	"errors"
	"strings"
	"testing"
)

// Everything that is a syntax error. The position is where "«" stands.
var syntaxErrors = []struct{ sql, want string }{
	{"«", "there is no statement"},
	{"  -- nothing\n«", "there is no statement"},
	{"«;", "unexpected ';', expected SELECT, INSERT"},
	{"«SELEC 1", "unexpected SELEC, expected SELECT, INSERT"},
	{"«(SELECT 1)", "unexpected '(', expected SELECT"},
	{"SELECT «", "unexpected end of statement, expected an expression"},
	{"SELECT «FROM t", "unexpected FROM, expected an expression; a reserved word as a name is written `FROM`"},
	{"SELECT a, «FROM t", "unexpected FROM, expected an expression"},
	{"SELECT a FROM «", "unexpected end of statement, expected a table name"},
	{"SELECT a FROM «WHERE a = 1", "unexpected WHERE, expected a table name; a reserved word"},
	{"SELECT a FROM «'t'", "unexpected string 't', expected a table name"},
	{"SELECT a b «c FROM t", "unexpected c, expected end of statement"},
	{"SELECT a «'x' FROM t", "unexpected string 'x', expected end of statement"},
	{"SELECT a AS «FROM t", "unexpected FROM, expected an alias"},
	{"SELECT a AS «'' FROM t", "unexpected string '', expected an alias"},
	{"SELECT t.* «+ 1 FROM t", "unexpected '+', expected end of statement"},
	{"SELECT a FROM t WHERE «", "unexpected end of statement, expected an expression"},
	{"SELECT a FROM t WHERE a = «= 1", "unexpected '=', expected an expression"},
	{"SELECT a FROM t WHERE a = 1 «= 2", "comparisons do not chain"},
	{"SELECT a FROM t WHERE a = 1 «IS NULL", "comparisons do not chain"},
	{"SELECT a FROM t WHERE a < b «< c", "comparisons do not chain"},
	{"SELECT a FROM t WHERE a NOT «= 1", "unexpected '=', expected IN, BETWEEN or LIKE after NOT"},
	{"SELECT a FROM t WHERE a IN «?", "unexpected '?', expected a list in parentheses, as in IN (?, ?)"},
	{"SELECT a FROM t WHERE a IN (1, «)", "unexpected ')', expected an expression"},
	{"SELECT a FROM t WHERE a BETWEEN 1 «OR 2", "unexpected OR, expected AND"},
	{"SELECT a FROM t WHERE a IS «5", "unexpected number 5, expected NULL"},
	{"SELECT a FROM t WHERE (a = 1«", "unexpected end of statement, expected ')'"},
	{"SELECT a FROM t WHERE a = 1«)", "unexpected ')', expected end of statement"},
	{"SELECT a FROM t WHERE a = 1 «b", "unexpected b, expected end of statement"},
	{"SELECT a FROM t «OFFSET 5", "unexpected OFFSET, expected LIMIT in front of OFFSET"},
	{"SELECT a FROM t LIMIT «-1", "unexpected '-', expected a whole number or a parameter"},
	{"SELECT a FROM t LIMIT «1.5", "unexpected number 1.5, expected a whole number"},
	{"SELECT a FROM t LIMIT 1 «WHERE a = 1", "unexpected WHERE, expected end of statement"},
	{"SELECT COUNT(*«, 1) FROM t", "unexpected ',', expected ')'"},
	{"SELECT SUM(«*) FROM t", "unexpected '*', expected an expression"},
	{"SELECT `f` «(1)", "unexpected '(', expected no '(' behind a column"},
	{"SELECT «VALUES(a) FROM t", "VALUES(column) stands only in ON DUPLICATE KEY UPDATE"},
	{"SELECT EXISTS («1)", "unexpected number 1, expected SELECT"},
	{"SELECT 1 LIMIT 1 «FROM t", "unexpected FROM, expected end of statement"},
	{"SELECT EXISTS (SELECT 1 FROM t WHERE a = 1 «b)", "unexpected b, expected ')'"},
	{"SELECT 1 «WHERE 1 = 1", "unexpected WHERE, expected end of statement"},
	{"SELECT «'abc", "this string does not end: expected '"},
	{"SELECT «'abc\\'", "this string does not end: expected '"},
	{"SELECT «\"abc", "this string does not end: expected \""},
	{"SELECT «`abc", "this quoted name does not end: expected `"},
	{"SELECT «``", "a name cannot be empty"},
	{"SELECT 'a«\\qb'", `unknown escape in a string: a backslash itself is written \\`},
	{"SELECT 'größe«\\q'", `unknown escape`},
	{"SELECT 1 «/* abc", "this comment does not end: expected */"},
	{"SELECT a«--1", "'--' needs a blank behind it to start a comment"},
	{"SELECT «1abc", "malformed number"},
	{"SELECT «1e", "malformed number"},
	{"SELECT 1.«", "expected a digit after the decimal point"},
	{"SELECT «0x", "hex bytes are written with two digits"},
	{"SELECT «0x123", "hex bytes are written with two digits"},
	{"SELECT «X'1'", "hex bytes are written with two digits"},
	{"SELECT «X'zz'", "hex bytes are written with two digits"},
	{"SELECT «X'12", "this hex string does not end"},
	{"SELECT «$1", "unexpected '$': parameters are written ? or :name"},
	{"SELECT «:1", "unexpected ':': a named parameter is a colon and a name"},
	{"SELECT a FROM t WHERE a = «\u201cx\u201d", "unexpected character '\u201c' (U+201C)"},
	{"SELECT a«\u00a0FROM t", "unexpected character '\\u00a0' (U+00A0)"},
	{"SELECT a«\xff", "byte 0xFF is not UTF-8"},
	{"SELECT «\x00", "unexpected character '\\x00'"},
	{"SELECT @@«", "expected the name of a variable after @@"},
	{"SELECT /*+ «NOPE(1) */ * FROM t", "unknown hint NOPE; the hints are OPTIONS, BUCKET, OFFSET"},
	{"SELECT /*+ «INDEX(t i) */ * FROM t", "unknown hint INDEX"},
	{"SELECT * FROM t «/*+ FOLLOW", "this hint does not end: expected */"},
	{"SELECT /*+ OPTIONS(«a = 1) */ * FROM t", "unexpected a, expected an option in quotes"},
	{"SELECT /*+ OPTIONS('a' «, 'b') */ * FROM t", "unexpected ',', expected '='"},
	{"SELECT /*+ BUCKET(0 «1) */ * FROM t", "unexpected number 1, expected ',' or ')'"},
	{"SELECT /*+ FOLLOW «/*+ FOLLOW */ */ * FROM t", "a hint inside a hint"},
	{"CREATE TABLE t /*+ «FOLLOW */ (a INT)", "this statement takes no hints"},
	{"USE d /*+ «FOLLOW */", "this statement takes no hints"},
	{"INSERT INTO t VALUES (1, «)", "unexpected ')', expected a literal or a parameter"},
	{"INSERT INTO t VALUES «1", "unexpected number 1, expected '(' and the values of a row"},
	{"INSERT INTO t VALUES (1, 2), «(3)", "row 2 has 1 value, expected 2"},
	{"INSERT INTO t (a, b) VALUES «(1, 2, 3)", "row 1 has 3 values, expected 2"},
	{"INSERT INTO t VALUES («a)", "unexpected a, expected a literal or a parameter"},
	{"INSERT INTO t VALUES («SELECT)", "unexpected SELECT, expected a literal or a parameter"},
	{"INSERT INTO t VALUES («(1))", "unexpected '(', expected a literal or a parameter"},
	{"INSERT INTO t VALUES (-«'1')", "unexpected string '1', expected a number after the sign"},
	{"INSERT INTO t VALUES (-«?)", "unexpected '?', expected a number after the sign"},
	{"INSERT INTO t VALUES (1) «(2)", "unexpected '(', expected end of statement"},
	{"INSERT INTO t VALUES (1),«", "unexpected end of statement, expected '(' and the values of a row"},
	{"INSERT INTO t («order) VALUES (1)", "unexpected order, expected a column name; a reserved word as a name is written `order`"},
	{"INSERT INTO t (a «b) VALUES (1)", "unexpected b, expected ',' or ')'"},
	{"INSERT INTO t (a) «(1)", "unexpected '(', expected VALUES"},
	{"INSERT INTO t «foo VALUES (1)", "unexpected foo, expected a list of columns or VALUES"},
	{"INSERT INTO t VALUES (ARRAY[1 «2])", "unexpected number 2, expected ',' or ']'"},
	{"INSERT INTO t VALUES (ARRAY[1, «])", "unexpected ']', expected a literal or a parameter"},
	{"INSERT INTO t VALUES («MAP['a'])", "MAP[...] takes keys and values in turn"},
	{"INSERT INTO t VALUES (ROW(«a))", "unexpected a, expected a literal or a parameter"},
	{"INSERT INTO t VALUES (ROW(«DEFAULT))", "unexpected DEFAULT, expected a literal or a parameter"},
	{"REPLACE INTO t VALUES (1) «ON DUPLICATE KEY UPDATE a = 1", "ON DUPLICATE KEY UPDATE belongs to INSERT, not to REPLACE"},
	{"INSERT INTO t VALUES (1) ON DUPLICATE «UPDATE a = 1", "unexpected UPDATE, expected KEY"},
	{"UPSERT IGNORE «INTO t VALUES (1)", "unexpected INTO"},
	{"UPDATE t «WHERE a = 1", "unexpected WHERE, expected SET"},
	{"UPDATE t SET a «+ 1", "unexpected '+', expected '='"},
	{"UPDATE t SET «x.a = 1", "x is neither the table nor its alias"},
	{"UPDATE t SET a = 1 «b = 2", "unexpected b, expected end of statement"},
	{"DELETE «WHERE a = 1", "unexpected WHERE, expected FROM"},
	{"DELETE FROM t WHERE a = 1 «a", "unexpected a, expected end of statement"},
	{"CREATE «", "unexpected end of statement, expected DATABASE or TABLE"},
	{"CREATE TABLE t «", "unexpected end of statement, expected '('"},
	{"CREATE TABLE t WITH ('a' = 'b')«", "unexpected end of statement, expected '(' and the columns, or LIKE and a table"},
	{"CREATE TABLE t LIKE «", "unexpected end of statement, expected a table name"},
	{"CREATE TABLE t LIKE u («OPTIONS)", "unexpected OPTIONS, expected INCLUDING, EXCLUDING or OVERWRITING"},
	{"CREATE TABLE t LIKE u (INCLUDING «EVERYTHING)", "unexpected EVERYTHING, expected OPTIONS"},
	{"CREATE TABLE t LIKE u (INCLUDING OPTIONS«", "unexpected end of statement, expected INCLUDING"},
	{"CREATE TABLE t («)", "unexpected ')', expected a column name"},
	{"CREATE TABLE «t (PRIMARY KEY (a))", "a table needs a column"},
	{"CREATE TABLE t (a INT,«)", "unexpected ')', expected a column name"},
	{"CREATE TABLE t (a«)", "unexpected ')', expected a type"},
	{"CREATE TABLE t (a INT «b INT)", "unexpected b, expected ',' or ')'"},
	{"CREATE TABLE t (a ARRAY«(INT))", "unexpected '(', expected '<', as in ARRAY<INT>"},
	{"CREATE TABLE t (a MAP<INT«>)", "unexpected '>', expected ','"},
	{"CREATE TABLE t (a ROW<INT«>)", "unexpected '>', expected a type"},
	{"CREATE TABLE t (a DECIMAL(1, 2«, 3))", "unexpected ',', expected ')'"},
	{"CREATE TABLE t (a STRING«(20))", "STRING takes no parameters"},
	{"CREATE TABLE t (a CHAR(«99999999999))", "expected a whole number up to 2147483647"},
	{"CREATE TABLE t (a INT NOT «b)", "unexpected b, expected NULL"},
	{"CREATE TABLE t (a INT, PRIMARY KEY (a), «PRIMARY KEY (a))", "PRIMARY KEY is given twice"},
	{"CREATE TABLE t (a INT) WITH ('a' = «1)", "unexpected number 1, expected the option's value in quotes"},
	{"CREATE TABLE t (a INT) WITH (\"a\" = 'b', «'a' = 'c')", "option 'a' is given twice"},
	{"CREATE TABLE t (a INT) WITH ('a' = 'b') «WITH ('c' = 'd')", "WITH is given twice"},
	{"CREATE TABLE t (a INT) WITH ('a' = 'b') «foo", "unexpected foo, expected end of statement"},
	{"CREATE TABLE t (a INT) DISTRIBUTED INTO «0 BUCKETS", "a table needs at least one bucket"},
	{"CREATE TABLE t (a INT) DISTRIBUTED INTO 3«", "unexpected end of statement, expected BUCKETS"},
	{"CREATE DATABASE d WITH «'a' = 'b'", "unexpected string 'a', expected '('"},
	{"DROP TABLE IF «t", "unexpected t, expected EXISTS"},
	{"ALTER TABLE t ADD PARTITION (p «> 1)", "unexpected '>', expected '='"},
	{"ALTER TABLE t ADD PARTITION (p = «NULL)", "expected the partition's value as a literal"},
	{"ALTER TABLE t «", "unexpected end of statement, expected ADD, DROP, SET or RESET"},
	{"SHOW «", "unexpected end of statement, expected what to show"},
	{"SHOW FULL «DATABASES", "unexpected DATABASES, expected TABLES or COLUMNS"},
	{"SHOW COLUMNS FROM a.t «FROM b", "the database is given twice"},
	{"SHOW TABLES LIKE «?", "unexpected '?', expected a pattern in quotes"},
	{"SHOW BUCKETS «t", "unexpected t, expected FROM"},
	{"DESCRIBE t «a", "unexpected a, expected end of statement"},
	{"EXPLAIN «t", "unexpected t, expected SELECT, INSERT, UPDATE or DELETE"},
	{"ALTER TABLE t ADD PARTITION (p = «?)", "expected the partition's value as a literal"},

	// procedures
	{"CALL «", "unexpected end of statement, expected the name of a procedure, as in sys.list_acl"},
	{"CALL sys.list_acl«", "unexpected end of statement, expected '('"},
	{"CALL sys.list_acl('ANY'«", "unexpected end of statement, expected ',' or ')'"},
	{"CALL sys.list_acl('ANY' «'x')", "unexpected string 'x', expected ',' or ')'"},
	{"CALL sys.list_acl(«)", "sys.list_acl needs the argument resource: list_acl(resource, [permission], [principal], [operation], [host])"},
	{"CALL sys.add_acl('a', 'ALLOW', host => 'h'«)", "sys.add_acl needs the argument principal"},
	{"CALL sys.add_acl(«resourc => 'cluster')", "sys.add_acl has no argument resourc; did you mean resource? it is add_acl(resource, permission, principal, operation, [host])"},
	{"CALL sys.add_acl(«zzz => 'cluster')", "sys.add_acl has no argument zzz; it is add_acl("},
	{"CALL sys.list_acl('ANY', «resource => 'ANY')", "the argument resource of sys.list_acl is given twice"},
	{"CALL sys.list_acl(resource => 'ANY', «'ALLOW')", "an argument without a name behind one with a name: list_acl("},
	{"CALL sys.rebalance('a', «'b')", "sys.rebalance takes at most 1 arguments: rebalance(priorityGoals)"},
	{"CALL sys.set_cluster_configs(«)", "sys.set_cluster_configs needs the argument config_pairs: set_cluster_configs(config_pairs, ...)"},
	{"CALL sys.list_acl(«ARRAY['a'])", "an argument of a procedure is a text"},
	{"CALL sys.list_acl(«SELECT 1)", "unexpected SELECT, expected a literal"},
	{"CALL /*+ «BLIND */ sys.list_acl('ANY')", "this statement takes no hints"},
}

func TestSyntaxErrors(t *testing.T) {
	for _, tt := range syntaxErrors {
		sql := strings.Replace(tt.sql, "«", "", 1)
		_, err := Parse(sql, Options{})
		var s *SyntaxError
		if !errors.As(err, &s) {
			t.Errorf("%q\ngot  %v\nwant %s", sql, err, tt.want)
			continue
		}
		if !strings.HasPrefix(s.Message, tt.want) {
			t.Errorf("%q\ngot  %s\nwant %s", sql, s.Message, tt.want)
		}
		if want := strings.Index(tt.sql, "«"); int(s.Pos) != want {
			t.Errorf("%q: error at %d %q, want %d\n%s", sql, s.Pos, sql[s.Pos:], want, s)
		}
	}
	t.Logf("%d syntax errors", len(syntaxErrors))
}

func TestErrorText(t *testing.T) {
	long := strings.Repeat("größe = 1 AND ", 20)
	tests := []struct{ name, sql, want string }{
		{"first line", "SELECT a b c", "syntax error at line 1 column 12: unexpected c, expected end of statement\nSELECT a b c\n           ^"},
		{"third line", "SELECT a\n  FROM t\n\tWHERE größe = = 1\n LIMIT 1", "syntax error at line 3 column 16: unexpected '=', expected an expression\n\tWHERE größe = = 1\n\t              ^"},
		{"carriage return", "SELECT a\r\nFROM\r\n", "syntax error at line 3 column 1: unexpected end of statement, expected a table name\n\n^"},
		{"end", "SELECT", "syntax error at line 1 column 7: unexpected end of statement, expected an expression\nSELECT\n      ^"},
		{"long line", "SELECT 1 FROM t WHERE " + long + "= " + long, "syntax error at line 1 column 303: unexpected '=', expected an expression\n" +
			"...ße = 1 AND größe = 1 AND größe = 1 AND größe = 1 AND = größe = 1 AND größe = 1 AND größ...\n" +
			"                                                        ^"},
	}
	for _, tt := range tests {
		_, err := Parse(tt.sql, Options{})
		if err == nil || err.Error() != tt.want {
			t.Errorf("%s: %q\ngot  %v\nwant %s", tt.name, tt.sql, err, tt.want)
		}
	}
}
