-- Writes.

CREATE TABLE l (id INT NOT NULL, v STRING) WITH ('bucket.num' = '1');
CREATE TABLE k (id INT, name STRING, n BIGINT, PRIMARY KEY (id)) WITH ('bucket.num' = '2');
CREATE TABLE strict (id INT, score INT NOT NULL, note STRING, PRIMARY KEY (id)) WITH ('bucket.num' = '1');
CREATE TABLE pair (a INT, b STRING, v STRING, PRIMARY KEY (a, b)) WITH ('bucket.num' = '1');

--# form INSERT into a log table
INSERT INTO l VALUES (1, 'a'), (2, NULL);
--> 2 rows
INSERT l (v, id) VALUES (?, ?);
--> with 'c', 3
--> 1 rows
INSERT INTO l (id) VALUES (:id);
--> with :id = 4
--> 1 rows
INSERT INTO l (v) VALUES ('x');
--> refused ColumnNotExist: column id ... NOT NULL and not in the column list
INSERT INTO l VALUES (NULL, 'x');
--> refused Value: column id ... NULL
INSERT INTO l VALUES (5, 'e'), ('six', 'f');
--> refused Value: column id ... row 2
INSERT INTO l VALUES (5);
--> refused Error: takes 2 values a row (id, v), got 1
INSERT INTO l VALUES (5, 'e'), (6);
--> refused Syntax: row 2 has 1 value, expected 2
SELECT * FROM l;
--> id INT NOT NULL | v STRING
--> 1 | a
--> 2 | NULL
--> 3 | c
--> 4 | NULL

--# form RETURNING
INSERT INTO l VALUES (5, 'e'), (6, 'f') RETURNING _bucket, _log_offset;
--> _bucket INT NOT NULL | _log_offset BIGINT
--> 0 | 4
--> 0 | 5
INSERT INTO l (id) VALUES (?) RETURNING _log_offset;
--> with 7
--> _log_offset BIGINT
--> 6
INSERT INTO l VALUES (8, 'x') RETURNING v;
--> refused Unsupported: RETURNING v ... _bucket and _log_offset
INSERT INTO k VALUES (1, 'x', 1) RETURNING _bucket;
--> refused Unsupported: RETURNING _bucket ... only for log tables
INSERT INTO l VALUES (8, 'x') RETURNING *;
--> refused Unsupported: RETURNING *

--# form INSERT, UPSERT and REPLACE into a key table
INSERT INTO k VALUES (1, 'a', 10), (2, 'b', 20);
--> 2 rows
UPSERT INTO k VALUES (1, 'a2', 11);
--> 1 rows
REPLACE INTO k (n, name, id) VALUES (?, ?, ?), (30, 'c', 3);
--> with 21, 'b2', 2
--> 2 rows
INSERT INTO k VALUES (4, 'first', 1), (4, 'last', 2);
--> 2 rows
SELECT * FROM k ORDER BY id LIMIT 10;
--> id INT NOT NULL | name STRING | n BIGINT
--> 1 | a2 | 11
--> 2 | b2 | 21
--> 3 | c | 30
--> 4 | last | 2
INSERT INTO k VALUES (NULL, 'x', 1);
--> refused Value: column id ... NULL
INSERT INTO k (name) VALUES ('x');
--> refused ColumnNotExist: column id ... primary key
INSERT INTO k (id, name, name) VALUES (1, 'x', 'y');
--> refused ColumnNotExist: column name ... twice
INSERT INTO k VALUES (1, NOW(), 1);
--> refused Unsupported: the function NOW as a value
INSERT INTO k VALUES (1, 'x', 1 + 1);
--> refused Unsupported: an expression in VALUES
INSERT INTO k$changelog VALUES (1, 'x', 1);
--> refused Unsupported: k$changelog

--# form Partial update
INSERT INTO k (id, n) VALUES (1, 100), (9, 900);
--> 2 rows
UPSERT INTO k (name, id) VALUES (DEFAULT, 2);
--> 1 rows
SELECT * FROM k WHERE id IN (1, 2, 9);
--> id INT NOT NULL | name STRING | n BIGINT
--> 1 | a2 | 100
--> 2 | NULL | 21
--> 9 | NULL | 900
INSERT INTO strict (id, note) VALUES (1, 'x');
--> refused Unsupported: partial update of main.strict ... column score is NOT NULL and not in the column list
INSERT INTO strict (id, score) VALUES (1, 5);
--> refused Unsupported: partial update of main.strict ... NOT NULL

--# form INSERT IGNORE and ON DUPLICATE KEY UPDATE
INSERT INTO k (id, name, n) VALUES (3, 'cc', 33) ON DUPLICATE KEY UPDATE name = VALUES(name), n = VALUES(n);
--> 1 rows
INSERT INTO k (id, name) VALUES (3, 'ccc') ON DUPLICATE KEY UPDATE name = VALUES(name);
--> 1 rows
SELECT * FROM k WHERE id = 3;
--> id INT NOT NULL | name STRING | n BIGINT
--> 3 | ccc | 33
INSERT IGNORE INTO k VALUES (1, 'x', 1);
--> refused Unsupported: insert-if-absent ... not atomic on main.k (merge engine: none) ... use merge engine first_row
INSERT INTO k VALUES (1, 'x', 1) ON DUPLICATE KEY UPDATE id = id;
--> refused Unsupported: insert-if-absent ... not atomic
INSERT INTO k VALUES (1, 'x', 1) ON DUPLICATE KEY UPDATE name = 'y', n = VALUES(n);
--> refused Unsupported: ON DUPLICATE KEY UPDATE name ... name = VALUES(name)
INSERT INTO k VALUES (1, 'x', 1) ON DUPLICATE KEY UPDATE name = VALUES(name);
--> refused Unsupported: without n
INSERT INTO k VALUES (1, 'x', 1) ON CONFLICT (id) DO NOTHING;
--> refused Unsupported: ON CONFLICT

--# form UPDATE
UPDATE k SET name = 'x', n = NULL WHERE id = 1;
--> 1 rows
UPDATE k AS t SET t.n = t.n + ? WHERE t.id IN (2, 3, 77);
--> with 5
--> 2 rows
UPDATE k SET n = 0 WHERE id = 77;
--> 0 rows
UPDATE k SET name = 'big' WHERE id IN (2, 3) AND n > 30;
--> 1 rows
SELECT * FROM k WHERE id IN (1, 2, 3);
--> id INT NOT NULL | name STRING | n BIGINT
--> 1 | x | NULL
--> 2 | NULL | 26
--> 3 | big | 38
INSERT INTO strict VALUES (1, 10, 'a');
--> 1 rows
UPDATE strict SET note = 'b', score = score * 2 - 1 WHERE id = 1;
--> 1 rows
SELECT * FROM strict WHERE id = 1;
--> id INT NOT NULL | score INT NOT NULL | note STRING
--> 1 | 19 | b
UPDATE pair SET v = 'x' WHERE a = 1;
--> refused Unsupported: UPDATE needs an equality on every primary key column (a, b); missing b
UPDATE pair SET v = 'x';
--> refused Unsupported: UPDATE needs an equality on every primary key column (a, b)
UPDATE k SET id = 5 WHERE id = 1;
--> refused Unsupported: column id is part of the primary key; delete and insert instead
UPDATE l SET v = 'x' WHERE id = 1;
--> refused Unsupported: main.l is a log table: rows can only be appended
UPDATE strict SET score = NULL WHERE id = 1;
--> refused Value: score ... NULL
UPDATE k SET n = 'x' WHERE id = 1;
--> refused Value: column n
UPDATE k SET nope = 1 WHERE id = 1;
--> refused ColumnNotExist: nope

--# form DELETE
DELETE FROM k WHERE id = 1;
--> 1 rows
DELETE FROM k WHERE id = 1;
--> 0 rows
DELETE FROM `k` AS `t` WHERE (`t`.`id` IN (?));
--> with [2, 3, 88]
--> 2 rows
DELETE FROM k WHERE id = 4 AND name = 'someone';
--> 0 rows
SELECT * FROM k ORDER BY id LIMIT 10;
--> id INT NOT NULL | name STRING | n BIGINT
--> 4 | last | 2
--> 9 | NULL | 900
INSERT INTO pair VALUES (1, 'x', 'v'), (1, 'y', 'v');
--> 2 rows
DELETE FROM pair WHERE (a, b) IN ((1, 'x'), (1, 'z'));
--> 1 rows
SELECT * FROM pair;
--> a INT NOT NULL | b STRING NOT NULL | v STRING
--> 1 | y | v
DELETE FROM pair WHERE b = 'y';
--> refused Unsupported: DELETE needs an equality on every primary key column (a, b); missing a
DELETE FROM l WHERE id = 1;
--> refused Unsupported: main.l is a log table: rows can only be appended
DELETE FROM k WHERE id = 4 LIMIT 1;
--> refused Unsupported: LIMIT in DELETE ... found by their whole key

--# form Merge engines
CREATE TABLE first (id INT, v STRING, PRIMARY KEY (id)) WITH ('bucket.num' = '1', 'table.merge-engine' = 'first_row');
INSERT INTO first VALUES (1, 'one');
--> 1 rows
INSERT IGNORE INTO first VALUES (1, 'uno'), (2, 'two');
--> 2 rows
INSERT INTO first VALUES (2, 'due') ON DUPLICATE KEY UPDATE id = id;
--> 1 rows
INSERT /*+ INSERT_IF_NOT_EXISTS */ INTO first VALUES (2, 'duo');
--> 1 rows
SELECT * FROM first WHERE id IN (1, 2);
--> id INT NOT NULL | v STRING
--> 1 | one
--> 2 | two
UPDATE first SET v = 'x' WHERE id = 1;
--> refused Unsupported: merge engine first_row
INSERT INTO first (id) VALUES (3);
--> refused Unsupported: partial update ... merge engine first_row takes whole rows
DELETE FROM first WHERE id = 1;
--> refused Unsupported: table.delete.behavior
CREATE TABLE versions (id INT, v STRING, at BIGINT, PRIMARY KEY (id)) WITH ('bucket.num' = '1', 'table.merge-engine' = 'versioned', 'table.merge-engine.versioned.ver-column' = 'at');
INSERT INTO versions VALUES (1, 'new', 20);
--> 1 rows
INSERT INTO versions VALUES (1, 'old', 10);
--> 1 rows
SELECT * FROM versions WHERE id = 1;
--> id INT NOT NULL | v STRING | at BIGINT
--> 1 | new | 20
CREATE TABLE sums (id INT, total BIGINT, top DOUBLE, PRIMARY KEY (id)) WITH ('bucket.num' = '1', 'table.merge-engine' = 'aggregation', 'fields.total.agg' = 'sum', 'fields.top.agg' = 'max');
INSERT INTO sums VALUES (1, 5, 1.5), (1, 6, 0.5);
--> 2 rows
SELECT * FROM sums WHERE id = 1;
--> id INT NOT NULL | total BIGINT | top DOUBLE
--> 1 | 11 | 1.5
INSERT /*+ MERGE_MODE('OVERWRITE') */ INTO sums VALUES (1, 100, 0.25);
--> 1 rows
UPDATE sums SET total = total + 1 WHERE id = 1;
--> 1 rows
SELECT * FROM sums WHERE id = 1;
--> id INT NOT NULL | total BIGINT | top DOUBLE
--> 1 | 101 | 0.25

--# form Auto-increment columns
CREATE TABLE ids (word STRING, id BIGINT, PRIMARY KEY (word)) WITH ('bucket.num' = '1', 'auto-increment.fields' = 'id');
INSERT INTO ids VALUES ('a'), ('b');
--> 2 rows
INSERT INTO ids (word) VALUES ('c'), ('a');
--> 2 rows
SELECT * FROM ids WHERE word IN ('a', 'b', 'c');
--> word STRING NOT NULL | id BIGINT
--> a | 1
--> b | 2
--> c | 3
INSERT INTO ids (word, id) VALUES ('d', 7);
--> refused ColumnNotExist: column id ... auto-increment; leave it out

--# form Nested values
CREATE TABLE nested (id INT, l ARRAY<STRING>, m MAP<STRING, BIGINT>, r ROW<a INT, b DECIMAL(4, 2)>, PRIMARY KEY (id)) WITH ('bucket.num' = '1');
INSERT INTO nested VALUES (1, ARRAY['x', NULL], MAP['k', 1, 'l', ?], ROW(7, 1.5));
--> with 2
--> 1 rows
INSERT INTO nested VALUES (2, '["y"]', '{"k":null}', '{"a":null,"b":-0.25}'), (3, ARRAY[], MAP[], NULL);
--> 2 rows
INSERT INTO nested VALUES (4, ?, NULL, NULL);
--> with ['p', 'q']
--> 1 rows
SELECT * FROM nested WHERE id IN (1, 2, 3, 4);
--> id INT NOT NULL | l ARRAY | m MAP | r ROW
--> 1 | ["x",null] | {"k":1,"l":2} | {"a":7,"b":1.50}
--> 2 | ["y"] | {"k":null} | {"a":null,"b":-0.25}
--> 3 | [] | {} | NULL
--> 4 | ["p","q"] | NULL | NULL
INSERT INTO nested VALUES (5, ARRAY[1], NULL, NULL);
--> refused Value: column l ... element
INSERT INTO nested VALUES (5, NULL, MAP['k'], NULL);
--> refused Syntax: MAP[...] takes keys and values in turn
SELECT l[1] FROM nested;
--> refused Unsupported: access to an element
