//go:build ignore

// Mistake: The two minutes count from the first failure, because the moment of the last one is set only once. After them each wait is a first one.
// Killed by: one-backoff-for-all
// Verdict: wrong-answer

package reflector

import "time"

func (b *backoff) step() time.Duration {
	now := time.Now()
	if now.Sub(b.until) > healthy {
		b.current = b.initial
	}
	wait := b.current.Step()
	if b.until.IsZero() {
		b.until = now.Add(wait)
	}
	return wait
}
