// Package fluss is a database/sql driver for Apache Fluss, registered as "fluss". It speaks Fluss's own TCP protocol:
// there is no JVM, no Flink and no gateway on the client's side.
//
//	db, err := sql.Open("fluss", "fluss://127.0.0.1:9123/demo")
//
// A key table keeps the newest row of each key, a log table keeps every event:
//
//	CREATE TABLE profile (id INT, name STRING, balance DECIMAL(15, 2), PRIMARY KEY (id) NOT ENFORCED)
//	UPSERT INTO profile VALUES (?, ?, ?)
//	SELECT * FROM profile WHERE id = ?
//
//	CREATE TABLE events (id BIGINT, at TIMESTAMP(3), kind STRING) WITH ('bucket.num' = '8')
//	INSERT INTO events VALUES (?, ?, ?), (?, ?, ?)
//	SELECT * FROM events WHERE _bucket = 0 AND _log_offset >= ?
//
// # DSN
//
//	fluss://[user[:password]@]host:port[,host:port...][/database][?key=value&...]
//
// The keys and their defaults stand at the fields of [Config], which is the other way to say the same.
//
// # Statements
//
//	SELECT ... WHERE <primary key> = ? | IN (...) | (k1, k2) IN ((?, ?), ...)   lookups by key, in the order of the list
//	SELECT ... WHERE <bucket key> = ?                                           prefix lookup
//	SELECT ... [WHERE ...] [ORDER BY ...] [LIMIT n [OFFSET m]]                  scan of a key table or of a log
//	SELECT ... FROM t$changelog                                                 the records of a log, with _change_type in front
//	SELECT ... FROM t$binlog                                                    the changes of a key table, with the rows before and after
//	SELECT COUNT(*) FROM t [WHERE ...]
//	INSERT | UPSERT | REPLACE INTO t [(columns)] VALUES (...), ...              append, upsert, partial update
//	INSERT INTO log VALUES (...) RETURNING _bucket, _log_offset                 as a query
//	UPDATE t SET c = ?, n = n + ? WHERE <primary key> = ? | IN (...) [AND ...]
//	DELETE FROM t WHERE <primary key> = ? | IN (...) [AND ...]
//	CREATE | DROP DATABASE, CREATE | DROP TABLE, USE, EXPLAIN
//	ALTER TABLE t ADD c TYPE | ADD (c TYPE, ...) | SET ('k' = 'v') | RESET ('k')        nullable columns, at the end
//	ALTER TABLE t ADD | DROP [IF [NOT] EXISTS] PARTITION (p = 'v', ...)
//	CALL sys.add_acl(...) | sys.get_cluster_configs(...) | ...                           see SHOW PROCEDURES
//	DESCRIBE t, SHOW DATABASES | TABLES | COLUMNS | CREATE TABLE | PARTITIONS | BUCKETS | CLUSTER
//	SELECT ... FROM information_schema.tables | columns | ...                            with the values of MySQL
//
// A partition is made by the first row written to it (dynamic_partitions), never by a read, an UPDATE or a DELETE. Conditions
// on partition columns and on _partition choose the partitions that are read. Where a table makes its partitions by time, a
// row whose value is no such time is refused, since its partition would never be dropped; ADD PARTITION takes it.
//
// Records of a log have the columns _log_offset, _commit_timestamp and _change_type (insert, update_before, update_after,
// delete), and every row has _bucket and _partition; * leaves them out, but in $changelog and $binlog. The rows of $binlog
// are Flink's: _change_type (insert, update, delete), before and after, each a ROW of the table's columns or NULL. An update
// has the offset of its first record. before.c and after.c are columns by themselves, and only those are fetched that are
// named. A table whose table.changelog.image is wal has no rows from before, and no $binlog.
//
// Comparisons of _log_offset and _commit_timestamp with values (= < <= > >= BETWEEN, joined by AND) choose where a log is read
// from and to; what is compared with a timestamp may have any number of digits.
//
// FOLLOW goes on until the context ends, or to where the statement says. It reads partitions that are made meanwhile, from
// their first row on, whatever it began with, and goes on without those that are dropped; it looks every 10 s, or as often as
// OPTIONS('scan.partition.discovery.interval' = '1 s') says. A read that ends is complete: it fails when a partition of it
// is dropped.
//
// Conditions that Fluss cannot apply are applied in the driver, and EXPLAIN says so. What is not supported is refused
// with an [UnsupportedError] that says why and what to do instead; nothing is half understood. Hints stand in
// /*+ ... */ after the verb or after the table: OFFSET, STOP_OFFSET, LAST, OFFSETS, BUCKET, OPTIONS and FOLLOW for logs,
// FULL_SCAN, KEEP_MISSING, EXACT, BLIND, MERGE_MODE, TIMEOUT.
//
// UPDATE and DELETE look the rows up and write those that are there. RowsAffected, values computed from the row (+, - and *
// over columns, numbers and parameters, exact unless a FLOAT or DOUBLE takes part) and conditions beside the key rest on
// that look: they are exact for a single writer and racy against others. An UPDATE that races a DELETE can bring the key
// back with NULLs.
//
// The procedures of CALL are those that Flink has for Fluss 0.9.1, with the same names of arguments and results. Arguments go
// by position or by name (host => '*') and may be parameters; NULL and DEFAULT stand for what is left out. A resource is
// cluster, cluster.database or cluster.database.table. Rights take about a second to reach all servers. The values of
// settings whose names speak of passwords, secrets, keys, tokens or credentials are shown as ******.
//
// # Transactions
//
// Fluss has none. BeginTx starts a buffer of writes, which are checked statement by statement; it is not atomic over more
// than one batch of one bucket, and there is no isolation from anybody. The key tx of the DSN says when they are sent:
//
//	tx=batch   at Commit, the default. Rollback drops them. Reads by full primary key, and UPDATE and DELETE, see them;
//	           other reads of the same table are refused. RowsAffected is what was buffered. tx_buffer_bytes bounds them.
//	tx=stream  when a batch is full, for bulk loads: prepare an INSERT in the transaction and run it for each row. Commit
//	           waits for the rest. Reads send what is buffered first. Rollback fails when rows are in already.
//	tx=off     BeginTx fails.
//
// Commit waits for all acknowledgements under the context given to BeginTx and write_timeout. What it stores of one
// table and not of another stands in the [TxError] (for one table in an [AmbiguousWriteError] or a [PartialWriteError]) and
// is told by [LastTx]. Read-only transactions are honoured; isolation levels, SAVEPOINT and BEGIN as text are refused. DDL
// runs at once, and so does the making of missing partitions.
//
// # Values
//
//	Fluss type                          scans from                         binds from
//	BOOLEAN                             bool                               bool, 0 or 1, text
//	TINYINT SMALLINT INT BIGINT         int64                              integers, integral floats and texts; range-checked
//	FLOAT DOUBLE                        float64                            floats, integers, decimals, text
//	DECIMAL(p,s)                        string with all digits of s        decimal.Decimal, *big.Rat, integers, floats, text
//	CHAR STRING                         string                             string, []byte; UTF-8 checked
//	BINARY BYTES                        []byte                             []byte, string
//	DATE                                time.Time, midnight UTC            Date, time.Time (its own calendar day), text
//	TIME(p)                             string like 15:04:05.000           TimeOfDay, time.Duration, time.Time, text
//	TIMESTAMP(p)                        time.Time, wall clock in UTC       time.Time (its wall clock), text
//	TIMESTAMP_LTZ(p)                    time.Time, instant in loc          time.Time (the instant), text read in loc
//	ARRAY MAP ROW                       string, JSON with exact numbers    slices, maps, structs, JSON text
//
// [Array], [Map] and [Struct] scan ARRAY, MAP and ROW columns into slices, maps and structs, and bind to them. Built by Go
// 1.27, rows.Scan takes pointers to slices, maps and structs as they are, by the same rules: NULL is a nil slice, map or
// pointer, and an element that may be NULL needs a type that can hold one.
//
// [ArrowConn], reached by (*sql.Conn).Raw, reads the same as Arrow record batches and appends them to log tables.
//
// Surplus digits of decimals and times are refused unless decimal_round or time_truncate is set. A value that does not
// fit is a [ValueError] that names the column, before anything is sent.
//
// # Errors
//
// Sentinels such as [ErrTableNotExist] are matched with errors.Is, details are in [Error]. Four things can be told apart:
// the row is not there (sql.ErrNoRows), the request was refused and nothing happened, the outcome of a write is unknown
// ([AmbiguousWriteError], with counts per bucket), and the context ended (its own error, by errors.Is). A statement that
// stored some rows and certainly not the others ends in a [PartialWriteError]. Bytes that make no rows end a scan with a
// [CorruptRecordError], which says where another one goes on.
//
// A write whose answer is lost is sent again only as the identical batch with the same writer id and sequence, which the
// server stores once. driver.ErrBadConn is never returned after a byte was sent.
package fluss
