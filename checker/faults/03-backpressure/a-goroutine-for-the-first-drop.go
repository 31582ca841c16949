//go:build ignore

// Mistake: The first value that is dropped starts a goroutine that reports the number when the buffer is closed: one that is forgotten leaks it.
// Killed by: needs-no-close
// Verdict: goroutine-leak

package backpressure

func (b *Bounded[T]) offer(v T) error {
	if TrySend(b.values, v) {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.dropped++; b.dropped == 1 {
		go func() { <-b.done }()
	}
	return ErrFull
}
