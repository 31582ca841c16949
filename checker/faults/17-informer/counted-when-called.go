//go:build ignore

// Mistake: An initial OnAdd is counted when it is called and no longer when it has returned: while all are still
//   pending, none counts.
// Killed by: handler-has-synced
// Verdict: wrong-answer

package informer

func (l *listener[T]) add(n notification[T]) {
	l.mu.Lock()
	l.pending = append(l.pending, n)
	l.mu.Unlock()
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

func (l *listener[T]) call(n notification[T]) (returned bool) {
	defer func() {
		if returned {
			return
		}
		if value := recover(); value != nil && l.onPanic != nil {
			l.onPanic(value)
		}
	}()
	l.count(n, 1)
	n.tell(l.handler)
	l.count(n, -1)
	return true
}

func (l *listener[T]) count(n notification[T], by int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if n.initial() {
		l.initial += by
	}
}
