//go:build ignore

// Mistake: Whether the handler was removed is looked at before every third call only: a look before each is thought to cost
//   too much.
// Killed by: remove-stuck-handler
// Verdict: wrong-answer

package informer

func (l *listener[T]) work(batch []notification[T]) bool {
	for i := range batch {
		if i%3 == 2 {
			select {
			case <-l.gone:
				return false
			default:
			}
		}
		n := batch[i]
		batch[i] = notification[T]{}
		if !l.call(n) && !l.pause() {
			return false
		}
	}
	return true
}
