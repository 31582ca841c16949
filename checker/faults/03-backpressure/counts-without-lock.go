//go:build ignore

// Mistake: The counter is raised without the lock: ++ is taken for one step.
// Killed by: nothing-lost-nothing-twice
// Verdict: data-race

package backpressure

func (b *Bounded[T]) offer(v T) error {
	if TrySend(b.values, v) {
		return nil
	}
	b.dropped++
	return ErrFull
}
