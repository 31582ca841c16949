//go:build ignore

// Mistake: A panic of a handler is not recovered: it takes the program with it, and with it every other
//   handler.
// Killed by: panic-skips-one
// Verdict: panic

package informer

func (l *listener[T]) call(n notification[T]) (returned bool) {
	defer func() {
		if returned {
			return
		}
		if value := any(nil); value != nil && l.onPanic != nil {
			l.onPanic(value)
		}
	}()
	n.tell(l.handler)
	if n.initial() {
		l.mu.Lock()
		l.initial--
		l.mu.Unlock()
	}
	return true
}
