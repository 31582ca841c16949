//go:build ignore

// Mistake: Nobody can wait for less than no time, so Step returns 0 for a Duration below 0 that stays as it is.
// Killed by: step-model
// Verdict: wrong-answer

package cancellation

import "time"

func (b *Backoff) Step() time.Duration {
	if b == nil {
		return 0
	}
	if b.Steps <= 0 && b.Factor == 0 && b.Jitter <= 0 {
		b.Steps = 0
		return max(b.Duration, 0)
	}
	wait := jittered(b.Duration, b.Jitter)
	b.grow()
	return wait
}
