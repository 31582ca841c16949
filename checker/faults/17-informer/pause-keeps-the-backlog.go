//go:build ignore

// Mistake: The goroutine of a removed handler drops what is pending when it looks for the next call or
//   waits for one. In the pause after a panic it just ends.
// Killed by: gives-memory-back
// Verdict: wrong-answer

package informer

func (l *listener[T]) stop() {
	close(l.gone)
}

func (l *listener[T]) work(batch []notification[T]) bool {
	for i := range batch {
		select {
		case <-l.gone:
			l.drop()
			return false
		default:
		}
		n := batch[i]
		batch[i] = notification[T]{} // or the batch would keep the object until its last is done
		if !l.call(n) && !l.pause() {
			return false
		}
	}
	return true
}

func (l *listener[T]) wait() bool {
	select {
	case <-l.wake:
		return true
	case <-l.gone:
		l.drop()
		return false
	}
}

// drop forgets what is pending.
func (l *listener[T]) drop() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.pending = nil
}
