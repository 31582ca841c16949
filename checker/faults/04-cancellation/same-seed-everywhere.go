//go:build ignore

// Mistake: The random source has a fixed seed: all replicas draw the same jitter and come back together.
// Killed by: jitter-does-not-add-up
// Verdict: wrong-answer

package cancellation

import (
	"math/rand/v2"
	"time"
)

func jittered(d time.Duration, factor float64) time.Duration {
	if factor <= 0 {
		return d
	}
	return d + time.Duration(rand.New(rand.NewPCG(1, 2)).Float64()*factor*float64(d))
}
