--# form table-design/data-distribution/partitioning: Auto Partitioning
CREATE TABLE door_log(
  year_of STRING,
  door_id INT,
  who STRING,
  times BIGINT,
  PRIMARY KEY(year_of, door_id) NOT ENFORCED
) PARTITIONED BY (year_of) WITH (
  'table.auto-partition.enabled' = 'true',
  'table.auto-partition.time-unit' = 'YEAR',
  'table.auto-partition.num-precreate' = '3',
  'table.auto-partition.num-retention' = '2',
  'table.auto-partition.time-zone' = 'Europe/Amsterdam'
);

--# form table-design/data-formats: Configuration
CREATE TABLE by_row (
  id BIGINT,
  doc STRING,
  PRIMARY KEY (id) NOT ENFORCED
) WITH (
  'table.log.format' = 'COMPACTED'
);
INSERT INTO by_row VALUES (1, 'x');
--> 1 rows
SELECT * FROM by_row WHERE id = 1;
--> id BIGINT NOT NULL | doc STRING
--> 1 | x

--# form table-design/data-formats: COMPACTED with WAL Changelog Image
CREATE TABLE wal_image (
  key STRING,
  value STRING,
  PRIMARY KEY (key) NOT ENFORCED
) WITH (
  'table.log.format' = 'COMPACTED',
  'table.kv.format' = 'COMPACTED',
  'table.changelog.image' = 'WAL'
);
INSERT INTO wal_image VALUES ('k', 'v'), ('k', 'w');
--> 2 rows
SELECT _change_type, key, value FROM wal_image$changelog;
--> _change_type STRING NOT NULL | key STRING NOT NULL | value STRING
--> update_after | k | v
--> update_after | k | w

--# form table-design/table-types/log-table: Basic Concept
CREATE TABLE trips (
  trip_id BIGINT,
  line_id BIGINT,
  riders INT,
  stop STRING,
  day DATE
)
WITH ('bucket.num' = '3');

--# form table-design/table-types/log-table: Column Pruning
INSERT INTO trips VALUES (1, 10, 5, 'A', '2026-08-01'), (2, 20, 6, 'B', '2022-12-31');
--> 2 rows
SELECT trip_id, line_id FROM trips WHERE day > '2023-01-01';
--> trip_id BIGINT | line_id BIGINT
--> 1 | 10

--# form table-design/table-types/log-table: Log Compression
CREATE TABLE trips_lz4 (
  trip_id BIGINT,
  stop STRING
)
WITH (
  'table.log.arrow.compression.type' = 'LZ4_FRAME'
);
INSERT INTO trips_lz4 VALUES (1, 'A');
--> 1 rows
SELECT * FROM trips_lz4;
--> trip_id BIGINT | stop STRING
--> 1 | A
CREATE TABLE trips_zstd (
  trip_id BIGINT,
  stop STRING
)
WITH (
  'table.log.arrow.compression.zstd.level' = '2'
);
INSERT INTO trips_zstd VALUES (1, 'A');
--> 1 rows
SELECT * FROM trips_zstd;
--> trip_id BIGINT | stop STRING
--> 1 | A

--# form table-design/table-types/pk-table: Basic Concept
CREATE TABLE seats
(
  hall_id    BIGINT,
  seat_id    BIGINT,
  sold       INT,
  returned   INT,
  PRIMARY KEY (hall_id, seat_id) NOT ENFORCED
) WITH (
  'bucket.num' = '4'
);

--# form table-design/table-types/pk-table: Partial Update
CREATE TABLE S
(
  k  INT,
  v1 DOUBLE,
  v2 STRING,
  PRIMARY KEY (k) NOT ENFORCED
);

--# form table-design/table-types/pk-table: Changelog Generation
INSERT INTO S (k, v1, v2) VALUES (1, 2.5, 'pear');
--> 1 rows
INSERT INTO S (k, v1, v2) VALUES (1, 4.5, 'plum');
--> 1 rows
DELETE FROM S WHERE k = 1;
--> 1 rows
-- in streaming mode Flink shows the changes here
SELECT * FROM S;
--> k INT NOT NULL | v1 DOUBLE | v2 STRING
SELECT _change_type, k, v1, v2 FROM S$changelog;
--> _change_type STRING NOT NULL | k INT NOT NULL | v1 DOUBLE | v2 STRING
--> insert | 1 | 2.5 | pear
--> update_before | 1 | 2.5 | pear
--> update_after | 1 | 4.5 | plum
--> delete | 1 | 4.5 | plum

--# form table-design/table-types/pk-table: Auto-Increment Column
CREATE TABLE numbers (
  word STRING,
  number BIGINT,
  PRIMARY KEY (word) NOT ENFORCED
) WITH (
  'auto-increment.fields' = 'number',
  'bucket.num' = '2'
);
INSERT INTO numbers (word) VALUES
  ('red'), ('green'), ('blue'), ('black'), ('white');
--> 5 rows
SELECT word FROM numbers LIMIT 10;
--> unordered
--> word STRING NOT NULL
--> blue
--> green
--> red
--> black
--> white
