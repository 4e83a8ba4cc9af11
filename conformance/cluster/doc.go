// Package cluster runs a real Apache Fluss 0.9.1 cluster on loopback: ZooKeeper, a coordinator and one or more tablet
// servers, each a plain java child of this process. It is the other side of the conformance suite, so it shares no
// code with the driver: what it asks the servers, it asks with hand-made frames (probe.go).
//
// The jars come from the directory in FLUSS_LIB, or from Maven Central into the user's cache (jars.go).
// Every process is started on one long-lived thread and, on Linux, bound to it by PDEATHSIG, so that no JVM outlives
// the program, however that ends.
//
// Unix only: the faults are signals.
package cluster
