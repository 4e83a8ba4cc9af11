--# form engine-flink/lookups: Lookup
USE CATALOG warehouse;
--> refused Unsupported: USE CATALOG
CREATE TABLE `warehouse`.`stock`.`parcels` (
  `r_id` INT NOT NULL,
  PRIMARY KEY (r_id) NOT ENFORCED
);
--> refused Unsupported: a name of three parts ... there is no catalog above the database; write database.table
CREATE TABLE `parcels` (
  `r_id` INT NOT NULL,
  `r_to` INT NOT NULL,
  `r_state` CHAR(1) NOT NULL,
  `r_value` DECIMAL(15, 2) NOT NULL,
  `r_sent` DATE NOT NULL,
  `r_speed` CHAR(8) NOT NULL,
  `r_note` STRING NOT NULL,
  PRIMARY KEY (r_id) NOT ENFORCED
);
CREATE TABLE `addressee` (
  `a_id` INT NOT NULL,
  `a_name` STRING NOT NULL,
  `a_street` STRING NOT NULL,
  PRIMARY KEY (a_id) NOT ENFORCED
);
INSERT INTO lookup_sink
SELECT `p`.`r_id`, `p`.`r_value`, `a`.`a_name`, `a`.`a_street`
FROM
(SELECT `parcels`.*, proctime() AS ptime FROM `parcels`) AS `p`
LEFT JOIN `addressee`
FOR SYSTEM_TIME AS OF `p`.`ptime` AS `a`
ON `p`.`r_to` = `a`.`a_id`;
--> refused Unsupported: INSERT ... SELECT
SELECT `p`.`r_id`, `a`.`a_name` FROM `parcels` AS `p`
LEFT JOIN `addressee` /*+ OPTIONS('lookup.async' = 'false') */
FOR SYSTEM_TIME AS OF `p`.`ptime` AS `a`
ON `p`.`r_to` = `a`.`a_id`;
--> refused Unsupported: JOIN ... read both tables and join in Go, or use Flink
-- what a lookup join asks for each of its rows
INSERT INTO addressee VALUES (5, 'Ada', 'High Street 1'), (6, 'Bea', 'Low Road 2');
--> 2 rows
SELECT `a_name`, `a_street` FROM `addressee` /*+ OPTIONS('lookup.async' = 'false') */ WHERE `a_id` = 5;
--> a_name STRING NOT NULL | a_street STRING NOT NULL
--> Ada | High Street 1

--# form engine-flink/lookups: Examples (Partitioned Table)
CREATE TABLE `addressee_by_year` (
  `a_id` INT NOT NULL,
  `a_name` STRING NOT NULL,
  `year` STRING NOT NULL,
  PRIMARY KEY (`a_id`, `year`) NOT ENFORCED
)
PARTITIONED BY (`year`)
WITH (
  'table.auto-partition.enabled' = 'true',
  'table.auto-partition.time-unit' = 'year'
);
INSERT INTO addressee_by_year VALUES (5, 'Ada', '2031'), (5, 'Ada Ann', '2032');
--> 2 rows
SELECT a_name FROM addressee_by_year WHERE a_id = 5 AND year = '2032';
--> a_name STRING NOT NULL
--> Ada Ann

--# form engine-flink/lookups: Prefix Lookup
CREATE TABLE `addressee_by_town` (
  `a_id` INT NOT NULL,
  `a_name` STRING NOT NULL,
  `a_town` INT NOT NULL,
  `a_phone` CHAR(15) NOT NULL,
  PRIMARY KEY (`a_id`, `a_town`) NOT ENFORCED
) WITH (
  'bucket.key' = 'a_id'
);
INSERT INTO addressee_by_town VALUES (5, 'Ada', 1, '12-345'), (5, 'Ada', 2, '67-890'), (6, 'Bea', 1, '11');
--> 3 rows
SELECT a_town, a_phone FROM addressee_by_town WHERE a_id = 5;
--> unordered
--> a_town INT NOT NULL | a_phone CHAR(15) NOT NULL
--> 1 | 12-345
--> 2 | 67-890
CREATE TABLE `addressee_by_town_and_year` (
  `a_id` INT NOT NULL,
  `a_name` STRING NOT NULL,
  `a_town` INT NOT NULL,
  `year` STRING NOT NULL,
  PRIMARY KEY (`a_id`, `a_town`, `year`) NOT ENFORCED
)
PARTITIONED BY (`year`)
WITH (
  'bucket.key' = 'a_id',
  'table.auto-partition.enabled' = 'true',
  'table.auto-partition.time-unit' = 'year'
);
INSERT INTO addressee_by_town_and_year VALUES (5, 'Ada', 1, '2031'), (5, 'Ada', 2, '2031'), (5, 'Ada', 3, '2032');
--> 3 rows
SELECT a_town FROM addressee_by_town_and_year WHERE a_id = 5 AND year = '2031';
--> unordered
--> a_town INT NOT NULL
--> 1
--> 2

--# form engine-flink/lookups: Insert If Not Exists
CREATE TABLE words (
  word VARCHAR NOT NULL,
  number INT,
  PRIMARY KEY (word) NOT ENFORCED
) WITH (
  'auto-increment.fields' = 'number',
  'bucket.num' = '1'
);
SELECT w.number FROM texts AS t
JOIN words /*+ OPTIONS('lookup.insert-if-not-exists' = 'true') */
  FOR SYSTEM_TIME AS OF t.proctime AS w
  ON w.word = t.word;
--> refused Unsupported: JOIN
