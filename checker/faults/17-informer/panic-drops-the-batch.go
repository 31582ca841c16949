//go:build ignore

// Mistake: After a panic the loop is left, and with it all that was taken out of the buffer together.
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
		if !l.call(n) {
			return l.pause()
		}
	}
	return true
}
