//go:build !race

package conform

// raceErrors is 0 without the race detector.
func raceErrors() int { return 0 }
