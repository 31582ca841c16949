//go:build ignore

// Mistake: Dropped only reads a number, so it is thought to need no lock.
// Killed by: nothing-lost-nothing-twice
// Verdict: data-race

package backpressure

func (b *Bounded[T]) Dropped() int {
	return b.dropped
}
