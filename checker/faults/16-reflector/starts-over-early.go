//go:build ignore

// Mistake: The waits start over a second before two minutes are over.
// Killed by: one-backoff-for-all
// Verdict: wrong-answer

package reflector

import "time"

func (b *backoff) step() time.Duration {
	now := time.Now()
	if now.Sub(b.until) > healthy-time.Second {
		b.current = b.initial
	}
	wait := b.current.Step()
	b.until = now.Add(wait)
	return wait
}
