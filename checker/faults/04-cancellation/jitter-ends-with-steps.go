//go:build ignore

// Mistake: Jitter is part of growing, so it ends when Steps is used up: just when every retry is 30 s apart.
// Killed by: jitter-does-not-add-up
// Verdict: wrong-answer

package cancellation

import "time"

func (b *Backoff) Step() time.Duration {
	if b == nil {
		return 0
	}
	wait := b.Duration
	if b.Steps > 0 {
		wait = jittered(wait, b.Jitter)
	}
	b.grow()
	return wait
}
