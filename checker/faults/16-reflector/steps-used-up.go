//go:build ignore

// Mistake: Steps are taken for the number of tries: when they are used up, the waits start over from the first.
// Killed by: waits-longer-each-time
// Verdict: wrong-answer

package reflector

import "time"

func (b *backoff) step() time.Duration {
	now := time.Now()
	if now.Sub(b.until) > healthy || b.current.Steps == 0 && b.current.Cap == 0 {
		b.current = b.initial
	}
	wait := b.current.Step()
	b.until = now.Add(wait)
	return wait
}
