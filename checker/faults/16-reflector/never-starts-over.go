//go:build ignore

// Mistake: The waits only ever grow: the first hiccup after a good week costs half a minute.
// Killed by: one-backoff-for-all
// Verdict: wrong-answer

package reflector

import "time"

func (b *backoff) step() time.Duration {
	now := time.Now()
	if now.Sub(b.until) > 1e4*healthy {
		b.current = b.initial
	}
	wait := b.current.Step()
	b.until = now.Add(wait)
	return wait
}
