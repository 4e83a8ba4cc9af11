-- Databases and tables.

--# database other
--# form CREATE DATABASE, DROP DATABASE and USE
CREATE DATABASE other COMMENT 'second' WITH ('owner' = 'me');
CREATE DATABASE IF NOT EXISTS other;
CREATE DATABASE other;
--> refused DatabaseExists 6: other
CREATE TABLE other.t (id INT) WITH ('bucket.num' = '1');
USE other;
USE nowhere_at_all;
--> refused DatabaseNotExist: nowhere_at_all
DROP DATABASE other;
--> refused Error: other
DROP DATABASE other RESTRICT;
--> refused Error: other
DROP DATABASE other CASCADE;
DROP DATABASE IF EXISTS other;
DROP DATABASE other;
--> refused DatabaseNotExist: other

--# form CREATE TABLE
CREATE TABLE t (id INT) WITH ('bucket.num' = '1');
CREATE TABLE IF NOT EXISTS t (other STRING);
CREATE TABLE t (id INT);
--> refused TableExists: main.t
CREATE TABLE full (
  id BIGINT NOT NULL COMMENT 'the key',
  dt STRING,
  amount DECIMAL(18, 2) COMMENT 'in EUR',
  PRIMARY KEY (id, dt) NOT ENFORCED
) COMMENT 'payments' PARTITIONED BY (dt) DISTRIBUTED BY (id) INTO 2 BUCKETS
WITH ('table.log.format' = 'arrow', 'table.kv.format' = 'compacted', 'owner' = 'x');
SHOW CREATE TABLE full;
--> Table STRING NOT NULL | Create Table STRING NOT NULL
--> full | "CREATE TABLE `full` (\n  `id` BIGINT NOT NULL COMMENT 'the key',\n  `dt` STRING NOT NULL,\n  `amount` DECIMAL(18, 2) COMMENT 'in EUR',\n  PRIMARY KEY (`id`, `dt`) NOT ENFORCED\n) COMMENT 'payments'\nPARTITIONED BY (`dt`)\nDISTRIBUTED BY (`id`) INTO 2 BUCKETS\nWITH ('owner' = 'x', 'table.kv.format' = 'compacted', 'table.log.format' = 'arrow', 'table.replication.factor' = '1')"
CREATE TABLE kinds (a BOOLEAN, b TINYINT, c SMALLINT, d INT, e BIGINT, f FLOAT, g DOUBLE, h CHAR(3), i STRING, j BINARY(4), k BYTES, l DECIMAL(38, 18), m DATE, n TIME(3), o TIMESTAMP(9), p TIMESTAMP_LTZ(3), q ARRAY<INT NOT NULL>, r MAP<STRING, INT>, s ROW<x INT, y STRING>) WITH ('bucket.num' = '1');
SELECT * FROM kinds;
--> a BOOLEAN | b TINYINT | c SMALLINT | d INT | e BIGINT | f FLOAT | g DOUBLE | h CHAR(3) | i STRING | j BINARY(4) | k BYTES | l DECIMAL(38,18) | m DATE | n TIME | o TIMESTAMP | p TIMESTAMP_LTZ | q ARRAY | r MAP | s ROW
CREATE TABLE aliases (a INTEGER, b VARCHAR(255), c TEXT, d LONGTEXT, e BOOL, f DATETIME(3), g BLOB, h VARBINARY(16), i BIGINT(20), j NUMERIC(10, 2), k TIMESTAMP(3) WITH LOCAL TIME ZONE, l VARCHAR) WITH ('bucket.num' = '1');
SELECT * FROM aliases;
--> a INT | b STRING | c STRING | d STRING | e BOOLEAN | f TIMESTAMP | g BYTES | h BYTES | i BIGINT | j DECIMAL(10,2) | k TIMESTAMP_LTZ | l STRING
CREATE TABLE bad (id INT UNSIGNED);
--> refused Unsupported: UNSIGNED ... signed
CREATE TABLE bad (id JSON);
--> refused Unsupported: the type JSON
CREATE TABLE bad (id INT DEFAULT 5);
--> refused Unsupported: DEFAULT ... no default values
CREATE TABLE bad (id INT AUTO_INCREMENT);
--> refused Unsupported: AUTO_INCREMENT ... auto-increment.fields
CREATE TABLE bad (id INT, UNIQUE (id));
--> refused Unsupported: UNIQUE ... primary key and no other index
CREATE TABLE bad (id INT, FOREIGN KEY (id) REFERENCES t (id));
--> refused Unsupported: FOREIGN KEY
CREATE TABLE bad (id INT) WITH ('table.no.such' = '1');
--> refused Error: table.no.such
CREATE TABLE bad (id INT) WITH ('bucket.num' = '0');
--> refused Error: bucket.num must be a positive number
CREATE TABLE bad (id INT) PARTITIONED BY (nope);
--> refused Error: nope
CREATE TABLE bad (id INT, id STRING);
--> refused Error: column id is defined twice
CREATE TABLE nodb_at_all.bad (id INT);
--> refused DatabaseNotExist: nodb_at_all

--# form CREATE TABLE LIKE
CREATE TABLE template (id INT, v STRING COMMENT 'a value', dt STRING, PRIMARY KEY (id, dt)) COMMENT 'the first' PARTITIONED BY (dt) WITH ('bucket.num' = '3', 'bucket.key' = 'id', 'owner' = 'me', 'table.log.ttl' = '2d');
CREATE TABLE copy LIKE template;
SHOW CREATE TABLE copy;
--> Table STRING NOT NULL | Create Table STRING NOT NULL
--> copy | "CREATE TABLE `copy` (\n  `id` INT NOT NULL,\n  `v` STRING COMMENT 'a value',\n  `dt` STRING NOT NULL,\n  PRIMARY KEY (`id`, `dt`) NOT ENFORCED\n) COMMENT 'the first'\nPARTITIONED BY (`dt`)\nDISTRIBUTED BY (`id`) INTO 3 BUCKETS\nWITH ('owner' = 'me', 'table.log.ttl' = '2d', 'table.replication.factor' = '1')"
CREATE TABLE IF NOT EXISTS copy LIKE template;
CREATE TABLE copy LIKE template;
--> refused TableExists: main.copy
CREATE TABLE other COMMENT 'the second' WITH ('bucket.num' = '2', 'owner' = 'you') LIKE template;
SHOW CREATE TABLE other;
--> Table STRING NOT NULL | Create Table STRING NOT NULL
--> other | "CREATE TABLE `other` (\n  `id` INT NOT NULL,\n  `v` STRING COMMENT 'a value',\n  `dt` STRING NOT NULL,\n  PRIMARY KEY (`id`, `dt`) NOT ENFORCED\n) COMMENT 'the second'\nPARTITIONED BY (`dt`)\nDISTRIBUTED BY (`id`) INTO 2 BUCKETS\nWITH ('owner' = 'you', 'table.log.ttl' = '2d', 'table.replication.factor' = '1')"
CREATE TABLE bare LIKE template (EXCLUDING OPTIONS);
SHOW CREATE TABLE bare;
--> Table STRING NOT NULL | Create Table STRING NOT NULL
--> bare | "CREATE TABLE `bare` (\n  `id` INT NOT NULL,\n  `v` STRING COMMENT 'a value',\n  `dt` STRING NOT NULL,\n  PRIMARY KEY (`id`, `dt`) NOT ENFORCED\n) COMMENT 'the first'\nPARTITIONED BY (`dt`)\nDISTRIBUTED BY (`id`) INTO ~ BUCKETS\nWITH ('table.replication.factor' = '1')"
CREATE TABLE wide (x INT) LIKE template;
--> refused Unsupported: CREATE TABLE with columns of its own and LIKE
CREATE TABLE copy2 LIKE nope;
--> refused TableNotExist: main.nope
CREATE TABLE copy2 LIKE template$changelog;
--> refused Unsupported: template$changelog

--# form DROP TABLE
DROP TABLE t;
DROP TABLE t;
--> refused TableNotExist: main.t
DROP TABLE IF EXISTS t;
DROP TABLE IF EXISTS t, kinds;
--> refused Unsupported: DROP TABLE of several tables

--# form ALTER TABLE
CREATE TABLE grow (id INT, v STRING, PRIMARY KEY (id)) WITH ('bucket.num' = '1', 'owner' = 'me');
INSERT INTO grow VALUES (1, 'a');
--> 1 rows
ALTER TABLE grow ADD c1 INT COMMENT 'more';
ALTER TABLE grow ADD COLUMN c2 VARCHAR(20);
ALTER TABLE grow ADD (c3 DATE, c4 ARRAY<INT>);
SELECT * FROM grow WHERE id = 1;
--> id INT NOT NULL | v STRING | c1 INT | c2 STRING | c3 DATE | c4 ARRAY
--> 1 | a | NULL | NULL | NULL | NULL
ALTER TABLE grow ADD c1 INT;
--> refused ColumnExists: c1
ALTER TABLE grow ADD c9 INT NOT NULL;
--> refused Unsupported: ADD COLUMN c9 INT NOT NULL ... no default values
ALTER TABLE grow ADD c9 INT AFTER v;
--> refused Unsupported: AFTER in ADD COLUMN ... at the end
ALTER TABLE grow DROP COLUMN c1;
--> refused Unsupported: ALTER TABLE DROP COLUMN ... can only add nullable columns at the end
ALTER TABLE grow RENAME COLUMN c1 TO c9;
--> refused Unsupported: ALTER TABLE RENAME COLUMN
ALTER TABLE grow RENAME TO grown;
--> refused Unsupported: cannot rename a table
ALTER TABLE grow MODIFY c1 BIGINT;
--> refused Unsupported: ALTER TABLE MODIFY
ALTER TABLE grow SET ('owner' = 'you', 'table.log.tiered.local-segments' = '5');
ALTER TABLE grow RESET ('owner');
ALTER TABLE grow SET ('bucket.num' = '4');
--> refused Unsupported: bucket.num ... when the table is created
ALTER TABLE grow SET ('table.log.ttl' = '1d');
--> refused Error: table.log.ttl
ALTER TABLE nope ADD c INT;
--> refused TableNotExist: main.nope

--# form Partitions
CREATE TABLE parts (id INT, dt STRING, region STRING) PARTITIONED BY (dt, region) WITH ('bucket.num' = '1');
ALTER TABLE parts ADD PARTITION (dt = '2026-08-01', region = 'eu');
ALTER TABLE parts ADD PARTITION (dt = '2026-08-01', region = 'eu');
--> refused PartitionExists: 2026-08-01
ALTER TABLE parts ADD IF NOT EXISTS PARTITION (dt = '2026-08-01', region = 'eu');
INSERT INTO parts VALUES (1, '2026-08-01', 'eu'), (2, '2026-08-02', 'us'), (3, '2026-08-02', 'eu');
--> 3 rows
SHOW PARTITIONS parts;
--> partition name STRING NOT NULL
--> dt=2026-08-01/region=eu
--> dt=2026-08-02/region=eu
--> dt=2026-08-02/region=us
SHOW PARTITIONS parts PARTITION (region = 'eu');
--> partition name STRING NOT NULL
--> dt=2026-08-01/region=eu
--> dt=2026-08-02/region=eu
SELECT id, _partition FROM parts WHERE dt = '2026-08-02' AND region IN ('us', 'eu');
--> unordered
--> id INT | _partition STRING
--> 3 | 2026-08-02$eu
--> 2 | 2026-08-02$us
SELECT id FROM parts WHERE dt > '2026-08-01' AND region = 'us';
--> id INT
--> 2
SELECT id FROM parts WHERE _partition = '2026-08-02$eu';
--> id INT
--> 3
SELECT COUNT(*) FROM parts WHERE dt = '2026-08-02';
--> COUNT(*) BIGINT NOT NULL
--> 2
ALTER TABLE parts DROP PARTITION (dt = '2026-08-02', region = 'us');
ALTER TABLE parts DROP PARTITION (dt = '2026-08-02', region = 'us');
--> refused PartitionNotExist: 2026-08-02
ALTER TABLE parts DROP IF EXISTS PARTITION (dt = '2026-08-02', region = 'us');
SELECT id FROM parts;
--> unordered
--> id INT
--> 3
--> 1
ALTER TABLE parts ADD PARTITION (dt = '2026-08-03');
--> refused Error: region is missing
INSERT INTO parts VALUES (4, 'a/b', 'eu');
--> refused Value: a/b
ALTER TABLE kinds ADD PARTITION (dt = '1');
--> refused Unsupported: not partitioned
--# open dynamic_partitions=false
INSERT INTO parts VALUES (4, '2030-01-01', 'eu');
--> refused PartitionNotExist: 2030-01-01$eu ... dynamic_partitions
--# open
