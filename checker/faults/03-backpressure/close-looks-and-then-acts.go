//go:build ignore

// Mistake: Close looks at the flag under one lock and sets it under the next: two Closes both find the buffer
//   open.
// Killed by: close-while-others-send
// Verdict: panic

package backpressure

func (b *Bounded[T]) shut() bool {
	b.mu.Lock()
	closed := b.closed
	b.mu.Unlock()
	if closed {
		return false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	close(b.done)
	return true
}
