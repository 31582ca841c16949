//go:build ignore

// Mistake: After a panic the handler is called at once with the next: one that always panics spins through
//   its buffer.
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
		if !l.call(n) && l.handler == nil {
			return false
		}
	}
	return true
}
