//go:build ignore

// Mistake: A jitter of nearly nothing seems to be none, so each step gets a twentieth of it in any case.
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
	return d + time.Duration((0.05+0.95*rand.Float64())*factor*float64(d))
}
