//go:build ignore

// Mistake: The bell that wakes a listener is rung by a send that waits, so a stuck handler blocks the
//   goroutine that notifies it, and all other handlers.
// Killed by: stuck-handler-delays-nobody
// Verdict: wrong-answer

package informer

func (l *listener[T]) add(n notification[T]) {
	l.mu.Lock()
	l.pending = append(l.pending, n)
	if n.initial() {
		l.initial++
	}
	l.mu.Unlock()
	l.wake <- struct{}{}
}
