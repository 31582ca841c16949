//go:build ignore

// Mistake: Cap bounds the step with its jitter: who is at the Cap retries in step with everybody else who is.
// Killed by: jitter-does-not-add-up
// Verdict: wrong-answer

package cancellation

import "time"

func (b *Backoff) Step() time.Duration {
	if b == nil {
		return 0
	}
	wait := jittered(b.Duration, b.Jitter)
	if b.Cap > 0 && b.Duration <= b.Cap {
		wait = min(wait, b.Cap)
	}
	b.grow()
	return wait
}
