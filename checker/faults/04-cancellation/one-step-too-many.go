//go:build ignore

// Mistake: Steps is compared with < instead of <=: Duration grows once more than Steps allows.
// Killed by: step-grows
// Verdict: wrong-answer

package cancellation

import "time"

func (b *Backoff) grow() {
	if b.Steps < 0 {
		b.Steps = 0
		return
	}
	b.Steps--
	if b.Factor == 0 {
		return
	}
	b.Duration = time.Duration(float64(b.Duration) * b.Factor)
	if b.Cap > 0 && b.Duration > b.Cap {
		b.Duration, b.Steps = b.Cap, 0
	}
}
