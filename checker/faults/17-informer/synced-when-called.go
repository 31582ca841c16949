//go:build ignore

// Mistake: An initial OnAdd counts as done when it is called, not when it has returned.
// Killed by: handler-has-synced
// Verdict: wrong-answer

package informer

func (l *listener[T]) call(n notification[T]) (returned bool) {
	defer func() {
		if returned {
			return
		}
		if value := recover(); value != nil && l.onPanic != nil {
			l.onPanic(value)
		}
	}()
	if n.initial() {
		l.mu.Lock()
		l.initial--
		l.mu.Unlock()
	}
	n.tell(l.handler)
	return true
}
