//go:build ignore

// Mistake: All Backoffs draw from one source of their own making: a rand.Rand has no lock.
// Killed by: jitter-does-not-add-up
// Verdict: data-race

package cancellation

import (
	"math/rand/v2"
	"time"
)

var source = rand.New(rand.NewPCG(1, 2))

func jittered(d time.Duration, factor float64) time.Duration {
	if factor <= 0 {
		return d
	}
	return d + time.Duration(source.Float64()*factor*float64(d))
}
