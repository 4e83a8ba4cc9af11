// Package conformance runs one suite of tests against several Fluss servers. FLUSS_TARGET says which:
//
//	embedded     the server of package flusstest, in this process; the default
//	jvm          a real cluster of Apache Fluss 0.9.1 on loopback, one for the test process (package cluster)
//	fluss://...  whatever that DSN reaches
//
// A target that can't be had fails the tests; nothing is skipped.
package conformance
