//go:build race

package differential

// raceDetector slows this process, and so one of the two servers.
const raceDetector = true
