-- How a statement is written.

CREATE TABLE t (id INT, v STRING, `select` INT, größe INT, PRIMARY KEY (id)) WITH ('bucket.num' = '1');

--# form Comments, names and strings
INSERT INTO t -- up to the end of the line
  VALUES (1, 'it''s', 2, 3) # so does this
  /* and this
     ends here */;
--> 1 rows
INSERT INTO t VALUES (2, "a \"b\" 'c'", 1, 1), (3, 'tab\tnew\nline \\ \'q\' \0', NULL, NULL), (4, '-- no /* comment */ # ? :x', NULL, NULL);
--> 3 rows
SELECT v FROM t WHERE id IN (1, 2, 3, 4);
--> v STRING
--> it's
--> "a \"b\" 'c'"
--> "tab\tnew\nline \\ 'q' \x00"
--> -- no /* comment */ # ? :x
select `t`.`select`, T.größe from t as T where T.`id` = 1;
--> select INT | größe INT
--> 2 | 3
SELECT id AS 'the id', v AS "w" FROM t WHERE id = 1;
--> the id INT NOT NULL | w STRING
--> 1 | it's
SELECT X'00FF', 0x00ff, x'';
--> X'00FF' BYTES NOT NULL | 0x00ff BYTES NOT NULL | x'' BYTES NOT NULL
--> X'00ff' | X'00ff' | X''
SELECT 'a\qb';
--> refused Syntax: line 1 column 10 ... unknown escape
SELECT * FROM t
  WHERE id = = 1;
--> refused Syntax: line 2 column 14 ... unexpected '='
SELECT * FROM t WHERE v = 'open;
--> refused Syntax: this string does not end
SELEC * FROM t;
--> refused Syntax: unexpected SELEC, expected SELECT, INSERT
SELECT 1 /*! + 1 */;
--> refused Unsupported: an executable comment
SELECT 1; SELECT 2;
--> refused Unsupported: more than one statement in a call
SELECT from FROM t;
--> refused Syntax: unexpected from, expected an expression; a reserved word as a name is written `from`
--# open ansi_quotes=true
SELECT "v" FROM "t" WHERE "id" = 1;
--> v STRING
--> it's
--# open
