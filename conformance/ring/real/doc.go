// Package real makes the faults of the rings that run on a real cluster: servers are killed, restarted and frozen.
package real
