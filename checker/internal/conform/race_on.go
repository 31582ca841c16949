//go:build race

package conform

import "runtime"

// raceErrors is how many data races the race detector has reported.
func raceErrors() int { return runtime.RaceErrors() }
