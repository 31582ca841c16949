//go:build ignore

// Mistake: The buffer has a limit that nobody is thought to reach, and drops the oldest notification then.
// Killed by: stuck-handler-delays-nobody
// Verdict: wrong-answer

package informer

func (l *listener[T]) add(n notification[T]) {
	const limit = 10_000
	l.mu.Lock()
	if len(l.pending) == limit {
		l.pending = l.pending[1:]
	}
	l.pending = append(l.pending, n)
	if n.initial() {
		l.initial++
	}
	l.mu.Unlock()
	select {
	case l.wake <- struct{}{}:
	default:
	}
}
