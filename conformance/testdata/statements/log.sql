-- Reads of logs.

CREATE TABLE l (id BIGINT NOT NULL, kind STRING, at TIMESTAMP(3)) WITH ('bucket.num' = '1');
INSERT INTO l VALUES (1, 'a', '2026-08-01 00:00:01'), (2, 'b', '2026-08-01 00:00:02'), (3, NULL, NULL), (4, 'a', '2026-08-01 00:00:04.5');
--> 4 rows
CREATE TABLE many (id INT, v STRING) WITH ('bucket.num' = '2', 'bucket.key' = 'id');
INSERT INTO many VALUES (1, 'a'), (2, 'b'), (3, 'c'), (4, 'd'), (5, 'e');
--> 5 rows
CREATE TABLE k (id INT, v STRING, n BIGINT, PRIMARY KEY (id)) WITH ('bucket.num' = '1');
INSERT INTO k VALUES (1, 'a', 10);
--> 1 rows
INSERT INTO k VALUES (1, 'b', 10), (2, 'c', NULL);
--> 2 rows
DELETE FROM k WHERE id = 1;
--> 1 rows

--# form Records of a log
SELECT * FROM l;
--> id BIGINT NOT NULL | kind STRING | at TIMESTAMP
--> 1 | a | 2026-08-01T00:00:01Z
--> 2 | b | 2026-08-01T00:00:02Z
--> 3 | NULL | NULL
--> 4 | a | 2026-08-01T00:00:04.5Z
SELECT kind, id FROM l WHERE kind = 'a';
--> kind STRING | id BIGINT NOT NULL
--> a | 1
--> a | 4
SELECT id, _log_offset, _bucket FROM l WHERE _bucket = 0 AND _log_offset >= 1 AND _log_offset < 3;
--> id BIGINT NOT NULL | _log_offset BIGINT NOT NULL | _bucket INT NOT NULL
--> 2 | 1 | 0
--> 3 | 2 | 0
SELECT id FROM l WHERE _log_offset BETWEEN ? AND ? ORDER BY _log_offset;
--> with 2, 3
--> id BIGINT NOT NULL
--> 3
--> 4
SELECT id FROM l WHERE _log_offset = 1;
--> id BIGINT NOT NULL
--> 2
SELECT id FROM l WHERE _log_offset > 3;
--> id BIGINT NOT NULL
SELECT id FROM l LIMIT 2;
--> id BIGINT NOT NULL
--> 1
--> 2
SELECT id FROM l LIMIT 2 OFFSET 3;
--> id BIGINT NOT NULL
--> 4
SELECT id FROM l ORDER BY id DESC LIMIT 2;
--> id BIGINT NOT NULL
--> 4
--> 3
SELECT COUNT(*) FROM l;
--> COUNT(*) BIGINT NOT NULL
--> 4
SELECT COUNT(*) FROM l WHERE kind IS NULL;
--> COUNT(*) BIGINT NOT NULL
--> 1
SELECT id FROM many;
--> unordered
--> id INT
--> 3
--> 1
--> 2
--> 4
--> 5
SELECT COUNT(*) FROM many WHERE _bucket = 0 OR _bucket = 1;
--> COUNT(*) BIGINT NOT NULL
--> 5
SELECT id FROM l WHERE _commit_timestamp > TIMESTAMP '2020-01-01 00:00:00' AND _commit_timestamp < TIMESTAMP '2099-01-01 00:00:00';
--> id BIGINT NOT NULL
--> 1
--> 2
--> 3
--> 4
SELECT id FROM l WHERE _commit_timestamp < TIMESTAMP '2020-01-01 00:00:00';
--> id BIGINT NOT NULL
SELECT * FROM l /*+ OPTIONS('scan.startup.mode' = 'earliest') */ WHERE id > 3;
--> id BIGINT NOT NULL | kind STRING | at TIMESTAMP
--> 4 | a | 2026-08-01T00:00:04.5Z

--# form The change log of a key table
SELECT * FROM k$changelog;
--> _change_type STRING NOT NULL | _log_offset BIGINT NOT NULL | _commit_timestamp TIMESTAMP_LTZ NOT NULL | id INT NOT NULL | v STRING | n BIGINT
--> insert | 0 | ~ | 1 | a | 10
--> update_before | 1 | ~ | 1 | a | 10
--> update_after | 2 | ~ | 1 | b | 10
--> insert | 3 | ~ | 2 | c | NULL
--> delete | 4 | ~ | 1 | b | 10
SELECT _change_type, v FROM k$changelog WHERE id = 1;
--> _change_type STRING NOT NULL | v STRING
--> insert | a
--> update_before | a
--> update_after | b
--> delete | b
SELECT id, _log_offset FROM `k$changelog` WHERE _log_offset >= 4;
--> id INT NOT NULL | _log_offset BIGINT NOT NULL
--> 1 | 4
SELECT id, v FROM k$changelog /*+ OPTIONS('scan.startup.mode' = 'latest') */;
--> id INT NOT NULL | v STRING
SELECT COUNT(*) FROM k$changelog;
--> COUNT(*) BIGINT NOT NULL
--> 5

SELECT * FROM l$changelog WHERE id < 3;
--> _change_type STRING NOT NULL | _log_offset BIGINT NOT NULL | _commit_timestamp TIMESTAMP_LTZ NOT NULL | id BIGINT NOT NULL | kind STRING | at TIMESTAMP
--> insert | 0 | ~ | 1 | a | 2026-08-01T00:00:01Z
--> insert | 1 | ~ | 2 | b | 2026-08-01T00:00:02Z

--# form The binlog of a key table
SELECT * FROM k$binlog;
--> _change_type STRING NOT NULL | _log_offset BIGINT NOT NULL | _commit_timestamp TIMESTAMP_LTZ NOT NULL | before ROW | after ROW
--> insert | 0 | ~ | NULL | {"id":1,"v":"a","n":10}
--> update | 1 | ~ | {"id":1,"v":"a","n":10} | {"id":1,"v":"b","n":10}
--> insert | 3 | ~ | NULL | {"id":2,"v":"c","n":null}
--> delete | 4 | ~ | {"id":1,"v":"b","n":10} | NULL
SELECT _change_type, `before`.v AS old, `after`.v AS new FROM k$binlog WHERE _change_type = 'update';
--> _change_type STRING NOT NULL | old STRING | new STRING
--> update | a | b
SELECT _log_offset, after.n FROM k$binlog WHERE before IS NULL;
--> _log_offset BIGINT NOT NULL | n BIGINT
--> 0 | 10
--> 3 | NULL
SELECT after FROM k$binlog /*+ OPTIONS('scan.startup.mode' = 'latest') */;
--> after ROW
SELECT v FROM k$binlog;
--> refused ColumnNotExist: before.v or after.v
SELECT * FROM l$binlog;
--> refused Unsupported: l$binlog

--# form Pseudo columns
SELECT id, _bucket, _log_offset, _commit_timestamp, _change_type, _partition FROM l LIMIT 1;
--> id BIGINT NOT NULL | _bucket INT NOT NULL | _log_offset BIGINT NOT NULL | _commit_timestamp TIMESTAMP_LTZ NOT NULL | _change_type STRING NOT NULL | _partition STRING
--> 1 | 0 | 0 | ~ | insert | NULL
SELECT _bucket, _partition, id FROM k WHERE id = 2;
--> _bucket INT NOT NULL | _partition STRING | id INT NOT NULL
--> 0 | NULL | 2
SELECT _log_offset FROM k WHERE id = 2;
--> refused ColumnNotExist: _log_offset
SELECT _found FROM k WHERE id = 2;
--> refused ColumnNotExist: _found
INSERT INTO k (id, _bucket) VALUES (1, 1);
--> refused ColumnNotExist: _bucket
CREATE TABLE reserved (_log_offset INT);
--> refused Error: _log_offset

--# form Hints
SELECT /*+ OFFSET('earliest') */ id FROM l;
--> id BIGINT NOT NULL
--> 1
--> 2
--> 3
--> 4
SELECT id FROM l /*+ OFFSET('latest') */;
--> id BIGINT NOT NULL
SELECT /*+ OFFSET(2) */ id FROM l;
--> id BIGINT NOT NULL
--> 3
--> 4
SELECT id FROM l /*+ OFFSET(TIMESTAMP '2020-01-01 00:00:00') */;
--> id BIGINT NOT NULL
--> 1
--> 2
--> 3
--> 4
SELECT id FROM l /*+ OFFSET(TIMESTAMP '2099-01-01 00:00:00') */;
--> refused Error 38: larger than the current timestamp
SELECT id FROM l /*+ OFFSET(?) */;
--> with 3
--> id BIGINT NOT NULL
--> 4
SELECT /*+ OFFSET(1) STOP_OFFSET(3) */ id FROM l;
--> id BIGINT NOT NULL
--> 2
--> 3
SELECT /*+ LAST(1) */ id FROM l;
--> id BIGINT NOT NULL
--> 4
SELECT /*+ LAST(3), TIMEOUT('5s') */ id FROM l LIMIT 2;
--> id BIGINT NOT NULL
--> 2
--> 3
SELECT /*+ OFFSETS('0:1-3') */ id FROM l;
--> id BIGINT NOT NULL
--> 2
--> 3
SELECT id FROM l /*+ OFFSETS('0:2-') */;
--> id BIGINT NOT NULL
--> 3
--> 4
SELECT /*+ BUCKET(0) */ id FROM l WHERE id = 1;
--> id BIGINT NOT NULL
--> 1
SELECT /*+ BUCKET(0,1) */ COUNT(*) FROM many;
--> COUNT(*) BIGINT NOT NULL
--> 5
SELECT /*+ BUCKET(7) */ id FROM l;
--> refused Error: 7
SELECT /*+ FOLLOW */ id FROM l LIMIT 4;
--> id BIGINT NOT NULL
--> 1
--> 2
--> 3
--> 4
SELECT /*+ OPTIONS('scan.startup.mode' = 'timestamp', 'scan.startup.timestamp' = '1577836800000') */ id FROM l LIMIT 1;
--> id BIGINT NOT NULL
--> 1
SELECT id FROM l /*+ OPTIONS('scan.startup.mode' = 'timestamp', 'scan.startup.timestamp' = '2020-01-01 00:00:00') */ LIMIT 1;
--> id BIGINT NOT NULL
--> 1
SELECT /*+ OPTIONS('client.request-timeout' = '10s') */ id FROM l LIMIT 1;
--> id BIGINT NOT NULL
--> 1
SELECT /*+ OPTIONS('client.request-timeout' = '1 min') TIMEOUT('30 s') */ id FROM l LIMIT 1;
--> id BIGINT NOT NULL
--> 1
SELECT id FROM l /*+ OPTIONS('client.scanner.log.check-crc' = 'false', 'lookup.async' = 'false', 'lookup.cache' = 'NONE') */ LIMIT 1;
--> id BIGINT NOT NULL
--> 1
EXPLAIN SELECT v FROM k /*+ OPTIONS('lookup.async' = 'false') */ WHERE id = 1;
--> plan STRING NOT NULL
--> point lookup on main.k by primary key (id), bucket key (id), 1 buckets
--> "  options without effect here: lookup.async"
SELECT id FROM l /*+ OPTIONS('client.writer.acks' = '0') */;
--> refused Unsupported: the option 'client.writer.acks' = '0' ... set acks in the DSN
SELECT v FROM k /*+ OPTIONS('lookup.insert-if-not-exists' = 'true') */ WHERE id = 1;
--> refused Unsupported: lookup.insert-if-not-exists
SELECT id FROM l /*+ OPTIONS('client.request-timeout' = 'soon') */;
--> refused Error: "soon" is not a duration
SELECT /*+ FULL_SCAN */ id FROM k;
--> id INT NOT NULL
--> 2
SELECT /*+ KEEP_MISSING */ * FROM k WHERE id IN (9, 2);
--> id INT NOT NULL | v STRING | n BIGINT | _found BOOLEAN NOT NULL
--> 9 | NULL | NULL | false
--> 2 | c | NULL | true
SELECT /*+ EXACT */ COUNT(*) FROM k;
--> COUNT(*) BIGINT NOT NULL
--> 1
UPDATE /*+ BLIND */ k SET v = 'blind' WHERE id = 2;
--> 1 rows
DELETE /*+ BLIND */ FROM k WHERE id = 2;
--> 1 rows
SELECT COUNT(*) FROM k;
--> COUNT(*) BIGINT NOT NULL
--> 0
SELECT /*+ QUICK */ id FROM l;
--> refused Syntax: unknown hint QUICK; the hints are OPTIONS, BUCKET
SELECT /*+ OFFSET('middle') */ id FROM l;
--> refused Error: 'earliest', 'latest', a number or TIMESTAMP
SELECT /*+ OFFSET(1) LAST(2) */ id FROM l;
--> refused Error: given twice
SELECT /*+ OPTIONS('scan.startup.mode' = 'middle') */ id FROM l;
--> refused Error: full, earliest, latest, timestamp
SELECT /*+ OPTIONS('no.such.option' = '1') */ id FROM l;
--> refused Unsupported: no.such.option
SELECT /*+ OFFSET('earliest') */ * FROM k;
--> refused Unsupported: by offset ... k$changelog
SELECT /*+ KEEP_MISSING */ id FROM k LIMIT 1;
--> refused Unsupported: KEEP_MISSING ... full keys
SELECT /*+ FULL_SCAN */ * FROM k WHERE id = 1;
--> refused Unsupported: FULL_SCAN
SELECT /*+ BLIND */ id FROM l;
--> refused Unsupported: the hint BLIND in SELECT
INSERT /*+ FOLLOW */ INTO l (id) VALUES (1);
--> refused Unsupported: the hint FOLLOW in INSERT
INSERT /*+ MERGE_MODE('OVERWRITE') */ INTO k VALUES (1, 'x', 1);
--> refused Unsupported: MERGE_MODE('OVERWRITE') ... no merge engine
INSERT /*+ INSERT_IF_NOT_EXISTS */ INTO k VALUES (1, 'x', 1);
--> refused Unsupported: insert-if-absent ... merge engine: none
UPDATE /*+ BLIND */ k SET n = n + 1 WHERE id = 1;
--> refused Unsupported: BLIND
USE main /*+ FOLLOW */;
--> refused Syntax: takes no hints
