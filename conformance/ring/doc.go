// Package ring drives a cluster with a mixed load through database/sql while faults happen to it, and judges what came
// of it: nothing acknowledged may be lost or changed, nothing stored twice, nothing wrong or short returned, nothing may
// hang or stay behind. A Report says how much was done and what was found.
//
// The load: statements by text, prepared ones that are held over all faults, transactions with tx=batch and tx=stream, record
// batches; on a key table, its change log, a log table, and a key and a log table with partitions that are made meanwhile. It is
// judged by what callers were told: each key against a register and against its change log, each log row by its id.
//
// Run is the same for all rings; a ring is a cluster with a Faults:
//
//	1  the embedded server, faults drawn from a seed (package embedded)
//	2  a real cluster of three tablet servers
//	3  a real cluster of one tablet server
package ring
