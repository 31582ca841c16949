//go:build ignore

// Mistake: Cap is laid on what Step returns instead of on what it stores.
// Killed by: step-cap
// Verdict: wrong-answer

package cancellation

import "time"

func (b *Backoff) Step() time.Duration {
	if b == nil {
		return 0
	}
	wait := jittered(b.Duration, b.Jitter)
	b.grow()
	if b.Cap > 0 {
		wait = min(wait, b.Cap)
	}
	return wait
}

func (b *Backoff) grow() {
	if b.Steps <= 0 {
		b.Steps = 0
		return
	}
	b.Steps--
	if b.Factor == 0 {
		return
	}
	b.Duration = time.Duration(float64(b.Duration) * b.Factor)
}
