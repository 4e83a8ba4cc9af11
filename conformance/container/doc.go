// Container runs the official image of Fluss in Docker, by testcontainers-go: a ZooKeeper, a coordinator and a tablet server,
// reached on ports of the loopback interface. It prints the DSN and ends everything when its standard input ends, which
// is how the conformance suite uses it for FLUSS_TARGET=container:
//
//	cd conformance/container && GOWORK=off go run .
//
// It is a module of its own, outside of the workspace: what testcontainers-go needs would choose versions for everybody.
package main
