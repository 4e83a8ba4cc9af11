--# database stock
--# form engine-flink/ddl: Create Catalog
CREATE CATALOG warehouse WITH (
  'type' = 'fluss',
  'bootstrap.servers' = 'fluss-1:9123'
);
--> refused Unsupported: CREATE CATALOG ... name the cluster and the database in the DSN
USE CATALOG warehouse;
--> refused Unsupported: USE CATALOG

--# form engine-flink/ddl: Create Database
CREATE DATABASE stock;
USE stock;

--# form engine-flink/ddl: Drop Database
-- the default database of a cluster
USE fluss;
DROP DATABASE stock;

--# form engine-flink/ddl: Primary Key Table
CREATE TABLE visits (
  site_id BIGINT,
  visitor_id BIGINT,
  pages INT,
  seconds INT,
  PRIMARY KEY (site_id, visitor_id) NOT ENFORCED
) WITH (
  'bucket.num' = '4'
);

--# form engine-flink/ddl: Log Table
CREATE TABLE clicks (
  click_id BIGINT,
  page_id BIGINT,
  x INT,
  referrer STRING
) WITH (
  'bucket.num' = '8'
);

--# form engine-flink/ddl: Partitioned (Primary Key/Log) Table
CREATE TABLE visits_by_day (
  day STRING,
  site_id BIGINT,
  visitor_id BIGINT,
  pages INT,
  PRIMARY KEY (day, site_id, visitor_id) NOT ENFORCED
) PARTITIONED BY (day);
CREATE TABLE clicks_by_day (
  click_id BIGINT,
  referrer STRING,
  day STRING
) PARTITIONED BY (day);

--# form engine-flink/ddl: Multi-Fields Partitioned Table
CREATE TABLE clicks_by_day_and_country (
  click_id BIGINT,
  referrer STRING,
  day STRING,
  country STRING
) PARTITIONED BY (day, country);

--# form engine-flink/ddl: Auto Partitioned (Primary Key/Log) Table
CREATE TABLE auto_visits (
  day STRING,
  site_id BIGINT,
  pages INT,
  PRIMARY KEY (day, site_id) NOT ENFORCED
) PARTITIONED BY (day) WITH (
  'bucket.num' = '1',
  'table.auto-partition.enabled' = 'true',
  'table.auto-partition.time-unit' = 'day'
);
CREATE TABLE auto_clicks (
  click_id BIGINT,
  hour STRING
) PARTITIONED BY (hour) WITH (
  'bucket.num' = '1',
  'table.auto-partition.enabled' = 'true',
  'table.auto-partition.time-unit' = 'hour'
);

--# form engine-flink/ddl: Create Table Like
CREATE TEMPORARY TABLE generated (
  visitor_id BIGINT,
  page STRING
) WITH (
  'connector' = 'datagen',
  'rows-per-second' = '5'
);
--> refused Unsupported: CREATE TEMPORARY ... no session
CREATE TABLE visits_again LIKE visits (EXCLUDING OPTIONS);

--# form engine-flink/ddl: Drop Table
DROP TABLE visits_again;

--# form engine-flink/ddl: Add Columns
ALTER TABLE clicks ADD browser STRING COMMENT 'name and version';
ALTER TABLE clicks ADD (
  device STRING COMMENT 'as it calls itself',
  y INT
);
DESCRIBE clicks;
--> Field STRING NOT NULL | Type STRING NOT NULL | Null STRING NOT NULL | Key STRING NOT NULL | Default STRING | Extra STRING NOT NULL | Comment STRING NOT NULL
--> click_id | BIGINT | YES | "" | NULL | "" | ""
--> page_id | BIGINT | YES | "" | NULL | "" | ""
--> x | INT | YES | "" | NULL | "" | ""
--> referrer | STRING | YES | "" | NULL | "" | ""
--> browser | STRING | YES | "" | NULL | "" | name and version
--> device | STRING | YES | "" | NULL | "" | as it calls itself
--> y | INT | YES | "" | NULL | "" | ""

--# form engine-flink/ddl: SET properties
-- a cluster without a data lake refuses to switch it on
ALTER TABLE clicks SET ('table.datalake.enabled' = 'true');
--> refused Error 56: table.datalake.enabled ... datalake
ALTER TABLE clicks SET ('table.datalake.freshness' = '10min');

--# form engine-flink/ddl: RESET properties
ALTER TABLE clicks RESET ('table.datalake.enabled');
--> refused Error 56: table.datalake.enabled ... datalake
ALTER TABLE clicks RESET ('table.datalake.freshness');

--# form engine-flink/ddl: Add Partition
ALTER TABLE visits_by_day ADD PARTITION (day = '2026-08-01');
ALTER TABLE clicks_by_day_and_country ADD PARTITION (day = '2026-08-01', country = 'NL');
ALTER TABLE clicks_by_day_and_country ADD PARTITION (day = '2026-08-01', country = 'BE');
ALTER TABLE clicks_by_day_and_country ADD PARTITION (day = '2026-08-02', country = 'NL');

--# form engine-flink/ddl: Show Partitions
SHOW PARTITIONS visits_by_day;
--> partition name STRING NOT NULL
--> day=2026-08-01
SHOW PARTITIONS clicks_by_day_and_country PARTITION (day = '2026-08-01');
--> partition name STRING NOT NULL
--> day=2026-08-01/country=BE
--> day=2026-08-01/country=NL
SHOW PARTITIONS clicks_by_day_and_country PARTITION (day = '2026-08-01', country = 'NL');
--> partition name STRING NOT NULL
--> day=2026-08-01/country=NL

--# form engine-flink/ddl: Drop Partition
ALTER TABLE visits_by_day DROP PARTITION (day = '2026-08-01');
ALTER TABLE clicks_by_day_and_country DROP PARTITION (day = '2026-08-01', country = 'NL');
SHOW PARTITIONS clicks_by_day_and_country;
--> partition name STRING NOT NULL
--> day=2026-08-01/country=BE
--> day=2026-08-02/country=NL

--# form engine-flink/ddl: Create Materialized Table
CREATE MATERIALIZED TABLE pages_by_site
FRESHNESS = INTERVAL '5' SECOND
AS SELECT site_id, SUM(pages) AS pages FROM visits GROUP BY site_id;
--> refused Unsupported: CREATE MATERIALIZED TABLE ... it belongs to Flink; use Flink

--# form engine-flink/ddl: Alter Materialized Table
ALTER MATERIALIZED TABLE pages_by_site SUSPEND;
--> refused Unsupported: ALTER MATERIALIZED TABLE ... it belongs to Flink
ALTER MATERIALIZED TABLE pages_by_site RESUME;
--> refused Unsupported: ALTER MATERIALIZED TABLE

--# form engine-flink/ddl: Drop Materialized Table
DROP MATERIALIZED TABLE pages_by_site;
--> refused Unsupported: DROP MATERIALIZED TABLE
