-- What is understood and refused.

CREATE TABLE a (id INT, v STRING, n BIGINT, PRIMARY KEY (id)) WITH ('bucket.num' = '1');
CREATE TABLE l (id INT, v STRING) WITH ('bucket.num' = '1');

--# form Refusals
SELECT * FROM a JOIN l ON a.id = l.id;
--> refused Unsupported: JOIN is not supported: Fluss serves lookups and scans, not query plans; read both tables and join in Go, or use Flink
SELECT * FROM a LEFT JOIN l FOR SYSTEM_TIME AS OF a.at AS x ON a.id = x.id;
--> refused Unsupported: JOIN
SELECT * FROM a, l;
--> refused Unsupported: JOIN
SELECT * FROM a WHERE id IN (SELECT id FROM l);
--> refused Unsupported: a subquery ... not query plans
SELECT * FROM (SELECT * FROM a) x;
--> refused Unsupported: a subquery in FROM
SELECT id FROM a UNION SELECT id FROM l;
--> refused Unsupported: UNION ... run both statements
WITH x AS (SELECT 1) SELECT * FROM x;
--> refused Unsupported: WITH
SELECT v, COUNT(*) FROM a GROUP BY v;
--> refused Unsupported: GROUP BY
SELECT v FROM a HAVING v > 'a';
--> refused Unsupported: HAVING
SELECT ROW_NUMBER() OVER (ORDER BY id) FROM a;
--> refused Unsupported: a window function
SELECT DISTINCT v FROM a;
--> refused Unsupported: DISTINCT
SELECT SUM(n) FROM a;
--> refused Unsupported: SUM is not supported ... Fluss 0.9.1 can only count rows
SELECT MAX(n) FROM a;
--> refused Unsupported: MAX ... can only count rows
SELECT id + 1 FROM a;
--> refused Unsupported: id + 1 ... compute in Go
SELECT CAST(id AS STRING) FROM a;
--> refused Unsupported: CAST
SELECT CASE WHEN id = 1 THEN 2 END FROM a;
--> refused Unsupported: CASE
INSERT INTO a SELECT * FROM l;
--> refused Unsupported: INSERT ... SELECT ... read the rows and write them from Go, or use Flink
INSERT OVERWRITE a VALUES (1, 'x', 1);
--> refused Unsupported: INSERT OVERWRITE
TRUNCATE TABLE a;
--> refused Unsupported: TRUNCATE ... cannot empty a table
MERGE INTO a USING l ON a.id = l.id WHEN MATCHED THEN DELETE;
--> refused Unsupported: MERGE ... UPSERT
UPSERT INTO l VALUES (1, 'x');
--> refused Unsupported: UPSERT ... main.l is a log table: rows can only be appended
REPLACE INTO l VALUES (1, 'x');
--> refused Unsupported: REPLACE ... log table
CREATE INDEX i ON a (v);
--> refused Unsupported: CREATE INDEX ... primary key and no other index
CREATE VIEW x AS SELECT * FROM a;
--> refused Unsupported: CREATE VIEW
CREATE MATERIALIZED TABLE x AS SELECT * FROM a;
--> refused Unsupported: CREATE MATERIALIZED TABLE ... Flink
CREATE TEMPORARY TABLE x (id INT);
--> refused Unsupported: CREATE TEMPORARY
CREATE CATALOG c WITH ('type' = 'fluss');
--> refused Unsupported: CREATE CATALOG ... name the cluster and the database in the DSN
USE CATALOG c;
--> refused Unsupported: USE CATALOG ... DSN
SHOW CATALOGS;
--> refused Unsupported: SHOW CATALOGS
SELECT * FROM c.main.a;
--> refused Unsupported: a name of three parts
SELECT * FROM a FOR SYSTEM_TIME AS OF TIMESTAMP '2026-08-01 00:00:00';
--> refused Unsupported: FOR SYSTEM_TIME AS OF ... time travel of a key table is not stored by Fluss; for logs use scan.startup.mode=timestamp
SELECT * FROM a$lake;
--> refused Unsupported: a$lake ... read by their own engines
SELECT * FROM l WHERE id = @x;
--> refused Unsupported: a user variable
SELECT * FROM l WHERE v REGEXP 'x';
--> refused Unsupported: REGEXP ... use LIKE
SELECT v || 'x' FROM l;
--> refused Unsupported: the operator ||
SET 'execution.runtime-mode' = 'batch';
--> refused Unsupported: SET ... no session settings
GRANT SELECT ON a TO bob;
--> refused Unsupported: GRANT
