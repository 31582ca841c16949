//go:build ignore

// Mistake: A removed handler first hears of all that is pending, and goes on for a long time after its
//   removal.
// Killed by: remove-stuck-handler
// Verdict: wrong-answer

package informer

func (l *listener[T]) work(batch []notification[T]) bool {
	for i := range batch {
		select {
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

func (l *listener[T]) stop() {
	close(l.gone)
	l.mu.Lock()
	defer l.mu.Unlock()
}
