//go:build ignore

// Mistake: At the Cap, Duration stops and Steps counts on, which a caller that loops while Steps > 0 would
//   see.
// Killed by: step-model
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
	if b.Cap > 0 && b.Duration > b.Cap {
		b.Duration = b.Cap
	}
}
