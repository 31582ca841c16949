//go:build ignore

// Mistake: The second after a panic begins when the next notification comes, as in client-go: after a quiet hour that one
//   still waits.
// Killed by: remove-in-the-pause
// Verdict: wrong-answer
// Without: listener.work

package informer

func (l *listener[T]) run() {
	defer close(l.finished)
	var batch []notification[T]
	for panicked := false; ; {
		for i := range batch {
			n := batch[i]
			batch[i] = notification[T]{}
			if l.isGone() || panicked && !l.pause() {
				return
			}
			panicked = !l.call(n)
		}
		batch = l.pop(batch)
		if len(batch) == 0 && !l.wait() {
			return
		}
	}
}

func (l *listener[T]) isGone() bool {
	select {
	case <-l.gone:
		return true
	default:
		return false
	}
}
