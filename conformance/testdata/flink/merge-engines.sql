--# form table-design/merge-engines/default: Example
CREATE TABLE D (
  k  INT,
  v1 DOUBLE,
  v2 STRING,
  PRIMARY KEY (k) NOT ENFORCED
);
INSERT INTO D(k, v1, v2) VALUES (1, 1.5, 'a1');
--> 1 rows
INSERT INTO D(k, v1, v2) VALUES (1, 1.5, 'a2');
--> 1 rows
SELECT * FROM D WHERE k = 1;
--> k INT NOT NULL | v1 DOUBLE | v2 STRING
--> 1 | 1.5 | a2
INSERT INTO D(k, v1, v2) VALUES (2, 2.5, 'a2');
--> 1 rows
UPDATE D SET v1 = 4.5 WHERE k = 2;
--> 1 rows
SELECT * FROM D WHERE k = 2;
--> k INT NOT NULL | v1 DOUBLE | v2 STRING
--> 2 | 4.5 | a2
INSERT INTO D(k, v1) VALUES (3, 3.5); -- v1 alone
--> 1 rows
SELECT * FROM D WHERE k = 3;
--> k INT NOT NULL | v1 DOUBLE | v2 STRING
--> 3 | 3.5 | NULL
INSERT INTO D(k, v2) VALUES (3, 'a3'); -- v2 alone
--> 1 rows
SELECT * FROM D WHERE k = 3;
--> k INT NOT NULL | v1 DOUBLE | v2 STRING
--> 3 | 3.5 | a3
DELETE FROM D WHERE k = 2;
--> 1 rows
SELECT * FROM D;
--> unordered
--> k INT NOT NULL | v1 DOUBLE | v2 STRING
--> 1 | 1.5 | a2
--> 3 | 3.5 | a3

--# form table-design/merge-engines/first-row: Example
CREATE TABLE F (
  k  INT,
  v1 DOUBLE,
  v2 STRING,
  PRIMARY KEY (k) NOT ENFORCED
) WITH (
  'table.merge-engine' = 'first_row'
);
INSERT INTO F VALUES (1, 2.5, 'a1');
--> 1 rows
INSERT INTO F VALUES (1, 3.5, 'a2');
--> 1 rows
SELECT * FROM F WHERE k = 1;
--> k INT NOT NULL | v1 DOUBLE | v2 STRING
--> 1 | 2.5 | a1

--# form table-design/merge-engines/versioned: Example
CREATE TABLE V (
  a INT NOT NULL PRIMARY KEY NOT ENFORCED,
  b STRING,
  ver BIGINT
 ) WITH (
  'table.merge-engine' = 'versioned',
  'table.merge-engine.versioned.ver-column' = 'ver'
);
INSERT INTO V (a, b, ver) VALUES (1, 'b1', 1000);
--> 1 rows
INSERT INTO V (a, b, ver) VALUES (1, 'b2', 999);
--> 1 rows
SELECT * FROM V WHERE a = 1;
--> a INT NOT NULL | b STRING | ver BIGINT
--> 1 | b1 | 1000
INSERT INTO V (a, b, ver) VALUES (1, 'b3', 2000);
--> 1 rows
SELECT * FROM V WHERE a = 1;
--> a INT NOT NULL | b STRING | ver BIGINT
--> 1 | b3 | 2000
INSERT INTO V (a, b, ver) VALUES (1, 'b4', CAST(null as BIGINT));
--> 1 rows
SELECT * FROM V WHERE a = 1;
--> a INT NOT NULL | b STRING | ver BIGINT
--> 1 | b3 | 2000

--# form table-design/merge-engines/aggregation: Usage Examples
CREATE TABLE sales (
  item_id BIGINT,
  price DOUBLE,
  sold BIGINT,
  last_at TIMESTAMP(3),
  PRIMARY KEY (item_id) NOT ENFORCED
) WITH (
  'table.merge-engine' = 'aggregation',
  'fields.price.agg' = 'max',
  'fields.sold.agg' = 'sum'
  -- last_at keeps the last value that is not NULL
);
INSERT INTO sales VALUES
  (1, 21.5, 15, TIMESTAMP '2026-08-01 10:00:00'),
  -- the same key
  (1, 30.25, 20, TIMESTAMP '2026-08-01 11:00:00');
--> 2 rows
SELECT * FROM sales WHERE item_id = 1;
--> item_id BIGINT NOT NULL | price DOUBLE | sold BIGINT | last_at TIMESTAMP
--> 1 | 30.25 | 35 | 2026-08-01T11:00:00Z

--# form table-design/merge-engines/aggregation: sum
CREATE TABLE agg_sum (
  id BIGINT,
  total DECIMAL(10, 2),
  PRIMARY KEY (id) NOT ENFORCED
) WITH (
  'table.merge-engine' = 'aggregation',
  'fields.total.agg' = 'sum'
);
INSERT INTO agg_sum VALUES
  (1, 10.50),
  (1, 20.75);
--> 2 rows
SELECT * FROM agg_sum WHERE id = 1;
--> id BIGINT NOT NULL | total DECIMAL(10,2)
--> 1 | 31.25

--# form table-design/merge-engines/aggregation: product
CREATE TABLE agg_product (
  id BIGINT,
  factor DOUBLE,
  PRIMARY KEY (id) NOT ENFORCED
) WITH (
  'table.merge-engine' = 'aggregation',
  'fields.factor.agg' = 'product'
);
INSERT INTO agg_product VALUES
  (1, 0.5),
  (1, 0.25);
--> 2 rows
SELECT * FROM agg_product WHERE id = 1;
--> id BIGINT NOT NULL | factor DOUBLE
--> 1 | 0.125

--# form table-design/merge-engines/aggregation: max
CREATE TABLE agg_max (
  id BIGINT,
  celsius DOUBLE,
  at TIMESTAMP(3),
  PRIMARY KEY (id) NOT ENFORCED
) WITH (
  'table.merge-engine' = 'aggregation',
  'fields.celsius.agg' = 'max',
  'fields.at.agg' = 'max'
);
INSERT INTO agg_max VALUES
  (1, 25.5, TIMESTAMP '2026-08-01 10:00:00'),
  (1, 28.25, TIMESTAMP '2026-08-01 11:00:00');
--> 2 rows
SELECT * FROM agg_max WHERE id = 1;
--> id BIGINT NOT NULL | celsius DOUBLE | at TIMESTAMP
--> 1 | 28.25 | 2026-08-01T11:00:00Z

--# form table-design/merge-engines/aggregation: min
CREATE TABLE agg_min  (
  id BIGINT,
  lowest DECIMAL(10, 2),
  PRIMARY KEY (id) NOT ENFORCED
) WITH (
  'table.merge-engine' = 'aggregation',
  'fields.lowest.agg' = 'min'
);
INSERT INTO agg_min VALUES
  (1, 9.99),
  (1, 7.99),
  (1, 8.99);
--> 3 rows
SELECT * FROM agg_min WHERE id = 1;
--> id BIGINT NOT NULL | lowest DECIMAL(10,2)
--> 1 | 7.99

--# form table-design/merge-engines/aggregation: last_value
CREATE TABLE agg_last  (
  id BIGINT,
  state STRING,
  seen TIMESTAMP(3),
  PRIMARY KEY (id) NOT ENFORCED
) WITH (
  'table.merge-engine' = 'aggregation',
  'fields.state.agg' = 'last_value',
  'fields.seen.agg' = 'last_value'
);
INSERT INTO agg_last VALUES
  (1, 'here', TIMESTAMP '2026-08-01 10:00:00');
--> 1 rows
INSERT INTO agg_last VALUES
  (1, CAST(NULL AS STRING), TIMESTAMP '2026-08-01 12:00:00');
--> 1 rows
SELECT * FROM agg_last WHERE id = 1;
--> id BIGINT NOT NULL | state STRING | seen TIMESTAMP
--> 1 | NULL | 2026-08-01T12:00:00Z

--# form table-design/merge-engines/aggregation: last_value_ignore_nulls
CREATE TABLE agg_last_known  (
  id BIGINT,
  mail STRING,
  phone STRING,
  PRIMARY KEY (id) NOT ENFORCED
) WITH (
  'table.merge-engine' = 'aggregation',
  'fields.mail.agg' = 'last_value_ignore_nulls',
  'fields.phone.agg' = 'last_value_ignore_nulls'
);
INSERT INTO agg_last_known VALUES
  (1, 'a@mail.test', '1-2');
--> 1 rows
INSERT INTO agg_last_known VALUES
  (1, CAST(NULL AS STRING), '3-4');
--> 1 rows
INSERT INTO agg_last_known VALUES
  (1, 'b@mail.test', CAST(NULL AS STRING));
--> 1 rows
SELECT * FROM agg_last_known WHERE id = 1;
--> id BIGINT NOT NULL | mail STRING | phone STRING
--> 1 | b@mail.test | 3-4

--# form table-design/merge-engines/aggregation: first_value
CREATE TABLE agg_first  (
  id BIGINT,
  bought DATE,
  item STRING,
  PRIMARY KEY (id) NOT ENFORCED
) WITH (
  'table.merge-engine' = 'aggregation',
  'fields.bought.agg' = 'first_value',
  'fields.item.agg' = 'first_value'
);
INSERT INTO agg_first VALUES
  (1, '2026-08-01', 'A'),
  (1, '2026-08-02', 'B');
--> 2 rows
SELECT * FROM agg_first WHERE id = 1;
--> id BIGINT NOT NULL | bought DATE | item STRING
--> 1 | 2026-08-01T00:00:00Z | A

--# form table-design/merge-engines/aggregation: first_value_ignore_nulls
CREATE TABLE agg_first_known  (
  id BIGINT,
  mail STRING,
  checked TIMESTAMP(3),
  PRIMARY KEY (id) NOT ENFORCED
) WITH (
  'table.merge-engine' = 'aggregation',
  'fields.mail.agg' = 'first_value_ignore_nulls',
  'fields.checked.agg' = 'first_value_ignore_nulls'
);
INSERT INTO agg_first_known VALUES
  (1, CAST(NULL AS STRING), CAST(NULL AS TIMESTAMP(3)));
--> 1 rows
INSERT INTO agg_first_known VALUES
  (1, 'a@mail.test', TIMESTAMP '2026-08-01 10:00:00');
--> 1 rows
INSERT INTO agg_first_known VALUES
  (1, 'b@mail.test', TIMESTAMP '2026-08-02 10:00:00');
--> 1 rows
SELECT * FROM agg_first_known WHERE id = 1;
--> id BIGINT NOT NULL | mail STRING | checked TIMESTAMP
--> 1 | a@mail.test | 2026-08-01T10:00:00Z

--# form table-design/merge-engines/aggregation: listagg
CREATE TABLE agg_list  (
  id BIGINT,
  tags1 STRING,
  tags2 STRING,
  PRIMARY KEY (id) NOT ENFORCED
) WITH (
  'table.merge-engine' = 'aggregation',
  'fields.tags1.agg' = 'listagg',
  'fields.tags2.agg' = 'listagg',
  'fields.tags2.listagg.delimiter' = ';'   -- a parameter of the function
);
INSERT INTO agg_list VALUES
  (1, 'x', 'x'),
  (1, 'y', 'y'),
  (1, 'z', 'z');
--> 3 rows
SELECT * FROM agg_list WHERE id = 1;
--> id BIGINT NOT NULL | tags1 STRING | tags2 STRING
--> 1 | x,y,z | x;y;z

--# form table-design/merge-engines/aggregation: string_agg
CREATE TABLE agg_string  (
  id BIGINT,
  tags1 STRING,
  tags2 STRING,
  PRIMARY KEY (id) NOT ENFORCED
) WITH (
  'table.merge-engine' = 'aggregation',
  'fields.tags1.agg' = 'string_agg',
  'fields.tags2.agg' = 'string_agg',
  'fields.tags2.string_agg.delimiter' = ';'
);
INSERT INTO agg_string VALUES
  (1, 'x', 'x'),
  (1, 'y', 'y');
--> 2 rows
SELECT * FROM agg_string WHERE id = 1;
--> id BIGINT NOT NULL | tags1 STRING | tags2 STRING
--> 1 | x,y | x;y

--# form table-design/merge-engines/aggregation: rbm32
CREATE TABLE agg_bitmap (
  user_id BIGINT,
  seen BYTES,
  PRIMARY KEY (user_id) NOT ENFORCED
) WITH (
  'table.merge-engine' = 'aggregation',
  'fields.seen.agg' = 'rbm32'
);
-- the sets {4,5} and {5,6}
--# real
INSERT INTO agg_bitmap VALUES (1, x'3A30000001000000000001001000000004000500');
--> 1 rows
--# real
INSERT INTO agg_bitmap VALUES (1, x'3A30000001000000000001001000000005000600');
--> 1 rows
--# real
SELECT * FROM agg_bitmap WHERE user_id = 1;
--> user_id BIGINT NOT NULL | seen BYTES
--> 1 | X'3a300000010000000000020010000000040005000600'

--# form table-design/merge-engines/aggregation: rbm64
CREATE TABLE agg_bitmap64 (
  user_id BIGINT,
  seen BYTES,
  PRIMARY KEY (user_id) NOT ENFORCED
) WITH (
  'table.merge-engine' = 'aggregation',
  'fields.seen.agg' = 'rbm64'
);

--# form table-design/merge-engines/aggregation: bool_and
CREATE TABLE agg_all  (
  id BIGINT,
  may BOOLEAN,
  PRIMARY KEY (id) NOT ENFORCED
) WITH (
  'table.merge-engine' = 'aggregation',
  'fields.may.agg' = 'bool_and'
);
INSERT INTO agg_all VALUES
  (1, true),
  (1, true),
  (1, false);
--> 3 rows
SELECT * FROM agg_all WHERE id = 1;
--> id BIGINT NOT NULL | may BOOLEAN
--> 1 | false

--# form table-design/merge-engines/aggregation: bool_or
CREATE TABLE agg_any  (
  id BIGINT,
  alarm BOOLEAN,
  PRIMARY KEY (id) NOT ENFORCED
) WITH (
  'table.merge-engine' = 'aggregation',
  'fields.alarm.agg' = 'bool_or'
);
INSERT INTO agg_any VALUES
  (1, false),
  (1, true),
  (1, false);
--> 3 rows
SELECT * FROM agg_any WHERE id = 1;
--> id BIGINT NOT NULL | alarm BOOLEAN
--> 1 | true
