package conformance

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gofluss/fluss"
	"github.com/gofluss/fluss/conformance/cluster"
	"github.com/gofluss/fluss/flusstest"
)

// aclUsers are those of the clusters with an authorizer. Root may do everything.
var aclUsers = map[string]string{"root": "r00t-s3cret", "alice": "al1ce-s3cret", "bob": "b0b-s3cret"}

// securedDSN starts a cluster of the target's kind with aclUsers and an authorizer, and returns root's DSN. A real one is
// always the test's own: rights are for the whole of it.
func securedDSN(t *testing.T) string {
	t.Helper()
	if name := os.Getenv("FLUSS_TARGET"); name == "" || name == "embedded" {
		return strings.Replace(flusstest.Run(t, flusstest.Users(aclUsers), flusstest.Authorize("root")).DSN(), "alice:"+aclUsers["alice"], "root:"+aclUsers["root"], 1)
	}
	return OwnCluster(t, cluster.Options{SASL: true, Users: aclUsers, SuperUser: "root"}).DSN("fluss")
}

// openAs opens a DSN as another user.
func openAs(t *testing.T, dsn, user string) *sql.DB {
	t.Helper()
	cfg, err := fluss.ParseDSN(dsn)
	if err != nil {
		t.Fatal(err)
	}
	cfg.User, cfg.Password = user, aclUsers[user]
	return openDSN(t, cfg.FormatDSN())
}

// openDSN opens a DSN, closed when the test ends.
func openDSN(t *testing.T, dsn string) *sql.DB {
	t.Helper()
	db, err := sql.Open("fluss", dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// isDenied tells what is missing in a refusal: its class, the right, or a part of the resource's name.
func isDenied(err error, right, resource string) string {
	if !errors.Is(err, fluss.ErrAuthorization) || errors.Is(err, fluss.ErrAmbiguousWrite) {
		return "ErrAuthorization"
	}
	for _, word := range append(strings.Split(resource, "."), right) {
		if !strings.Contains(err.Error(), word) {
			return word
		}
	}
	return ""
}

// attempt runs a statement to its last row.
func attempt(t *testing.T, db *sql.DB, query string, args ...any) error {
	t.Helper()
	if returnsRows(query) {
		_, err := tryQuery(timeout(t), db, query, args...)
		return err
	}
	_, err := db.ExecContext(timeout(t), query, args...)
	return err
}

// until repeats f until it gives what is wanted: real servers learn of a right after a moment, and tell nobody when.
func until(t *testing.T, what string, f func() (ok bool, last any)) {
	t.Helper()
	deadline := time.Now().Add(statementTimeout)
	for {
		ok, last := f()
		if ok {
			return
		}
		if time.Now().After(deadline) {
			t.Errorf("%s: still %v", what, last)
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// guarded are statements and the right that each needs; the table rights.k has a key, rights.l is a log, rights.p has
// partitions. More is what else the driver has to do for the statement, so that the right alone would not suffice.
var guarded = []struct {
	sql             string
	right, resource string // of the refusal
	grant           string // the resource as add_acl takes it
	more            string // a second right on the same resource
}{
	{sql: "SELECT v FROM rights.k WHERE id = 1", right: "READ", resource: "rights.k", grant: "cluster.rights.k"},
	{sql: "SELECT v FROM rights.k WHERE id IN (1, 2)", right: "READ", resource: "rights.k", grant: "cluster.rights"},
	{sql: "SELECT * FROM rights.k LIMIT 1", right: "READ", resource: "rights.k", grant: "cluster"},
	{sql: "SELECT COUNT(*) FROM rights.k", right: "READ", resource: "rights.k", grant: "cluster.rights.k"},
	{sql: "SELECT * FROM rights.w WHERE a = 1", right: "READ", resource: "rights.w", grant: "cluster.rights.w"},
	{sql: "SELECT * FROM rights.l", right: "READ", resource: "rights.l", grant: "cluster.rights.l"},
	{sql: "SELECT * FROM rights.k$changelog", right: "READ", resource: "rights.k", grant: "cluster.rights.k"},
	{sql: "INSERT INTO rights.k VALUES (3, 'x')", right: "WRITE", resource: "rights.k", grant: "cluster.rights.k"},
	{sql: "INSERT INTO rights.l VALUES (3, 'x')", right: "WRITE", resource: "rights.l", grant: "cluster.rights.l"},
	{sql: "INSERT INTO rights.p VALUES (1, 'new')", right: "WRITE", resource: "rights.p", grant: "cluster.rights.p"},
	{sql: "ALTER TABLE rights.p ADD IF NOT EXISTS PARTITION (dt = 'x')", right: "WRITE", resource: "rights.p", grant: "cluster.rights.p"},
	{sql: "DELETE /*+ BLIND */ FROM rights.k WHERE id = 3", right: "WRITE", resource: "rights.k", grant: "cluster.rights.k"},
	{sql: "UPDATE rights.k SET v = 'y' WHERE id = 1", right: "READ", resource: "rights.k", grant: "cluster.rights.k", more: "WRITE"},
	{sql: "ALTER TABLE rights.k SET ('x' = 'y')", right: "ALTER", resource: "rights.k", grant: "cluster.rights.k"},
	{sql: "CREATE TABLE rights.made (a INT)", right: "CREATE", resource: "rights", grant: "cluster.rights"},
	{sql: "DROP TABLE rights.made", right: "DROP", resource: "rights.made", grant: "cluster.rights.made"},
	{sql: "CREATE DATABASE rights_made", right: "CREATE", resource: "CLUSTER.fluss-cluster", grant: "cluster"},
	{sql: "DROP DATABASE rights_made", right: "DROP", resource: "DATABASE.rights_made", grant: "cluster.rights_made"},
	{sql: "DESCRIBE rights.k", right: "DESCRIBE", resource: "rights.k", grant: "cluster.rights.k"},
	{sql: "SHOW CREATE TABLE rights.k", right: "DESCRIBE", resource: "rights.k", grant: "cluster.rights"},
	{sql: "CALL sys.get_cluster_configs()", right: "DESCRIBE", resource: "CLUSTER.fluss-cluster", grant: "cluster"},
	{sql: "CALL sys.reset_cluster_configs('datalake.format')", right: "ALTER", resource: "CLUSTER.fluss-cluster", grant: "cluster"},
	{sql: "CALL sys.rebalance('LEADER_DISTRIBUTION')", right: "WRITE", resource: "CLUSTER.fluss-cluster", grant: "cluster"},
	{sql: "CALL sys.list_rebalance()", right: "DESCRIBE", resource: "CLUSTER.fluss-cluster", grant: "cluster"},
	{sql: "CALL sys.cancel_rebalance()", right: "WRITE", resource: "CLUSTER.fluss-cluster", grant: "cluster"},
	{sql: "CALL sys.add_server_tag('0', 'TEMPORARY_OFFLINE')", right: "ALTER", resource: "CLUSTER.fluss-cluster", grant: "cluster"},
	{sql: "CALL sys.remove_server_tag('0', 'TEMPORARY_OFFLINE')", right: "ALTER", resource: "CLUSTER.fluss-cluster", grant: "cluster"},
	{sql: "CALL sys.add_acl('cluster.rights.k', 'ALLOW', 'User:carol', 'READ')", right: "ALTER", resource: "DATABASE.rights", grant: "cluster.rights"},
	{sql: "CALL sys.drop_acl('cluster.rights.k', 'ALLOW', 'User:carol', 'READ')", right: "ALTER", resource: "DATABASE.rights", grant: "cluster.rights"},
}

// TestAuthorizer runs the tests of rights on one cluster.
func TestAuthorizer(t *testing.T) {
	dsn := securedDSN(t)
	t.Run("redacted", func(t *testing.T) { settingsRedacted(t, dsn) })
	t.Run("list_acl", func(t *testing.T) { listedRights(t, dsn) })
	t.Run("rights", func(t *testing.T) { guardedStatements(t, dsn) })
}

// guardedStatements gives rights and takes them away, one for each statement that needs one: refused without it, done with
// it, and at the end refused again.
func guardedStatements(t *testing.T, dsn string) {
	root, alice := openAs(t, dsn, "root"), openAs(t, dsn, "alice")
	for _, query := range []string{
		"CREATE DATABASE rights",
		"CREATE TABLE rights.k (id INT NOT NULL, v STRING, PRIMARY KEY (id) NOT ENFORCED)",
		"CREATE TABLE rights.w (a INT NOT NULL, b INT NOT NULL, PRIMARY KEY (a, b) NOT ENFORCED) WITH ('bucket.key' = 'a')",
		"CREATE TABLE rights.l (id INT, v STRING)",
		"CREATE TABLE rights.p (id INT, dt STRING) PARTITIONED BY (dt)",
		"INSERT INTO rights.k VALUES (1, 'one'), (2, 'two')",
		"INSERT INTO rights.w VALUES (1, 1)",
		"INSERT INTO rights.l VALUES (1, 'one')",
		"CALL sys.add_acl('cluster.rights.k', 'ALLOW', 'User:carol', 'READ')",
	} {
		mustExec(t, root, query)
	}
	for _, name := range []string{"k", "w", "l", "p"} { // whoever may describe a table is asked for the right itself
		mustExec(t, root, "CALL sys.add_acl(?, 'ALLOW', 'User:alice', 'DESCRIBE')", "cluster.rights."+name)
	}
	until(t, "DESCRIBE", func() (bool, any) {
		_, err := tryQuery(timeout(t), alice, "SELECT v FROM rights.k WHERE id = 1")
		return isDenied(err, "READ", "rights.k") == "", err
	})
	for _, g := range guarded {
		if g.right == "DESCRIBE" && strings.HasPrefix(g.resource, "rights") {
			mustExec(t, root, "CALL sys.drop_acl(?, 'ALLOW', 'User:alice', 'DESCRIBE')", "cluster."+g.resource)
		}
		until(t, g.sql+" without a right", func() (bool, any) {
			db := alice
			if g.right == "DESCRIBE" { // from the cache of a connector that knows the table, nobody is asked
				db = openAs(t, dsn, "alice")
				defer db.Close()
			}
			err := attempt(t, db, g.sql)
			return isDenied(err, g.right, g.resource) == "", err
		})
		for _, right := range []string{g.right, g.more} {
			if right != "" {
				mustExec(t, root, "CALL sys.add_acl(resource => ?, permission => 'ALLOW', principal => 'User:alice', operation => ?)", g.grant, right)
			}
		}
		until(t, g.sql+" with the right", func() (bool, any) {
			err := attempt(t, alice, g.sql)
			return err == nil, err
		})
		for _, right := range []string{g.right, g.more} {
			if right != "" {
				mustExec(t, root, "CALL sys.drop_acl(?, 'ALLOW', 'User:alice', ?)", g.grant, right)
			}
		}
	}
	until(t, "a write with the right dropped", func() (bool, any) {
		err := attempt(t, alice, "INSERT INTO rights.l VALUES (3, 'x')")
		return isDenied(err, "WRITE", "rights.l") == "", err
	})
	t.Logf("%d statements", len(guarded))
}

// listedRights has what list_acl shows to whom.
func listedRights(t *testing.T, dsn string) {
	root, alice := openAs(t, dsn, "root"), openAs(t, dsn, "alice")
	for _, query := range []string{
		"CREATE DATABASE d",
		"CREATE TABLE d.t (a INT)",
		"CALL sys.add_acl('CLUSTER', 'ALLOW', 'User:bob', 'DESCRIBE', '10.0.0.1')",
		"CALL sys.add_acl('cluster.d', 'ALLOW', 'User:bob', 'READ')",
		"CALL sys.add_acl('cluster.d.t', 'ALLOW', 'User:alice', 'ALL')",
		"CALL sys.add_acl('cluster.d.t', 'ALLOW', 'ALL', 'WRITE')",
		"CALL sys.add_acl('cluster.d.t', 'ALLOW', 'ALL', 'WRITE')", // again
	} {
		mustExec(t, root, query)
	}
	bobCluster := `resource="cluster";permission="ALLOW";principal="User:bob";operation="DESCRIBE";host="10.0.0.1"`
	bobRead := `resource="cluster.d";permission="ALLOW";principal="User:bob";operation="READ";host="*"`
	aliceAll := `resource="cluster.d.t";permission="ALLOW";principal="User:alice";operation="ALL";host="*"`
	allWrite := `resource="cluster.d.t";permission="ALLOW";principal="*:*";operation="WRITE";host="*"`
	for _, s := range []step{
		{sql: "CALL sys.list_acl('ANY')", names: "result", want: []string{bobRead, allWrite, aliceAll, bobCluster}},
		{sql: "CALL sys.list_acl(resource => 'any', principal => 'User:bob')", want: []string{bobRead, bobCluster}},
		{sql: "CALL sys.list_acl('ANY', host => '*')", want: []string{bobRead, allWrite, aliceAll}},
		{sql: "CALL sys.list_acl('cluster')", want: []string{bobCluster}},
		{sql: "CALL sys.list_acl(?)", args: []any{"cluster.d"}, want: []string{bobRead}},
		{sql: "CALL sys.list_acl('cluster.d.t', 'allow', 'ANY', 'write', DEFAULT)", want: []string{allWrite}},
		{sql: "CALL sys.list_acl('ANY', operation => :op)", args: []any{sql.Named("op", "ALL")}, want: []string{aliceAll}},
		{sql: "CALL sys.list_acl('ANY', principal => 'User:nobody')"},
	} {
		s.want = sorted(s.want)
		s.run(t, root)
	}
	(&step{sql: "CALL sys.list_acl('ANY')", want: sorted([]string{allWrite, aliceAll})}).run(t, alice) // what alice may describe
	play(t, root, []step{
		{sql: "CALL sys.drop_acl('ANY', 'ANY', 'User:bob', 'ANY')", names: "result", want: []string{"success"}}, // host '*' alone, as in Flink
		{sql: "CALL sys.list_acl('ANY', principal => 'User:bob')", want: []string{bobCluster}},
		{sql: "CALL sys.drop_acl('ANY', 'ANY', 'User:bob', 'ANY', 'ANY')", want: []string{"success"}},
		{sql: "CALL sys.list_acl('ANY', principal => 'User:bob')"},
		{sql: "CALL sys.drop_acl('cluster', 'ALLOW', 'User:bob', 'READ')", want: []string{"success"}}, // nothing to drop
	})
	if got := texts(queryAll(t, root, "SHOW DATABASES")); !slices.Contains(got, "d") {
		t.Errorf("root sees %v", got)
	}
	if got := texts(queryAll(t, alice, "SHOW DATABASES")); len(got) != 0 {
		t.Errorf("alice, who has rights on a table alone, sees the databases %v", got)
	}
	until(t, "alice's tables", func() (bool, any) {
		got := fmt.Sprint(texts(queryAll(t, alice, "SHOW TABLES FROM d")))
		return got == "[t]", got
	})
}

// settingsRedacted: the passwords of users are among the settings of a cluster, and are not shown.
func settingsRedacted(t *testing.T, dsn string) {
	root := openAs(t, dsn, "root")
	for _, query := range []string{"CALL sys.get_cluster_configs()", "CALL sys.get_cluster_configs('security.sasl.plain.jaas.config')"} {
		got := texts(queryAll(t, root, query))
		if !slices.Contains(got, "security.sasl.plain.jaas.config ****** INITIAL_SERVER_CONFIG") {
			t.Errorf("%s: %q", query, got)
		}
		for user, password := range aclUsers {
			if strings.Contains(strings.Join(got, "\n"), password) {
				t.Errorf("%s shows the password of %s", query, user)
			}
		}
	}
}
