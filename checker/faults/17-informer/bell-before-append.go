//go:build ignore

// Mistake: The handler's goroutine is woken first and the notification appended then: it may look, find
//   nothing and sleep.
// Killed by: everybody-hears-one-story
// Verdict: deadlock

package informer

func (l *listener[T]) add(n notification[T]) {
	select {
	case l.wake <- struct{}{}:
	default:
	}
	l.mu.Lock()
	l.pending = append(l.pending, n)
	if n.initial() {
		l.initial++
	}
	l.mu.Unlock()
}
