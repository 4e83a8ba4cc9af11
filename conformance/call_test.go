package conformance

import (
	"database/sql"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gofluss/fluss"
	"github.com/gofluss/fluss/dialect"
)

// rateLimiter is a setting that a running cluster can be given.
const rateLimiter = "kv.rocksdb.shared-rate-limiter.bytes-per-sec"

// TestCallConfigs sets, reads and resets settings of the cluster.
func TestCallConfigs(t *testing.T) {
	db := own(t)
	columns := "config_key config_value config_source"
	t.Cleanup(func() { db.Exec("CALL sys.reset_cluster_configs(?)", rateLimiter) })
	play(t, db, []step{
		{sql: "CALL sys.reset_cluster_configs(?)", args: []any{rateLimiter}, names: "result",
			want: []string{"Successfully deleted (reset to default) configuration '" + rateLimiter + "'. "}},
		{sql: "CALL sys.get_cluster_configs('" + rateLimiter + "')", names: columns},
		{sql: "CALL sys.set_cluster_configs('" + rateLimiter + "', '200MB')", names: "result",
			want: []string{"Successfully set to '200MB' configuration '" + rateLimiter + "'. "}},
		{sql: "CALL sys.get_cluster_configs(config_keys => ?)", args: []any{rateLimiter}, names: columns, want: []string{rateLimiter + " 200MB DYNAMIC_SERVER_CONFIG"}},
		{sql: "CALL sys.get_cluster_configs(config_keys => '" + rateLimiter + "', 'nope', 'default.bucket.number')", names: columns,
			want: []string{rateLimiter + " 200MB DYNAMIC_SERVER_CONFIG", "default.bucket.number 1 INITIAL_SERVER_CONFIG"}},
		{sql: "CALL sys.set_cluster_configs(config_pairs => :key, :value)", args: []any{sql.Named("key", " "+rateLimiter+" "), sql.Named("value", "300 mb")},
			want: []string{"Successfully set to '300 mb' configuration '" + rateLimiter + "'. "}},
		{sql: "call `sys`.`GET_CLUSTER_CONFIGS`(?)", args: []any{rateLimiter}, want: []string{rateLimiter + " 300 mb DYNAMIC_SERVER_CONFIG"}},

		// what the server refuses, it refuses as a whole
		{sql: "CALL sys.set_cluster_configs(?, '1gb', 'default.bucket.number', '3')", args: []any{rateLimiter}, fails: true,
			words: []string{"default.bucket.number", "not allowed to be changed dynamically"}},
		{sql: "CALL sys.set_cluster_configs(?, 'much')", args: []any{rateLimiter}, fails: true, words: []string{"Cannot parse 'much' as MemorySize", rateLimiter}},
		{sql: "CALL sys.set_cluster_configs('datalake.format', 'parquet')", fails: true, words: []string{"Cannot parse 'parquet' as DataLakeFormat for config 'datalake.format'"}},
		{sql: "CALL sys.set_cluster_configs('datalake.paimon.s3.secret-key', 'hidden-w0rd')", fails: true,
			words: []string{"Invalid configuration 'datalake.paimon.s3.secret-key' for 'null' datalake format"}},
		{sql: "CALL sys.reset_cluster_configs('default.bucket.number')", fails: true, words: []string{"not allowed to be changed dynamically"}},
		{sql: "CALL sys.get_cluster_configs(?)", args: []any{rateLimiter}, want: []string{rateLimiter + " 300 mb DYNAMIC_SERVER_CONFIG"}},
		{sql: "CALL sys.reset_cluster_configs('datalake.format', ?)", args: []any{rateLimiter},
			want: []string{"Successfully deleted (reset to default) configuration 'datalake.format'. ", "Successfully deleted (reset to default) configuration '" + rateLimiter + "'. "}},
		{sql: "CALL sys.get_cluster_configs(?)", args: []any{rateLimiter}},

		// what makes no sense, nobody is asked
		{sql: "CALL sys.set_cluster_configs('a', 'b', 'c')", is: fluss.ErrValue, words: []string{"sys.set_cluster_configs", "config_pairs", "the last key has no value"}},
		{sql: "CALL sys.set_cluster_configs(' ', 'b')", is: fluss.ErrValue, words: []string{"config_pairs", "must not be empty"}},
		{sql: "CALL sys.set_cluster_configs('a', ?)", args: []any{nil}, is: fluss.ErrValue, words: []string{"config_pairs", "value 2 must not be NULL"}},
		{sql: "CALL sys.reset_cluster_configs()", is: fluss.ErrSyntax, words: []string{"needs the argument config_keys", "reset_cluster_configs(config_keys, ...)"}},
	})
	all := queryAll(t, db, "CALL sys.get_cluster_configs()")
	if !slices.IsSortedFunc(all, func(a, b []any) int { return strings.Compare(a[0].(string), b[0].(string)) }) || len(all) < 2 {
		t.Errorf("all settings: %v", texts(all))
	}
}

// TestCallColumns has the types of what procedures give, which Exec drops.
func TestCallColumns(t *testing.T) {
	db := own(t)
	for _, tt := range []struct{ sql, want string }{
		{"CALL sys.get_cluster_configs()", "config_key STRING NOT NULL, config_value STRING, config_source STRING NOT NULL"},
		{"CALL sys.list_rebalance()", "rebalance_id STRING NOT NULL, rebalance_status STRING NOT NULL, rebalance_progress STRING NOT NULL, rebalance_plan STRING NOT NULL"},
		{"CALL sys.drop_kv_snapshot_lease('no-such-lease')", "result STRING NOT NULL"},
		{"SHOW PROCEDURES", "procedure name STRING NOT NULL"},
	} {
		rows, err := db.QueryContext(timeout(t), tt.sql)
		if err != nil {
			t.Errorf("%s: %v", tt.sql, err)
			continue
		}
		types, err := rows.ColumnTypes()
		rows.Close()
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, c := range types {
			text := c.Name() + " " + c.DatabaseTypeName()
			if null, ok := c.Nullable(); ok && !null {
				text += " NOT NULL"
			}
			got = append(got, text)
		}
		if text := strings.Join(got, ", "); text != tt.want {
			t.Errorf("%s\ngot  %s\nwant %s", tt.sql, text, tt.want)
		}
		if n, err := mustExec(t, db, tt.sql).RowsAffected(); n != 0 || err != nil {
			t.Errorf("%s: %d rows affected, %v", tt.sql, n, err)
		}
	}
}

// TestCallServers tags a server and moves buckets.
func TestCallServers(t *testing.T) {
	db := own(t)
	t.Cleanup(func() { db.Exec("CALL sys.remove_server_tag('0', 'TEMPORARY_OFFLINE')") })
	success := []string{"success"}
	play(t, db, []step{
		{sql: "CALL sys.add_server_tag('0', 'TEMPORARY_OFFLINE')", names: "result", want: success},
		{sql: "CALL sys.add_server_tag(tabletServers => ' 0', serverTag => 'temporary_offline')", want: success}, // again
		{sql: "CALL sys.add_server_tag('0', 'PERMANENT_OFFLINE')", fails: true, words: []string{"Server tag TEMPORARY_OFFLINE already exists for server 0"}},
		{sql: "CALL sys.remove_server_tag(?, ?)", args: []any{"0", "PERMANENT_OFFLINE"}, fails: true, words: []string{"Server tag PERMANENT_OFFLINE not exists for server 0"}},
		{sql: "CALL sys.remove_server_tag(?, ?)", args: []any{"0", "TEMPORARY_OFFLINE"}, want: success},
		{sql: "CALL sys.add_server_tag('77', 'TEMPORARY_OFFLINE')", fails: true, words: []string{"Server 77 not exists"}},
		{sql: "CALL sys.add_server_tag('0;1', 'TEMPORARY_OFFLINE')", is: fluss.ErrValue, words: []string{"tabletServers", `"0;1"`, "'0,1,2'"}},
		{sql: "CALL sys.add_server_tag('0', 'TEMP_OFFLINE')", is: fluss.ErrValue, words: []string{"serverTag", "PERMANENT_OFFLINE, TEMPORARY_OFFLINE", "did you mean TEMPORARY_OFFLINE?"}},
		{sql: "CALL sys.add_server_tag(NULL, 'TEMPORARY_OFFLINE')", is: fluss.ErrValue, words: []string{"tabletServers", "NULL"}},
		{sql: "CALL sys.cancel_rebalance()", want: success},
		{sql: "CALL sys.rebalance('SPEED')", is: fluss.ErrValue, words: []string{"priorityGoals", "REPLICA_DISTRIBUTION, LEADER_DISTRIBUTION, RACK_AWARE"}},
		{sql: "CALL sys.drop_kv_snapshot_lease(leaseId => 'no-such-lease')", names: "result", want: success},
		{sql: "CALL sys.drop_kv_snapshot_lease('')", is: fluss.ErrValue, words: []string{"leaseId"}},
	})
	id := texts(queryAll(t, db, "CALL sys.rebalance(priorityGoals => 'replica_distribution, LEADER_DISTRIBUTION')"))[0]
	if !regexp.MustCompile(`^[0-9a-f-]{36}$`).MatchString(id) {
		t.Errorf("rebalance id %q", id)
	}
	plan := fmt.Sprintf(`{"rebalance_id":"%s","rebalance_status":3,"progress":"NONE","progress_for_buckets":[]}`, id)
	play(t, db, []step{
		{sql: "CALL sys.list_rebalance()", names: "rebalance_id rebalance_status rebalance_progress rebalance_plan", want: []string{id + " COMPLETED NONE " + plan}},
		{sql: "CALL sys.list_rebalance(?)", args: []any{id}, want: []string{id + " COMPLETED NONE " + plan}},
		{sql: "CALL sys.list_rebalance('another')", fails: true, words: []string{"Rebalance task id another to list is not the current rebalance task id " + id}},
		{sql: "CALL sys.cancel_rebalance('another')", fails: true, words: []string{"Rebalance task id another to cancel is not"}},
		{sql: "CALL sys.cancel_rebalance(rebalanceId => ?)", args: []any{id}, want: success},
	})
}

// TestCallRefused has what is wrong with a CALL as such, and calls without an authorizer.
func TestCallRefused(t *testing.T) {
	db := own(t)
	play(t, db, []step{
		{sql: "CALL sys.lst_acl('ANY')", is: fluss.ErrUnsupported, words: []string{"sys.lst_acl", "no such procedure", "did you mean sys.list_acl?"}},
		{sql: "CALL sys.list_acl(\n  resuorce => 'ANY')", is: fluss.ErrSyntax, words: []string{"line 2 column 3", "did you mean resource?"}},
		{sql: "CALL sys.list_acl('ANY', 'ANY', 'ANY', 'ANY', 'ANY', 'ANY')", is: fluss.ErrSyntax, words: []string{"at most 5 arguments"}},
		{sql: "CALL sys.list_acl(?)", args: []any{3.5}, is: fluss.ErrValue, words: []string{"sys.list_acl", "resource"}},
		{sql: "CALL sys.list_acl('ANY')", fails: true, words: []string{"No Authorizer is configured", "code 47"}},
		{sql: "CALL sys.add_acl('cluster', 'ALLOW', 'User:a', 'READ')", fails: true, words: []string{"No Authorizer is configured"}},
		{sql: "CALL sys.drop_acl('cluster', 'ALLOW', 'User:a', 'READ')", fails: true, words: []string{"No Authorizer is configured"}},
		{sql: "CALL sys.add_acl('cluster', 'DENY', 'User:a', 'READ')", is: fluss.ErrValue, words: []string{"permission", `"DENY"`, "ANY, ALLOW"}},
		{sql: "CALL sys.add_acl('cluster', 'ALLOW', 'User:a', 'RAED')", is: fluss.ErrValue, words: []string{"operation", `"RAED"`, "did you mean READ?"}},
		{sql: "CALL sys.add_acl('cluster', 'ALLOW', 'alice', 'READ')", is: fluss.ErrValue, words: []string{"principal", `"alice"`, "User:alice"}},
		{sql: "CALL sys.add_acl('my_db.my_table', 'ALLOW', 'User:a', 'READ')", is: fluss.ErrValue, words: []string{"resource", "write cluster.my_db.my_table"}},
		{sql: "CALL sys.add_acl('cluster.a.b.c', 'ALLOW', 'User:a', 'READ')", is: fluss.ErrValue, words: []string{"resource", "cluster.database.table"}},
		{sql: "CALL sys.add_acl('ANY', 'ALLOW', 'User:a', 'READ')", is: fluss.ErrValue, words: []string{"resource", "for filters"}},
		{sql: "CALL sys.add_acl('cluster', 'ALLOW', NULL, 'READ')", is: fluss.ErrValue, words: []string{"principal", "for filters"}},
		{sql: "CALL sys.add_acl('cluster', 'ALLOW', 'User:a', 'READ', 'any')", is: fluss.ErrValue, words: []string{"host", "for filters"}},
		{sql: "SHOW PROCEDURES LIKE '%acl'", names: "procedure name", want: []string{"sys.add_acl", "sys.drop_acl", "sys.list_acl"}},
		{sql: "SHOW PROCEDURES FROM sys LIKE 'sys.list%'", want: []string{"sys.list_acl", "sys.list_rebalance"}},
		{sql: "SHOW PROCEDURES FROM mine", is: fluss.ErrUnsupported, words: []string{"all procedures are in sys"}},
	})
	if got := queryAll(t, db, "SHOW PROCEDURES"); len(got) != len(dialect.Procedures) {
		t.Errorf("SHOW PROCEDURES: %v", texts(got))
	}
	tx, err := db.BeginTx(timeout(t), &sql.TxOptions{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback()
	if _, err := tx.Exec("CALL sys.reset_cluster_configs(?)", rateLimiter); err == nil || !strings.Contains(err.Error(), "read-only") {
		t.Errorf("a change in a read-only transaction: %v", err)
	}
	if _, err := tx.Exec("CALL sys.get_cluster_configs()"); err != nil {
		t.Errorf("a question in a read-only transaction: %v", err)
	}
}
