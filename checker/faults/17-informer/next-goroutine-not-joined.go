//go:build ignore

// Mistake: After its pause a handler goes on with a goroutine of its own, as if it were new, which nobody
//   waits for.
// Killed by: panic-skips-one
// Verdict: wrong-answer

package informer

func (l *listener[T]) run() {
	l.runFrom(nil)
}

// runFrom begins with what is left of a batch.
func (l *listener[T]) runFrom(batch []notification[T]) {
	for {
		for i, n := range batch {
			select {
			case <-l.gone:
				close(l.finished)
				return
			default:
			}
			batch[i] = notification[T]{}
			if l.call(n) {
				continue
			}
			if !l.pause() {
				close(l.finished)
				return
			}
			go l.runFrom(batch[i+1:])
			return
		}
		batch = l.pop(batch)
		if len(batch) == 0 && !l.wait() {
			close(l.finished)
			return
		}
	}
}
