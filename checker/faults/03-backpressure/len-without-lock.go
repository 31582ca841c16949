//go:build ignore

// Mistake: Len only reads, so it is thought to need no lock.
// Killed by: many-senders-one-handler
// Verdict: data-race

package backpressure

func (p *Pump[T]) Len() int {
	return p.pending.n
}
