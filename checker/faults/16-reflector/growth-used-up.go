//go:build ignore

// Mistake: Only the length of the wait starts over: the Steps that the first outage used up stay used up, and
//   a second outage gets a request every second.
// Killed by: one-backoff-for-all
// Verdict: wrong-answer

package reflector

import "time"

func (b *backoff) step() time.Duration {
	now := time.Now()
	if now.Sub(b.until) > healthy {
		b.current.Duration = b.initial.Duration
	}
	wait := b.current.Step()
	b.until = now.Add(wait)
	return wait
}
