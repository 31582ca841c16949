//go:build ignore

// Mistake: Duration is moved on first, and the jitter is made of what it is then, where that is less.
// Killed by: jitter-does-not-add-up
// Verdict: wrong-answer

package cancellation

import "time"

func (b *Backoff) Step() time.Duration {
	if b == nil {
		return 0
	}
	wait := b.Duration
	b.grow()
	return wait + jittered(min(wait, b.Duration), b.Jitter) - min(wait, b.Duration)
}
