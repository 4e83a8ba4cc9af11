// Package differential sends the same requests to an embedded server and to a real one and compares the answers field by
// field. It works on the wire: requests are messages of the protocol around batches made by package record, and answers
// are compared as messages, with the rows, keys, change logs and table descriptors within them taken apart.
//
//	FLUSS_TARGET=jvm go test ./conformance/differential
//	FLUSS_TARGET=fluss://127.0.0.1:9123 go test ./conformance/differential -seed 7 -steps 20000
//
// Requests come in worlds. A world is a database of its own with a few tables, and some hundred requests that follow from
// a seed alone; the test runs the worlds of -seed, -seed+1 and so on until it has done -steps requests. A difference
// names the seed of its world: that seed given as -seed makes it the first to run.
//
// What differs from server to server by nature is made equal before comparing: the ids of tables, partitions and
// writers, times, addresses, the order of entries, and all but the beginning of a Java stack trace. Differences that are
// known and meant are in the list allowed, each with its reason, and in the documentation of package flusstest.
//
// On a cluster of its own (jvm) the test also does what may keep a real server from starting again. It does none of that
// to a server named by a DSN.
package differential
