//go:build ignore

// Mistake: No wait is shorter than 100ms, whatever the Backoff says.
// Killed by: waits-longer-each-time
// Verdict: wrong-answer

package reflector

import "time"

func (b *backoff) step() time.Duration {
	now := time.Now()
	if now.Sub(b.until) > healthy {
		b.current = b.initial
	}
	wait := max(b.current.Step(), 100*time.Millisecond)
	b.until = now.Add(wait)
	return wait
}
