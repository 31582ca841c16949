//go:build ignore

// Mistake: The buffer has a limit, and what comes when it is full is dropped: no handler is thought to fall
//   behind so far.
// Killed by: stuck-handler-delays-nobody
// Verdict: wrong-answer

package informer

func (l *listener[T]) add(n notification[T]) {
	l.mu.Lock()
	if len(l.pending) < 1024 {
		l.pending = append(l.pending, n)
	}
	if n.initial() {
		l.initial++
	}
	l.mu.Unlock()
	select {
	case l.wake <- struct{}{}:
	default:
	}
}
