//go:build ignore

// Mistake: The random part comes from rand.Int64N, which panics where there is nothing to draw from.
// Killed by: step-cap
// Verdict: panic

package cancellation

import (
	"time"
)

// jittered lengthens d by up to factor * d. The source is the process's own, seeded
// at random: with a fixed seed a thousand replicas would draw the same numbers
// and come back in the same millisecond, which is what jitter is against.
func jittered(d time.Duration, factor float64) time.Duration {
	if factor <= 0 {
		return d
	}
	return d + time.Duration(rand.Int64N(int64(factor*float64(d))))
}
