//go:build ignore

// Mistake: The waits start over after two minutes that are counted in whole ones, so they take nearly three.
// Killed by: one-backoff-for-all
// Verdict: wrong-answer

package reflector

import "time"

func (b *backoff) step() time.Duration {
	now := time.Now()
	if now.Sub(b.until).Truncate(time.Minute) > healthy {
		b.current = b.initial
	}
	wait := b.current.Step()
	b.until = now.Add(wait)
	return wait
}
