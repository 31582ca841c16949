//go:build ignore

// Mistake: OnPanic may be slow, so it gets a goroutine of its own, beside the handler's next call.
// Killed by: panic-skips-one
// Verdict: wrong-answer

package informer

func (l *listener[T]) call(n notification[T]) (returned bool) {
	defer func() {
		if returned {
			return
		}
		if value := recover(); value != nil && l.onPanic != nil {
			go l.onPanic(value)
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
