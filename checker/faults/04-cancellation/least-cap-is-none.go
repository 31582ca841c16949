//go:build ignore

// Mistake: A Cap counts from 2 ns on: the comparison with 0 is off by one.
// Killed by: step-cap
// Verdict: wrong-answer

package cancellation

import "time"

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
	if b.Cap > 1 && b.Duration > b.Cap {
		b.Duration, b.Steps = b.Cap, 0
	}
}
