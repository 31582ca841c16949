//go:build ignore

// Mistake: The ShutdownChan is closed by the removal, while the handler is still being called: nobody can
//   wait for it (kubernetes#139755).
// Killed by: remove-stuck-handler
// Verdict: wrong-answer

package informer

func (l *listener[T]) run() {
	var batch []notification[T]
	for l.work(batch) {
		batch = l.pop(batch)
		if len(batch) == 0 && !l.wait() {
			return
		}
	}
}

func (l *listener[T]) stop() {
	close(l.gone)
	close(l.finished)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.pending = nil
}
