// Package flusstest is an embedded Apache Fluss 0.9.1 cluster for tests: pure Go, in one process, in memory, speaking the
// wire protocol to any client.
//
//	srv := flusstest.NewServer()
//	defer srv.Close()
//	db, err := sql.Open("fluss", srv.DSN())
//
// In a test, Run starts a server that ends with it. A server is a coordinator and one or more tablet servers, each on a
// port of its own of the loopback interface or, with InMemory, of a network in memory that works within testing/synctest;
// the client then dials with Server.Dial. It takes well under a millisecond to start, and any number of them can run.
//
// It answers as the real server does: the same codes and texts, the same defaults and refusals at CREATE TABLE, the same
// offsets in the change log, and the same silence where the real server never answers. Its tests send the frames recorded
// between the Java client and a real cluster, and hundreds of further requests, and compare the answers; a test of the
// conformance module sends both the same generated requests, by the ten thousand.
//
// # Faults
//
// A hook sees each request and says what becomes of it: Server.Hook with an Action, among them Drop, Lose, Refuse, Hangup,
// Cut and Corrupt. Every and First make hooks for one API, Server.Faults one that draws lots.
//
//	srv.Hook(flusstest.First(1, flusstest.PutKV, flusstest.Lose())) // the next write is stored but never acknowledged
//
// Links: CutAfter, DropConnections, RefuseConnections, StallConnections. Servers: StopTablet, KillTablet, StartTablet,
// StopCoordinator, Freeze, Thaw. Leaders: MoveLeader, StaleMetadata, ElectionTime. Data: ExpireLog, TruncateLog,
// CorruptLog, ForgetWriters. Time: WithClock.
//
// # What is served
//
// All APIs a client of 0.9.1 uses to define, write and read tables:
//
//	API_VERSIONS AUTHENTICATE GET_METADATA INIT_WRITER
//	CREATE_DATABASE DROP_DATABASE LIST_DATABASES DATABASE_EXISTS GET_DATABASE_INFO
//	CREATE_TABLE DROP_TABLE ALTER_TABLE GET_TABLE_INFO LIST_TABLES TABLE_EXISTS GET_TABLE_SCHEMA
//	CREATE_PARTITION DROP_PARTITION LIST_PARTITION_INFOS
//	PRODUCE_LOG FETCH_LOG PUT_KV LOOKUP PREFIX_LOOKUP LIMIT_SCAN LIST_OFFSETS GET_TABLE_STATS
//	DESCRIBE_CLUSTER_CONFIGS ALTER_CLUSTER_CONFIGS GET_FILESYSTEM_SECURITY_TOKEN
//	CREATE_ACLS LIST_ACLS DROP_ACLS (with Authorize; without it code 47) ADD_SERVER_TAG REMOVE_SERVER_TAG
//	REBALANCE LIST_REBALANCE_PROGRESS CANCEL_REBALANCE
//
// These answer as a cluster does that has no such thing:
//
//	GET_LATEST_KV_SNAPSHOTS    no bucket has a snapshot
//	GET_KV_SNAPSHOT_METADATA   code 41
//	GET_LAKE_SNAPSHOT          code 53
//	DROP_KV_SNAPSHOT_LEASE     success, as of any lease that is gone
//
// Not served, not told of by API_VERSIONS and, like any API a server does not know, never answered (Strict answers
// them with code 2):
//
//	REGISTER_PRODUCER_OFFSETS GET_PRODUCER_OFFSETS DELETE_PRODUCER_OFFSETS
//	ACQUIRE_KV_SNAPSHOT_LEASE RELEASE_KV_SNAPSHOT_LEASE
//	and the private ones between servers
//
// # Known differences
//
//   - A new table or partition has its leaders at once, and metadata knows it at once; the real server takes some hundred
//     milliseconds and answers 12, 21 or 36 meanwhile. ElectionTime imitates the missing leaders.
//   - A change reaches all servers at the same moment. StaleMetadata imitates the delay.
//   - All replicas of a bucket share one log and are always in sync, so that a write with acks -1 is answered at once, codes
//     25, 28 and 29 only come from hooks, and what is acknowledged is never lost unless TruncateLog loses it.
//   - Failover takes no time after StopTablet. After KillTablet it takes until Failover.
//   - Logs are never tiered and never expire by table.log.ttl; ExpireLog does that.
//   - There is no lake: tables with table.datalake.enabled are refused, as by a cluster without one, or with Lake taken and
//     never tiered.
//   - Lists come in the order of names or ids, entries of an answer in the order of the request. The real server's order is
//     that of a hash.
//   - Of code -1 only the first line of the Java stack trace is imitated, and not the indexes and addresses that an exception
//     about array bounds names. Texts about unreadable JSON differ.
//   - What is cut short, a row, a key or a kv batch, is always refused. The real server reads on in its memory behind the end
//     and stores or refuses what it finds there. So a lookup that inserts into a table with partitions, whose keys lack the
//     partition, is refused here; there it fails or stores chance bytes.
//   - A bucket count below 0 is refused and 0 means the default. The real server makes a table without buckets of a negative
//     one and refuses 0 when it assigns buckets.
//   - A fetch with a projection counts the size of the batches it makes, which are smaller or larger than the real server's by
//     some bytes; of a limit between the two one of them returns a batch less.
//   - The text of code 31 does not name the offset.
//   - The numbers of auto-increment columns go on without a gap after StartTablet.
//   - Cluster configs that ALTER_CLUSTER_CONFIGS accepts are kept and have no effect.
//   - A rebalance finds nothing to move, and is complete at once. Server tags are kept and move nothing.
//   - The aggregation functions rbm32 and rbm64 are refused with code -1 and a text that says so: bitmaps are not built here.
//   - There are no kv snapshots; the real server takes one every kv.snapshot.interval.
//   - A right that is given or taken shows at once; on the real servers it takes about a second.
//   - Idle connections are never closed.
package flusstest
