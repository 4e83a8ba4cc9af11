--# form engine-flink/reads: Flink Reads
SET 'execution.runtime-mode' = 'streaming';
--> refused Unsupported: SET ... no session settings
SET 'sql-client.execution.result-mode' = 'tableau';
--> refused Unsupported: SET

--# form engine-flink/reads: Column Pruning
CREATE TABLE `people` (
  `p_id` INT NOT NULL,
  `p_name` STRING NOT NULL,
  `p_street` STRING NOT NULL,
  `p_town` INT NOT NULL,
  `p_balance` DECIMAL(15, 2) NOT NULL,
  `p_note` STRING NOT NULL
);
SELECT `p_name` FROM `people`;
--> p_name STRING NOT NULL
EXPLAIN SELECT `p_name` FROM `people`;
--> plan STRING NOT NULL
--> scan of the log of main.people, 1 buckets, from earliest, to the end seen at the start
--> "  projection pushed down: p_name"

--# form engine-flink/reads: Limit Read
INSERT INTO people
VALUES (1, 'One', 'A street, 5', 15, 711.56, 'first'),
       (2, 'Two', 'qzlWp r,t', 13, 121.65, 'second'),
       (3, 'Three', 'MG 9', 1, 7498.12, 'third');
--> 3 rows
SELECT * FROM people LIMIT 10;
--> p_id INT NOT NULL | p_name STRING NOT NULL | p_street STRING NOT NULL | p_town INT NOT NULL | p_balance DECIMAL(15,2) NOT NULL | p_note STRING NOT NULL
--> 1 | One | A street, 5 | 15 | 711.56 | first
--> 2 | Two | qzlWp r,t | 13 | 121.65 | second
--> 3 | Three | MG 9 | 1 | 7498.12 | third

--# form engine-flink/reads: Streaming Read
SELECT * FROM people ;
--> p_id INT NOT NULL | p_name STRING NOT NULL | p_street STRING NOT NULL | p_town INT NOT NULL | p_balance DECIMAL(15,2) NOT NULL | p_note STRING NOT NULL
--> 1 | One | A street, 5 | 15 | 711.56 | first
--> 2 | Two | qzlWp r,t | 13 | 121.65 | second
--> 3 | Three | MG 9 | 1 | 7498.12 | third
SELECT * FROM people /*+ OPTIONS('scan.startup.mode' = 'latest') */;
--> p_id INT NOT NULL | p_name STRING NOT NULL | p_street STRING NOT NULL | p_town INT NOT NULL | p_balance DECIMAL(15,2) NOT NULL | p_note STRING NOT NULL

--# form engine-flink/reads: Partition Pruning
CREATE TABLE `people_by_town` (
  `p_id` INT NOT NULL,
  `p_name` STRING NOT NULL,
  `p_town` STRING NOT NULL,
  `day` STRING NOT NULL
) PARTITIONED BY (`p_town`,`day`);
INSERT INTO people_by_town VALUES (1, 'One', 'Delft', '20260801'), (2, 'Two', 'Gent', '20260801');
--> 2 rows
SELECT * FROM `people_by_town` WHERE `p_town` = 'Gent';
--> p_id INT NOT NULL | p_name STRING NOT NULL | p_town STRING NOT NULL | day STRING NOT NULL
--> 2 | Two | Gent | 20260801
EXPLAIN SELECT * FROM `people_by_town` WHERE `p_town` = 'Gent';
--> plan STRING NOT NULL
--> scan of the log of main.people_by_town, 1 buckets, from earliest, to the end seen at the start
--> "  partitions restricted by WHERE"

--# form engine-flink/reads: Point Query
CREATE TABLE keyed_people (
  `p_id` INT NOT NULL,
  `p_name` STRING NOT NULL,
  `p_balance` DECIMAL(15, 2) NOT NULL,
  PRIMARY KEY (p_id) NOT ENFORCED
);
INSERT INTO keyed_people
VALUES (1, 'One', 711.56),
       (2, 'Two', 121.65),
       (3, 'Three', 7498.12);
--> 3 rows
SELECT * FROM keyed_people WHERE p_id = 1;
--> p_id INT NOT NULL | p_name STRING NOT NULL | p_balance DECIMAL(15,2) NOT NULL
--> 1 | One | 711.56

--# form engine-flink/reads: Aggregations
SELECT COUNT(*) FROM people;
--> COUNT(*) BIGINT NOT NULL
--> 3
SELECT COUNT(*) FROM keyed_people /*+ OPTIONS('scan.startup.mode' = 'full') */;
--> COUNT(*) BIGINT NOT NULL
--> 3

--# form engine-flink/reads: Start Reading Position
SELECT p_id FROM people /*+ OPTIONS('scan.startup.mode' = 'latest') */;
--> p_id INT NOT NULL
SELECT p_id FROM people
/*+ OPTIONS('scan.startup.mode' = 'timestamp',
'scan.startup.timestamp' = '1690000000123') */;
--> p_id INT NOT NULL
--> 1
--> 2
--> 3
SELECT p_id FROM people
/*+ OPTIONS('scan.startup.mode' = 'timestamp',
'scan.startup.timestamp' = '2023-08-01 09:10:11') */;
--> p_id INT NOT NULL
--> 1
--> 2
--> 3

--# form engine-flink/options: Configure options when creating a table
CREATE TABLE kept (
  id BIGINT,
  note STRING
) WITH (
  'table.log.ttl' = '3d',
  'client.scanner.log.check-crc' = 'false'
);

--# form engine-flink/options: Dynamically apply options via SQL hints
SELECT * FROM kept /*+ OPTIONS('client.scanner.log.check-crc' = 'false') */;
--> id BIGINT | note STRING
INSERT INTO keyed_people /*+ OPTIONS('sink.ignore-delete'='true') */ select * from kept;
--> refused Unsupported: INSERT ... SELECT
INSERT INTO keyed_people /*+ OPTIONS('sink.ignore-delete'='true') */ VALUES (4, 'Four', 4);
--> 1 rows

--# form engine-flink/options: Reconfigure options by altering table
ALTER TABLE kept SET ('table.datalake.enabled' = 'true');
--> refused Error 56: table.datalake.enabled ... datalake
