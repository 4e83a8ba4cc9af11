// Package conformance runs one suite of tests against several Fluss servers. FLUSS_TARGET says which:
//
//	jvm          a real cluster of Apache Fluss 0.9.1 on loopback, one for the test process (package cluster); the default
//	fluss://...  whatever that DSN reaches
//	embedded     the server of package flusstest: not built yet
//
// A target that can't be had fails the tests; nothing is skipped.
package conformance
