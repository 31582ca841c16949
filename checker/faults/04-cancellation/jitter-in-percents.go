//go:build ignore

// Mistake: The jitter is a whole number of percents: three thousand nodes share a hundred moments.
// Killed by: jitter-does-not-add-up
// Verdict: wrong-answer

package cancellation

import (
	"math/rand/v2"
	"time"
)

func (b *Backoff) Step() time.Duration {
	if b == nil {
		return 0
	}
	wait := b.Duration
	if b.Jitter > 0 {
		wait += time.Duration(float64(rand.IntN(101)) / 100 * b.Jitter * float64(wait))
	}
	b.grow()
	return wait
}
