//go:build ignore

// Mistake: Jitter is stored with Duration, so each step multiplies the jitter of all steps before it.
// Killed by: jitter-does-not-add-up
// Verdict: wrong-answer

package cancellation

import "time"

func (b *Backoff) Step() time.Duration {
	if b == nil {
		return 0
	}
	b.Duration = jittered(b.Duration, b.Jitter)
	wait := b.Duration
	b.grow()
	return wait
}
