-- The procedures of Flink's connector. Those that change rights need an authorizer, see TestCall and TestACL.

--# form CALL
SHOW PROCEDURES LIKE '%acl';
--> procedure name STRING NOT NULL
--> sys.add_acl
--> sys.drop_acl
--> sys.list_acl
CALL sys.reset_cluster_configs('kv.rocksdb.shared-rate-limiter.bytes-per-sec');
--> result STRING NOT NULL
--> "Successfully deleted (reset to default) configuration 'kv.rocksdb.shared-rate-limiter.bytes-per-sec'. "
CALL sys.set_cluster_configs(config_pairs => 'kv.rocksdb.shared-rate-limiter.bytes-per-sec', ?);
--> with '100MB'
--> result STRING NOT NULL
--> "Successfully set to '100MB' configuration 'kv.rocksdb.shared-rate-limiter.bytes-per-sec'. "
CALL sys.get_cluster_configs('kv.rocksdb.shared-rate-limiter.bytes-per-sec', 'no.such.key');
--> config_key STRING NOT NULL | config_value STRING | config_source STRING NOT NULL
--> kv.rocksdb.shared-rate-limiter.bytes-per-sec | 100MB | DYNAMIC_SERVER_CONFIG
CALL sys.reset_cluster_configs('kv.rocksdb.shared-rate-limiter.bytes-per-sec');
--> result STRING NOT NULL
--> "Successfully deleted (reset to default) configuration 'kv.rocksdb.shared-rate-limiter.bytes-per-sec'. "
CALL sys.drop_kv_snapshot_lease('no-such-lease');
--> result STRING NOT NULL
--> success
CALL sys.list_acl(resource => 'ANY');
--> refused Error 47: No Authorizer is configured
CALL sys.add_acl('cluster.main.t', 'ALLOW', 'User:ann', 'READ');
--> refused Error 47: No Authorizer is configured
CALL sys.add_acl('cluster', 'ALLOW', 'ann', 'READ');
--> refused Value: principal ... "ann" is no principal
CALL sys.set_cluster_configs('a');
--> refused Value: config_pairs ... the last key has no value
CALL sys.list_acl(resuorce => 'ANY');
--> refused Syntax: did you mean resource?
CALL sys.compact('t');
--> refused Unsupported: sys.compact ... no such procedure
CALL mine.list_acl('ANY');
--> refused Unsupported: mine
