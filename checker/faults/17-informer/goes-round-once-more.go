//go:build ignore

// Mistake: When the handler is removed in the middle of a batch, the loop goes round once more before it ends: the rest of the batch stays in the array that add was to fill next.
// Killed by: gives-memory-back
// Verdict: wrong-answer

package informer

func (l *listener[T]) work(batch []notification[T]) bool {
	for i := range batch {
		select {
		case <-l.gone:
			return true // wait finds out
		default:
		}
		n := batch[i]
		batch[i] = notification[T]{}
		if !l.call(n) && !l.pause() {
			return false
		}
	}
	return true
}
