-- What values become.

CREATE TABLE t (id INT, b BOOLEAN, ti TINYINT, f FLOAT, d DOUBLE, c CHAR(3), s STRING, bi BINARY(2), blob BYTES, de DECIMAL(10, 2), da DATE, tm TIME(3), ts TIMESTAMP(3), tz TIMESTAMP_LTZ(3), PRIMARY KEY (id)) WITH ('bucket.num' = '1');

--# form Values
INSERT INTO t VALUES (1, TRUE, -128, 0.5, 2.5e-1, 'abc', 'größe', X'0102', 0xff, 1.5, DATE '2026-08-01', TIME '12:30:15.25', TIMESTAMP '2026-08-01 12:30:15.25', TIMESTAMP_LTZ '2026-08-01 12:30:15.25');
--> 1 rows
INSERT INTO t VALUES (2, '0', '127', '1.5', 'NaN', 'a', '', X'fffe', '', '-99999999.99', '2026-08-01 00:00:00.000000', '12:30:15', '2026-08-01T12:30:15', '2026-08-01T12:30:15+02:00');
--> 1 rows
INSERT INTO t VALUES (3, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);
--> with 1, 7, 1.5, 2, 'x', 'y', X'0102', X'', 12.5, '2026-08-01', '00:00:00', '1970-01-01 00:00:00', '1970-01-01 00:00:00'
--> 1 rows
INSERT INTO t (id) VALUES (4);
--> 1 rows
INSERT INTO t (id, ti, s, ts) VALUES (5, CAST(7 AS TINYINT), CAST(NULL AS STRING), CAST('2026-08-01 00:00:00' AS TIMESTAMP(3)));
--> 1 rows
SELECT * FROM t WHERE id IN (1, 2, 3, 4);
--> id INT NOT NULL | b BOOLEAN | ti TINYINT | f FLOAT | d DOUBLE | c CHAR(3) | s STRING | bi BINARY(2) | blob BYTES | de DECIMAL(10,2) | da DATE | tm TIME | ts TIMESTAMP | tz TIMESTAMP_LTZ
--> 1 | true | -128 | 0.5 | 0.25 | abc | größe | X'0102' | X'ff' | 1.50 | 2026-08-01T00:00:00Z | 12:30:15.250 | 2026-08-01T12:30:15.25Z | 2026-08-01T12:30:15.25Z
--> 2 | false | 127 | 1.5 | NaN | a | "" | X'fffe' | X'' | -99999999.99 | 2026-08-01T00:00:00Z | 12:30:15.000 | 2026-08-01T12:30:15Z | 2026-08-01T10:30:15Z
--> 3 | true | 7 | 1.5 | 2 | x | y | X'0102' | X'' | 12.50 | 2026-08-01T00:00:00Z | 00:00:00.000 | 1970-01-01T00:00:00Z | 1970-01-01T00:00:00Z
--> 4 | NULL | NULL | NULL | NULL | NULL | NULL | NULL | NULL | NULL | NULL | NULL | NULL | NULL
SELECT id FROM t WHERE de = 1.5 LIMIT 5;
--> unordered
--> id INT NOT NULL
--> 1
SELECT id FROM t WHERE tz = TIMESTAMP '2026-08-01 10:30:15' ORDER BY id LIMIT 5;
--> id INT NOT NULL
--> 2
INSERT INTO t (id, ti) VALUES (9, 128);
--> refused Value: column ti ... 128
INSERT INTO t (id, ti) VALUES (9, 1.5);
--> refused Value: column ti ... 1.5
INSERT INTO t (id, b) VALUES (9, 'maybe');
--> refused Value: column b ... BOOLEAN
INSERT INTO t (id, c) VALUES (9, 'abcd');
--> refused Value: column c ... CHAR(3)
INSERT INTO t (id, de) VALUES (9, 1.005);
--> refused Value: column de ... 1.005
INSERT INTO t (id, de) VALUES (9, 100000000);
--> refused Value: column de ... DECIMAL(10,2)
INSERT INTO t (id, da) VALUES (9, '2026-02-30');
--> refused Value: column da ... 2026-02-30
INSERT INTO t (id, da) VALUES (9, '2026-08-01 10:00:00');
--> refused Value: column da
INSERT INTO t (id, tm) VALUES (9, '25:00:00');
--> refused Value: column tm ... 25:00:00
INSERT INTO t (id, ts) VALUES (9, '2026-08-01 12:30:15.1234');
--> refused Value: column ts ... TIMESTAMP(3)
INSERT INTO t (id, bi) VALUES (9, X'010203');
--> refused Value: column bi ... BINARY(2)
INSERT INTO t (id, s) VALUES (9, ?);
--> with X'ff'
--> refused Value: column s ... UTF-8
--# open decimal_round=true&time_truncate=true
INSERT INTO t (id, de, ts) VALUES (6, 1.005, '2026-08-01 12:30:15.1239');
--> 1 rows
SELECT de, ts FROM t WHERE id = 6;
--> de DECIMAL(10,2) | ts TIMESTAMP
--> 1.01 | 2026-08-01T12:30:15.123Z
--# open loc=Europe/Paris
INSERT INTO t (id, tz) VALUES (7, '2026-08-01 12:00:00');
--> 1 rows
SELECT tz FROM t WHERE id = 7;
--> tz TIMESTAMP_LTZ
--> 2026-08-01T12:00:00+02:00
--# open
SELECT tz FROM t WHERE id = 7;
--> tz TIMESTAMP_LTZ
--> 2026-08-01T10:00:00Z
