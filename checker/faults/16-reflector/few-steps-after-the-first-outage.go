//go:build ignore

// Mistake: A backoff that starts over has no more than three steps.
// Killed by: one-backoff-for-all
// Verdict: wrong-answer

package reflector

import "time"

func (b *backoff) step() time.Duration {
	now := time.Now()
	if now.Sub(b.until) > healthy {
		b.current = b.initial
		if !b.until.IsZero() {
			b.current.Steps = min(b.current.Steps, 3)
		}
	}
	wait := b.current.Step()
	b.until = now.Add(wait)
	return wait
}
