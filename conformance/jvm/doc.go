// Package jvm holds the tests that only a real cluster can pass: comparisons with the official Java client, SASL and
// rights, restarts. FLUSS_TARGET names the cluster as for package conformance, but embedded means jvm here. Tests that
// break a cluster, or need one of another kind, start their own.
package jvm
