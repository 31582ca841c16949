//go:build race

package conform

const raceDetector = true
