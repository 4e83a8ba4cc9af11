--# form engine-flink/procedures: Access Control Procedures
-- a cluster without an authorizer refuses these; on one that has it they run
CALL sys.add_acl(
  resource => 'cluster.shop.bills',
  permission => 'ALLOW',
  principal => 'User:Ida',
  operation => 'READ',
  host => '*'
);
--> refused Error 47: No Authorizer is configured
CALL sys.drop_acl(
  'cluster.shop.bills',
  'ALLOW',
  'User:Ida',
  'ANY',
  'ANY'
);
--> refused Error 47: No Authorizer is configured
CALL sys.list_acl(resource => 'ANY');
--> refused Error 47: No Authorizer is configured

--# form engine-flink/procedures: Cluster Configuration Procedures
CALL sys.set_cluster_configs(
  config_pairs => 'kv.rocksdb.shared-rate-limiter.bytes-per-sec', '150MB'
);
--> result STRING NOT NULL
--> "Successfully set to '150MB' configuration 'kv.rocksdb.shared-rate-limiter.bytes-per-sec'. "
CALL sys.get_cluster_configs(
  config_keys => 'kv.rocksdb.shared-rate-limiter.bytes-per-sec'
);
--> config_key STRING NOT NULL | config_value STRING | config_source STRING NOT NULL
--> kv.rocksdb.shared-rate-limiter.bytes-per-sec | 150MB | DYNAMIC_SERVER_CONFIG
CALL sys.reset_cluster_configs(
  config_keys => 'kv.rocksdb.shared-rate-limiter.bytes-per-sec'
);
--> result STRING NOT NULL
--> "Successfully deleted (reset to default) configuration 'kv.rocksdb.shared-rate-limiter.bytes-per-sec'. "

--# form engine-flink/procedures: Rebalance Procedures
CALL sys.add_server_tag('98,99', 'PERMANENT_OFFLINE');
--> refused Error: not exists
CALL sys.remove_server_tag('98', 'TEMPORARY_OFFLINE');
--> result STRING NOT NULL
--> success
CALL sys.cancel_rebalance();
--> result STRING NOT NULL
--> success

--# form engine-flink/procedures: kv snapshot lease
CALL sys.drop_kv_snapshot_lease('lease-of-nobody');
--> result STRING NOT NULL
--> success
