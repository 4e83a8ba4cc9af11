--# form table-design/virtual-tables: Changelog Table
CREATE TABLE bills (
  bill_id INT NOT NULL,
  payer STRING,
  amount DECIMAL(10, 2),
  PRIMARY KEY (bill_id) NOT ENFORCED
) WITH ('bucket.num' = '1');
INSERT INTO bills VALUES (1, 'Ida', 100.00);
--> 1 rows
INSERT INTO bills VALUES (1, 'Ida', 150.00);
--> 1 rows
DELETE FROM bills WHERE bill_id = 1;
--> 1 rows
SELECT * FROM bills$changelog;
--> _change_type STRING NOT NULL | _log_offset BIGINT NOT NULL | _commit_timestamp TIMESTAMP_LTZ NOT NULL | bill_id INT NOT NULL | payer STRING | amount DECIMAL(10,2)
--> insert | 0 | ~ | 1 | Ida | 100.00
--> update_before | 1 | ~ | 1 | Ida | 100.00
--> update_after | 2 | ~ | 1 | Ida | 150.00
--> delete | 3 | ~ | 1 | Ida | 150.00
SELECT _log_offset FROM bills$changelog /*+ OPTIONS('scan.startup.mode' = 'earliest') */;
--> _log_offset BIGINT NOT NULL
--> 0
--> 1
--> 2
--> 3
SELECT _log_offset FROM bills$changelog /*+ OPTIONS('scan.startup.mode' = 'latest') */;
--> _log_offset BIGINT NOT NULL
SELECT _log_offset FROM bills$changelog /*+ OPTIONS('scan.startup.mode' = 'timestamp', 'scan.startup.timestamp' = '1705000000000') */;
--> _log_offset BIGINT NOT NULL
--> 0
--> 1
--> 2
--> 3
CREATE TABLE payments (id INT, amount INT) WITH ('bucket.num' = '1');
INSERT INTO payments VALUES (1, 10);
--> 1 rows
SELECT * FROM payments$changelog;
--> _change_type STRING NOT NULL | _log_offset BIGINT NOT NULL | _commit_timestamp TIMESTAMP_LTZ NOT NULL | id INT | amount INT
--> insert | 0 | ~ | 1 | 10

--# form table-design/virtual-tables: Binlog Table
CREATE TABLE members (
  member_id INT NOT NULL,
  name STRING,
  mail STRING,
  PRIMARY KEY (member_id) NOT ENFORCED
) WITH ('bucket.num' = '1');
INSERT INTO members VALUES (1, 'Uma', 'uma@mail.test');
--> 1 rows
INSERT INTO members VALUES (1, 'Uma Vos', 'vos@mail.test');
--> 1 rows
DELETE FROM members WHERE member_id = 1;
--> 1 rows
SELECT * FROM members$binlog;
--> _change_type STRING NOT NULL | _log_offset BIGINT NOT NULL | _commit_timestamp TIMESTAMP_LTZ NOT NULL | before ROW | after ROW
--> insert | 0 | ~ | NULL | {"member_id":1,"name":"Uma","mail":"uma@mail.test"}
--> update | 1 | ~ | {"member_id":1,"name":"Uma","mail":"uma@mail.test"} | {"member_id":1,"name":"Uma Vos","mail":"vos@mail.test"}
--> delete | 3 | ~ | {"member_id":1,"name":"Uma Vos","mail":"vos@mail.test"} | NULL
SELECT
  _change_type,
  _commit_timestamp,
  `before`.name AS was,
  `after`.name AS is_now
FROM members$binlog
WHERE _change_type = 'update';
SELECT _log_offset FROM members$binlog /*+ OPTIONS('scan.startup.mode' = 'earliest') */;
--> _log_offset BIGINT NOT NULL
--> 0
--> 1
--> 3
SELECT _log_offset FROM members$binlog /*+ OPTIONS('scan.startup.mode' = 'latest') */;
--> _log_offset BIGINT NOT NULL
SELECT _log_offset FROM members$binlog /*+ OPTIONS('scan.startup.mode' = 'timestamp', 'scan.startup.timestamp' = '1705000000000') */;
--> _log_offset BIGINT NOT NULL
--> 0
--> 1
--> 3
