// Package embedded is ring 1: the embedded server, with a plan of faults drawn from a seed. The same seed makes the same
// plan; which request a fault hits also depends on their order.
package embedded
