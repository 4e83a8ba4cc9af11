--# form engine-flink/writes: Appending Data to the Log Table
CREATE TABLE readings (
  sensor_id BIGINT,
  at BIGINT,
  celsius INT,
  place STRING
);
CREATE TABLE incoming (
  sensor_id BIGINT,
  at BIGINT,
  celsius INT,
  place STRING
) WITH ('connector' = 'datagen');
INSERT INTO readings
SELECT * FROM incoming;
--> refused Unsupported: INSERT ... SELECT ... read the rows and write them from Go, or use Flink

--# form engine-flink/writes: Perform Data Upserts to the PrimaryKey Table.
CREATE TABLE newest (
  plant_id BIGINT,
  sensor_id BIGINT,
  celsius INT,
  bar INT,
  PRIMARY KEY (plant_id, sensor_id) NOT ENFORCED
);
INSERT INTO newest
SELECT * FROM incoming;
--> refused Unsupported: INSERT ... SELECT
INSERT INTO newest (plant_id, sensor_id, celsius)
SELECT plant_id, sensor_id, celsius FROM incoming;
--> refused Unsupported: INSERT ... SELECT
INSERT INTO newest VALUES (7, 70, 21, 1), (7, 71, 22, 2);
--> 2 rows
INSERT INTO newest (plant_id, sensor_id, celsius) VALUES (7, 70, 25);
--> 1 rows
SELECT * FROM newest WHERE plant_id = 7 AND sensor_id = 70;
--> plant_id BIGINT NOT NULL | sensor_id BIGINT NOT NULL | celsius INT | bar INT
--> 7 | 70 | 25 | 1

--# form engine-flink/writes: DELETE FROM
SET 'execution.runtime-mode' = 'batch';
--> refused Unsupported: SET ... no session settings
DELETE FROM newest WHERE plant_id = 7 AND sensor_id = 71;
--> 1 rows

--# form engine-flink/writes: UPDATE
SET execution.runtime-mode = batch;
--> refused Unsupported: SET ... no session settings
UPDATE newest SET bar = 3 WHERE plant_id = 7 AND sensor_id = 70;
--> 1 rows
SELECT * FROM newest LIMIT 10;
--> plant_id BIGINT NOT NULL | sensor_id BIGINT NOT NULL | celsius INT | bar INT
--> 7 | 70 | 25 | 3

--# form engine-flink/getting-started: Data Writing
CREATE TABLE tally (
  team BIGINT,
  player BIGINT,
  goals INT,
  fouls INT,
  PRIMARY KEY (team, player) NOT ENFORCED
) WITH (
  'bucket.num' = '4'
);
INSERT INTO tally VALUES
  (11, 110, 1, 1),
  (22, 220, 2, 2),
  (33, 330, 3, 3);
--> 3 rows
UPDATE tally SET fouls = 4 WHERE team = 11 and player = 110;
--> 1 rows
DELETE FROM tally WHERE team = 22 and player = 220;
--> 1 rows

--# form engine-flink/getting-started: Data Reading
SELECT * FROM tally WHERE team = 11 and player = 110;
--> team BIGINT NOT NULL | player BIGINT NOT NULL | goals INT | fouls INT
--> 11 | 110 | 1 | 4
SELECT * FROM tally LIMIT 10;
--> unordered
--> team BIGINT NOT NULL | player BIGINT NOT NULL | goals INT | fouls INT
--> 33 | 330 | 3 | 3
--> 11 | 110 | 1 | 4
-- the hint makes Flink read the changes of the table: those are a table of their own here
SELECT * FROM tally /*+ OPTIONS('scan.startup.mode' = 'earliest') */;
--> refused Unsupported: by offset ... a key table holds the newest row of each key ... tally$changelog
