-- Reads of key tables, by key and as a whole.

CREATE TABLE shop (a INT, b STRING, v STRING, w BIGINT, PRIMARY KEY (a, b) NOT ENFORCED) WITH ('bucket.num' = '3', 'bucket.key' = 'a');
INSERT INTO shop VALUES (1, 'p', 'one', 10), (1, 'q', 'two', 20), (2, 'p', 'three', NULL), (3, 'x', 'four', 40), (3, 'y', 'five', 50), (3, 'z', 'six', 60);
--> 6 rows
CREATE TABLE profile (id INT, name STRING NOT NULL, balance DECIMAL(15, 2), born DATE, PRIMARY KEY (id)) WITH ('bucket.num' = '2');
INSERT INTO profile VALUES (1, 'Ann', 1250.75, DATE '1990-05-01'), (2, 'Bob', NULL, NULL), (3, 'Cid', -0.50, '2000-02-29');
--> 3 rows

--# form Lookup by key
SELECT * FROM profile WHERE id = 1;
--> id INT NOT NULL | name STRING NOT NULL | balance DECIMAL(15,2) | born DATE
--> 1 | Ann | 1250.75 | 1990-05-01T00:00:00Z
SELECT name, balance AS money FROM profile p WHERE p.id = ?;
--> with 3
--> name STRING NOT NULL | money DECIMAL(15,2)
--> Cid | -0.50
SELECT profile.*, id twice FROM profile WHERE 2 = id;
--> id INT NOT NULL | name STRING NOT NULL | balance DECIMAL(15,2) | born DATE | twice INT NOT NULL
--> 2 | Bob | NULL | NULL | 2
SELECT w FROM shop WHERE a = 1 AND b = 'q';
--> w BIGINT
--> 20
SELECT w FROM shop WHERE (a, b) = (1, 'q');
--> w BIGINT
--> 20
SELECT w, v FROM shop WHERE a = 1 AND b = 'q' AND w > 20;
--> w BIGINT | v STRING
SELECT `p`.`id` FROM `profile` AS `p` WHERE (`p`.`id` = 2) AND `p`.`id` = 2 ORDER BY `p`.`id` LIMIT 1;
--> id INT NOT NULL
--> 2
SELECT * FROM profile WHERE id = 77;
--> id INT NOT NULL | name STRING NOT NULL | balance DECIMAL(15,2) | born DATE
SELECT * FROM profile WHERE id = NULL;
--> id INT NOT NULL | name STRING NOT NULL | balance DECIMAL(15,2) | born DATE
SELECT name FROM profile WHERE id = 1 AND id = 2;
--> name STRING NOT NULL
SELECT name FROM profile WHERE id = 'x';
--> refused Value: column id of main.profile ... "x" ... INT
SELECT name FROM profile WHERE id = ?;
--> with 2147483648
--> refused Value: id ... 2147483648
SELECT nope FROM profile WHERE id = 1;
--> refused ColumnNotExist: nope
SELECT NAME FROM profile WHERE id = 1;
--> refused ColumnNotExist: column NAME ... did you mean name?
SELECT * FROM nope WHERE id = 1;
--> refused TableNotExist 7: main.nope

--# form Several keys
SELECT id, name FROM profile WHERE id IN (3, 1, 9, 3);
--> id INT NOT NULL | name STRING NOT NULL
--> 3 | Cid
--> 1 | Ann
SELECT id FROM profile WHERE id IN (?, ?, ?);
--> with 2, 9, 1
--> id INT NOT NULL
--> 2
--> 1
SELECT id FROM profile WHERE id IN (?);
--> with [3, 1]
--> id INT NOT NULL
--> 3
--> 1
SELECT id FROM profile WHERE id IN (?);
--> with []
--> id INT NOT NULL
SELECT id FROM profile WHERE id IN ();
--> id INT NOT NULL
SELECT v FROM shop WHERE (a, b) IN ((3, 'z'), (1, 'p'), (7, 'z'));
--> v STRING
--> six
--> one
SELECT v FROM shop WHERE (b, a) IN ((?, ?), ('y', 3));
--> with 'x', 3
--> v STRING
--> four
--> five
SELECT v FROM shop WHERE a IN (3, 1) AND b IN ('x', 'p', 'z');
--> v STRING
--> four
--> six
--> one
SELECT v FROM shop WHERE a = 3 AND b IN ('y', 'x', NULL) AND w < 50;
--> v STRING
--> four
SELECT id FROM profile WHERE id = 1 OR id = 3;
--> unordered
--> id INT NOT NULL
--> 1
--> 3

--# form Prefix lookup
SELECT b, v FROM shop WHERE a = 3;
--> unordered
--> b STRING NOT NULL | v STRING
--> x | four
--> y | five
--> z | six
SELECT b FROM shop WHERE a IN (?, 1) AND v LIKE '%e';
--> with 3
--> unordered
--> b STRING NOT NULL
--> y
--> p
SELECT b FROM shop WHERE a = 3 ORDER BY b DESC LIMIT 2;
--> b STRING NOT NULL
--> z
--> y
SELECT COUNT(*) FROM shop WHERE a = 3;
--> COUNT(*) BIGINT NOT NULL
--> 3

--# form Rows of a key table
SELECT b, a FROM shop;
--> unordered
--> b STRING NOT NULL | a INT NOT NULL
--> p | 1
--> q | 1
--> p | 2
--> x | 3
--> y | 3
--> z | 3
SELECT COUNT(*) FROM shop LIMIT 3;
--> COUNT(*) BIGINT NOT NULL
--> 6
SELECT v FROM shop WHERE b = 'p';
--> unordered
--> v STRING
--> one
--> three
SELECT v FROM shop WHERE w BETWEEN ? AND ? ORDER BY w LIMIT 10;
--> with 20, 50
--> v STRING
--> two
--> four
--> five
SELECT a FROM shop LIMIT 0;
--> a INT NOT NULL
SELECT _bucket FROM shop WHERE a = 1 AND b = 'p';
--> _bucket INT NOT NULL
--> 0
SELECT COUNT(*) FROM shop WHERE _bucket IN (0, 1, 2);
--> COUNT(*) BIGINT NOT NULL
--> 6
--# open full_scan_rows=3
SELECT * FROM shop;
--> refused Unsupported: main.shop ... this would read all 6 rows in 3 buckets ... add LIMIT ... /*+ FULL_SCAN */ ... name the full key (a, b)
SELECT v FROM shop WHERE w > 10;
--> refused Unsupported: all 6 rows
SELECT /*+ FULL_SCAN */ COUNT(*) FROM shop WHERE w > 10;
--> COUNT(*) BIGINT NOT NULL
--> 4
--# open full_scan_rows=3&full_scan=allow
SELECT COUNT(*) FROM shop WHERE w > 10;
--> COUNT(*) BIGINT NOT NULL
--> 4
--# open full_scan=refuse
SELECT * FROM shop;
--> refused Unsupported: full_scan is refuse
--# open

--# form COUNT(*)
SELECT COUNT(*) FROM shop;
--> COUNT(*) BIGINT NOT NULL
--> 6
SELECT count(1) AS n FROM shop;
--> n BIGINT NOT NULL
--> 6
SELECT /*+ EXACT */ COUNT(*) FROM shop;
--> COUNT(*) BIGINT NOT NULL
--> 6
SELECT COUNT(*) FROM shop WHERE a = 3 AND b > 'x';
--> COUNT(*) BIGINT NOT NULL
--> 2
SELECT COUNT(*) FROM shop WHERE w IS NULL;
--> COUNT(*) BIGINT NOT NULL
--> 1
SELECT COUNT(v) FROM shop;
--> refused Unsupported: COUNT(v) ... COUNT(*)
SELECT COUNT(DISTINCT v) FROM shop;
--> refused Unsupported: COUNT(*)
SELECT COUNT(*), a FROM shop;
--> refused Unsupported: COUNT(*) beside other columns

--# form WHERE
SELECT id FROM profile WHERE balance IS NULL OR name <> 'Ann' ORDER BY id LIMIT 10;
--> id INT NOT NULL
--> 2
--> 3
SELECT id FROM profile WHERE NOT (balance > 0) ORDER BY id LIMIT 10;
--> id INT NOT NULL
--> 3
SELECT id FROM profile WHERE balance IS NOT NULL AND name NOT LIKE 'A%' LIMIT 10;
--> id INT NOT NULL
--> 3
SELECT id FROM profile WHERE name IN ('Ann', 'Bob') AND id NOT IN (1) LIMIT 10;
--> id INT NOT NULL
--> 2
SELECT id FROM profile WHERE born BETWEEN DATE '1990-01-01' AND '1999-12-31' LIMIT 10;
--> id INT NOT NULL
--> 1
SELECT id FROM profile WHERE balance <= -0.5 AND balance >= '-0.50' LIMIT 10;
--> id INT NOT NULL
--> 3
SELECT id FROM profile WHERE name LIKE '_i%' LIMIT 10;
--> id INT NOT NULL
--> 3
SELECT id FROM profile WHERE name LIKE 'C|_%' ESCAPE '|' LIMIT 10;
--> id INT NOT NULL
SELECT id FROM profile WHERE id < 3 AND TRUE ORDER BY id LIMIT 10;
--> id INT NOT NULL
--> 1
--> 2
SELECT id FROM profile WHERE NULL LIMIT 10;
--> id INT NOT NULL
SELECT a FROM shop WHERE v = b LIMIT 10;
--> a INT NOT NULL
SELECT a FROM shop WHERE a = b LIMIT 10;
--> refused Error: cannot compare a INT ... b STRING
SELECT a FROM shop WHERE v LIMIT 1;
--> refused Error: column v is STRING
SELECT a FROM shop WHERE w LIKE '1%' LIMIT 1;
--> refused Error: LIKE needs a STRING or CHAR column
SELECT a FROM shop WHERE w + 1 = 11 LIMIT 1;
--> refused Unsupported: WHERE
SELECT a FROM shop WHERE UPPER(b) = 'P' LIMIT 1;
--> refused Unsupported: UPPER

--# form ORDER BY, LIMIT and OFFSET
SELECT w FROM shop ORDER BY w LIMIT 2;
--> w BIGINT
--> NULL
--> 10
SELECT w FROM shop ORDER BY w DESC LIMIT 2 OFFSET 1;
--> w BIGINT
--> 50
--> 40
SELECT w AS x FROM shop WHERE w IS NOT NULL ORDER BY x LIMIT 1, 2;
--> x BIGINT
--> 20
--> 40
SELECT v FROM shop ORDER BY a DESC, b ASC LIMIT ? OFFSET ?;
--> with 2, 2
--> v STRING
--> six
--> three
SELECT a FROM shop LIMIT 10 OFFSET 6;
--> a INT NOT NULL
SELECT a FROM shop ORDER BY a;
--> refused Unsupported: ORDER BY without a LIMIT of at most 10000 ... add LIMIT
SELECT a FROM shop ORDER BY a LIMIT 10001;
--> refused Unsupported: 10000
SELECT a FROM shop ORDER BY a + 1 LIMIT 1;
--> refused Unsupported: ORDER BY an expression
SELECT a FROM shop LIMIT -1;
--> refused Syntax: a whole number or a parameter
SELECT a FROM shop LIMIT ?;
--> with -1
--> refused Error: LIMIT must not be negative ... -1
SELECT a FROM shop OFFSET 1;
--> refused Syntax: LIMIT in front of OFFSET

--# form EXISTS
SELECT EXISTS (SELECT 1 FROM profile WHERE id = 1), EXISTS (SELECT id FROM profile WHERE id = ?) AS other;
--> with 9
--> EXISTS (SELECT 1 FROM profile WHERE id = 1) BIGINT NOT NULL | other BIGINT NOT NULL
--> 1 | 0
SELECT EXISTS (SELECT 1 FROM profile WHERE name = 'Bob');
--> EXISTS (SELECT 1 FROM profile WHERE name = 'Bob') BIGINT NOT NULL
--> 1
SELECT EXISTS (SELECT * FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = 'shop');
--> EXISTS (SELECT * FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = 'shop') BIGINT NOT NULL
--> 1

--# form SELECT without a table
SELECT 1, 'x' AS txt, NULL, TRUE, X'00ff', 1.50, DATE '2026-08-01', -7;
--> 1 BIGINT NOT NULL | txt STRING NOT NULL | NULL STRING | TRUE BOOLEAN NOT NULL | X'00ff' BYTES NOT NULL | 1.50 STRING NOT NULL | DATE '2026-08-01' STRING NOT NULL | -7 BIGINT NOT NULL
--> 1 | x | NULL | true | X'00ff' | 1.50 | 2026-08-01 | -7
SELECT DATABASE(), CURRENT_DATABASE(), SCHEMA();
--> DATABASE() STRING NOT NULL | CURRENT_DATABASE() STRING NOT NULL | SCHEMA() STRING NOT NULL
--> main | main | main
SELECT VERSION(), @@version;
--> VERSION() STRING NOT NULL | @@version STRING NOT NULL
--> 5.7.99-Fluss-0.9.1 | 5.7.99-Fluss-0.9.1
SELECT COALESCE(NULL, 'x'), COALESCE(DATABASE(), '%');
--> COALESCE(NULL, 'x') STRING NOT NULL | COALESCE(DATABASE(), '%') STRING NOT NULL
--> x | main
SELECT ? AS p, :name;
--> with 1
--> refused Unsupported: '?' mixed with ':name'
SELECT LAST_INSERT_ID();
--> LAST_INSERT_ID() BIGINT NOT NULL
--> 0
SELECT CURRENT_USER();
--> refused Unsupported: CURRENT_USER ... VERSION(), DATABASE()
SELECT NOW();
--> refused Unsupported: NOW
SELECT 1 + 1;
--> refused Unsupported: compute in Go

--# form Parameters
SELECT name FROM profile WHERE id = :id AND name = :name OR id = :id AND name = 'x';
--> with :name = 'Ann', :id = 1
--> name STRING NOT NULL
--> Ann
SELECT name FROM profile WHERE id = ?;
--> with '2'
--> name STRING NOT NULL
--> Bob
SELECT name FROM profile WHERE id = ?;
--> with NULL
--> name STRING NOT NULL
SELECT name FROM profile WHERE id = ?;
--> refused Error: 1
SELECT name FROM profile WHERE id = :id;
--> with :other = 1
--> refused Error: id
SELECT name FROM profile WHERE id = ? LIMIT ?;
--> with 1, 1
--> name STRING NOT NULL
--> Ann
