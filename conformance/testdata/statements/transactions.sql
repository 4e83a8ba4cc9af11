-- Transactions: a buffer of writes.

CREATE TABLE t (id INT, n BIGINT, PRIMARY KEY (id)) WITH ('bucket.num' = '2');
CREATE TABLE l (id INT) WITH ('bucket.num' = '1');
INSERT INTO t VALUES (1, 10), (2, 20);
--> 2 rows

--# form tx=batch
--# begin
INSERT INTO t VALUES (3, 30);
--> 1 rows
UPDATE t SET n = n + 1 WHERE id IN (1, 3);
--> 2 rows
UPDATE t SET n = n + 1 WHERE id = 1;
--> 1 rows
DELETE FROM t WHERE id = 2;
--> 1 rows
INSERT INTO l VALUES (1);
--> 1 rows
SELECT * FROM t WHERE id IN (1, 2, 3);
--> id INT NOT NULL | n BIGINT
--> 1 | 12
--> 3 | 31
--# outside
SELECT * FROM t WHERE id IN (1, 2, 3);
--> id INT NOT NULL | n BIGINT
--> 1 | 10
--> 2 | 20
SELECT * FROM t LIMIT 10;
--> refused Unsupported: not by key ... buffered until Commit
SELECT * FROM l;
--> refused Unsupported: not by key
INSERT INTO l VALUES (2) RETURNING _log_offset;
--> refused Unsupported: RETURNING ... at Commit
INSERT INTO t VALUES (4, 'x');
--> refused Value: column n
--# commit
SELECT * FROM t ORDER BY id LIMIT 10;
--> id INT NOT NULL | n BIGINT
--> 1 | 12
--> 3 | 31
SELECT * FROM l;
--> id INT
--> 1
--# begin
INSERT INTO t VALUES (9, 90);
--> 1 rows
DELETE FROM t WHERE id = 1;
--> 1 rows
--# rollback
SELECT * FROM t ORDER BY id LIMIT 10;
--> id INT NOT NULL | n BIGINT
--> 1 | 12
--> 3 | 31
--# begin
INSERT INTO t VALUES (7, 70);
--> 1 rows
DELETE FROM t WHERE id = 7;
--> 1 rows
--# commit
SELECT COUNT(*) FROM t;
--> COUNT(*) BIGINT NOT NULL
--> 2

--# form tx=stream
--# open tx=stream
--# begin
INSERT INTO t VALUES (4, 40), (5, 50);
--> 2 rows
SELECT n FROM t WHERE id = 4;
--> n BIGINT
--> 40
--# commit
SELECT id FROM t ORDER BY id LIMIT 10;
--> id INT NOT NULL
--> 1
--> 3
--> 4
--> 5
--# begin
INSERT INTO t VALUES (6, 60);
--> 1 rows
SELECT n FROM t WHERE id = 6;
--> n BIGINT
--> 60
--# rollback
--> refused Error: 1 rows

--# form tx=off
--# open tx=off
--# begin
--> refused Unsupported: tx=off
--# open

--# form Levels and savepoints
--# begin serializable
--> refused Unsupported: Fluss has no transactions
--# begin read only
SELECT id FROM t WHERE id = 1;
--> id INT NOT NULL
--> 1
INSERT INTO t VALUES (8, 80);
--> refused Unsupported: read-only
--# rollback
SAVEPOINT s;
--> refused Unsupported: SAVEPOINT ... Fluss has no transactions
BEGIN;
--> refused Unsupported: BeginTx
START TRANSACTION;
--> refused Unsupported: BeginTx
COMMIT;
--> refused Unsupported: Commit
ROLLBACK;
--> refused Unsupported: Rollback
SET TRANSACTION ISOLATION LEVEL SERIALIZABLE;
--> refused Unsupported: SET TRANSACTION ... Fluss has no transactions
SET autocommit = 0;
--> refused Unsupported: SET AUTOCOMMIT ... Fluss has no transactions
SELECT * FROM t WHERE id = 1 FOR UPDATE;
--> refused Unsupported: FOR UPDATE ... Fluss has no transactions
LOCK TABLES t WRITE;
--> refused Unsupported: LOCK ... Fluss has no transactions
SET foreign_key_checks = 0;
