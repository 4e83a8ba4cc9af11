-- What is there.

CREATE TABLE k (id INT, name STRING COMMENT 'who', balance DECIMAL(15, 2), PRIMARY KEY (id)) COMMENT 'people' WITH ('bucket.num' = '1');
CREATE TABLE l (id BIGINT NOT NULL, dt STRING) PARTITIONED BY (dt) WITH ('bucket.num' = '1');
INSERT INTO k VALUES (1, 'Ann', 1);
--> 1 rows
INSERT INTO l VALUES (1, '2026'), (2, '2027');
--> 2 rows

--# form SHOW
SHOW DATABASES LIKE 'flu%';
--> Database STRING NOT NULL
--> fluss
SHOW SCHEMAS LIKE 'no_such_one';
--> Database STRING NOT NULL
SHOW TABLES;
--> Tables_in_main STRING NOT NULL
--> k
--> l
SHOW TABLES LIKE 'k%';
--> Tables_in_main STRING NOT NULL
--> k
SHOW FULL TABLES;
--> Tables_in_main STRING NOT NULL | Table_type STRING NOT NULL
--> k | BASE TABLE
--> l | BASE TABLE
SHOW TABLES FROM nowhere_at_all;
--> refused DatabaseNotExist: nowhere_at_all
SHOW COLUMNS FROM k;
--> Field STRING NOT NULL | Type STRING NOT NULL | Null STRING NOT NULL | Key STRING NOT NULL | Default STRING | Extra STRING NOT NULL | Comment STRING NOT NULL
--> id | INT | NO | PRI | NULL | bucket key | ""
--> name | STRING | YES | "" | NULL | "" | who
--> balance | DECIMAL(15,2) | YES | "" | NULL | "" | ""
SHOW FULL COLUMNS FROM k LIKE 'name';
--> Field STRING NOT NULL | Type STRING NOT NULL | Collation STRING | Null STRING NOT NULL | Key STRING NOT NULL | Default STRING | Extra STRING NOT NULL | Privileges STRING NOT NULL | Comment STRING NOT NULL
--> name | STRING | NULL | YES | "" | NULL | "" | "" | who
SHOW CREATE TABLE k;
--> Table STRING NOT NULL | Create Table STRING NOT NULL
--> k | "CREATE TABLE `k` (\n  `id` INT NOT NULL,\n  `name` STRING COMMENT 'who',\n  `balance` DECIMAL(15, 2),\n  PRIMARY KEY (`id`) NOT ENFORCED\n) COMMENT 'people'\nDISTRIBUTED BY (`id`) INTO 1 BUCKETS\nWITH ('table.replication.factor' = '1')"
SHOW CREATE TABLE nope;
--> refused TableNotExist: main.nope
SHOW PARTITIONS l;
--> partition name STRING NOT NULL
--> dt=2026
--> dt=2027
SHOW PARTITIONS k;
--> refused Unsupported: not partitioned
SHOW BUCKETS FROM k;
--> partition STRING | bucket INT NOT NULL | leader INT | replicas STRING NOT NULL | earliest BIGINT | latest BIGINT | rows BIGINT
--> NULL | 0 | 0 | 0 | 0 | 1 | 1
SHOW BUCKETS FROM l PARTITION (dt = '2026');
--> partition STRING | bucket INT NOT NULL | leader INT | replicas STRING NOT NULL | earliest BIGINT | latest BIGINT | rows BIGINT
--> 2026 | 0 | 0 | 0 | 0 | 1 | 1
SHOW CLUSTER;
--> role STRING NOT NULL | id INT NOT NULL | host STRING NOT NULL | port INT NOT NULL | version STRING
--> coordinator | ~ | ~ | ~ | ~
--> tablet | ~ | ~ | ~ | ~
SHOW VARIABLES LIKE 'version';
--> Variable_name STRING NOT NULL | Value STRING NOT NULL
--> version | 5.7.99-Fluss-0.9.1
SHOW INDEX FROM k;
--> refused Unsupported: SHOW INDEX ... SHOW knows DATABASES
SHOW TABLES WHERE name = 'k';
--> refused Unsupported: WHERE in SHOW

--# form DESCRIBE
DESCRIBE k;
--> Field STRING NOT NULL | Type STRING NOT NULL | Null STRING NOT NULL | Key STRING NOT NULL | Default STRING | Extra STRING NOT NULL | Comment STRING NOT NULL
--> id | INT | NO | PRI | NULL | bucket key | ""
--> name | STRING | YES | "" | NULL | "" | who
--> balance | DECIMAL(15,2) | YES | "" | NULL | "" | ""
DESC l;
--> Field STRING NOT NULL | Type STRING NOT NULL | Null STRING NOT NULL | Key STRING NOT NULL | Default STRING | Extra STRING NOT NULL | Comment STRING NOT NULL
--> id | BIGINT | NO | "" | NULL | "" | ""
--> dt | STRING | YES | "" | NULL | partition key | ""
DESCRIBE nope;
--> refused TableNotExist: main.nope

--# form EXPLAIN
EXPLAIN SELECT name FROM k WHERE id = 1;
--> plan STRING NOT NULL
--> point lookup on main.k by primary key (id), bucket key (id), 1 buckets
EXPLAIN SELECT id FROM l WHERE dt = '2026' AND id > 1 LIMIT 5;
--> plan STRING NOT NULL
--> scan of the log of main.l, 1 buckets, from earliest, to the end seen at the start
--> "  partitions restricted by WHERE"
--> "  projection pushed down: id"
--> "  filter in the driver on: id"
--> "  limit 5"
EXPLAIN SELECT COUNT(*) FROM k;
--> plan STRING NOT NULL
--> row count of main.k from the servers' statistics, 1 buckets
EXPLAIN PLAN FOR SELECT * FROM k$changelog WHERE _log_offset > 3;
--> plan STRING NOT NULL
--> scan of the change log of main.k, 1 buckets, from earliest, bounded by _log_offset, to the end seen at the start
EXPLAIN INSERT INTO k (id, name) VALUES (1, 'x');
--> plan STRING NOT NULL
--> upsert into main.k, 1 rows, 1 buckets
--> "  partial update of id, name"
EXPLAIN UPDATE k SET name = 'x' WHERE id = 1;
--> plan STRING NOT NULL
--> update main.k by primary key
--> "  lookup, then partial update of name"
EXPLAIN DELETE FROM k WHERE id = 1;
--> plan STRING NOT NULL
--> delete from main.k by primary key
--> "  lookup, then delete of what is there"
EXPLAIN SELECT SUM(id) FROM k;
--> refused Unsupported: SUM

--# form information_schema
SELECT schema_name FROM information_schema.schemata WHERE schema_name = DATABASE();
--> schema_name STRING NOT NULL
--> main
SELECT table_name, table_type, table_comment FROM information_schema.tables WHERE table_schema = DATABASE() ORDER BY table_name DESC;
--> table_name STRING NOT NULL | table_type STRING NOT NULL | table_comment STRING
--> l | BASE TABLE | ""
--> k | BASE TABLE | people
SELECT column_name, is_nullable = 'YES' AS nullable, data_type, column_type, fluss_type, column_key FROM information_schema.columns WHERE table_schema = DATABASE() AND table_name = 'k' ORDER BY ordinal_position;
--> column_name STRING NOT NULL | nullable BIGINT | data_type STRING NOT NULL | column_type STRING NOT NULL | fluss_type STRING NOT NULL | column_key STRING NOT NULL
--> id | 0 | int | int | INT NOT NULL | PRI
--> name | 1 | longtext | longtext | STRING | ""
--> balance | 1 | decimal | decimal(15,2) | DECIMAL(15,2) | ""
SELECT column_name, ordinal_position FROM information_schema.key_column_usage WHERE table_schema = DATABASE();
--> column_name STRING NOT NULL | ordinal_position BIGINT NOT NULL
--> id | 1
SELECT constraint_name, constraint_type FROM information_schema.table_constraints WHERE table_schema = DATABASE();
--> constraint_name STRING NOT NULL | constraint_type STRING NOT NULL
--> PRIMARY | PRIMARY KEY
SELECT index_name, column_name FROM information_schema.statistics WHERE table_schema = DATABASE();
--> index_name STRING NOT NULL | column_name STRING NOT NULL
--> PRIMARY | id
SELECT table_name, partition_name FROM information_schema.partitions WHERE table_schema = DATABASE() AND partition_name IS NOT NULL ORDER BY partition_name;
--> table_name STRING NOT NULL | partition_name STRING
--> l | 2026
--> l | 2027
SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = ? AND table_name LIKE ?;
--> with 'nowhere_at_all', '%'
--> COUNT(*) BIGINT NOT NULL
--> 0
SELECT * FROM information_schema.triggers;
--> refused TableNotExist: triggers
SELECT nope FROM information_schema.tables;
--> refused ColumnNotExist: nope
SELECT MAX(table_name) FROM information_schema.tables;
--> refused Unsupported: MAX
