//go:build ignore

// Mistake: A handler that panics in an initial OnAdd is called at once with the next.
// Killed by: panic-skips-one
// Verdict: wrong-answer

package informer

func (l *listener[T]) work(batch []notification[T]) bool {
	for i := range batch {
		select {
		case <-l.gone:
			return false
		default:
		}
		n := batch[i]
		batch[i] = notification[T]{}
		if !l.call(n) && !n.initial() && !l.pause() {
			return false
		}
	}
	return true
}
