//go:build ignore

// Mistake: Only a Jitter of 0 is taken for none: a negative one makes the step shorter.
// Killed by: step-cap
// Verdict: wrong-answer

package cancellation

import (
	"math/rand/v2"
	"time"
)

func jittered(d time.Duration, factor float64) time.Duration {
	if factor == 0 {
		return d
	}
	return d + time.Duration(rand.Float64()*factor*float64(d))
}
