//go:build ignore

// Mistake: A copy of the backoff is stepped, and thrown away.
// Killed by: waits-longer-each-time
// Verdict: wrong-answer

package reflector

import "time"

func (b *backoff) step() time.Duration {
	now := time.Now()
	if now.Sub(b.until) > healthy {
		b.current = b.initial
	}
	again := b.current
	wait := again.Step()
	b.until = now.Add(wait)
	return wait
}
