//go:build ignore

// Mistake: Close empties the buffer: what had been accepted is neither received nor counted.
// Killed by: close-lets-the-rest-out
// Verdict: wrong-answer

package backpressure

func (b *Bounded[T]) Close() {
	if !b.shut() {
		return
	}
	b.inside.Wait()
	for len(b.values) > 0 {
		<-b.values
	}
	close(b.values)
}
