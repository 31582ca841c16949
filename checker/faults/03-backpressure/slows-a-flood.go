//go:build ignore

// Mistake: Add waits for a moment when very many values are pending, so that the handler can catch up.
// Killed by: add-never-waits
// Verdict: wrong-answer

package backpressure

import "context"

func (p *Pump[T]) Add(v T) bool {
	if !p.push(v) {
		return false
	}
	TrySend(p.wake, struct{}{})
	if p.Len() > 100_000 {
		pause, cancel := context.WithTimeout(context.Background(), 1_000_000)
		defer cancel()
		<-pause.Done()
	}
	return true
}
