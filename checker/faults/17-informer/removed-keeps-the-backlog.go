//go:build ignore

// Mistake: A removed handler's goroutine ends and leaves the buffer as it is: it stays with the registration,
//   and so do the objects in it.
// Killed by: gives-memory-back
// Verdict: wrong-answer

package informer

func (l *listener[T]) run() {
	defer close(l.finished)
	var batch []notification[T]
	for l.work(batch) {
		select {
		case <-l.gone:
			return
		default:
		}
		batch = l.pop(batch)
		if len(batch) == 0 && !l.wait() {
			return
		}
	}
}

func (l *listener[T]) stop() {
	close(l.gone)
}
