//go:build ignore

// Mistake: OnPanic is strange code, and gets a goroutine of its own; the handler's waits for it. But a stack that
//   OnPanic takes there is not that of the panic.
// Killed by: panic-skips-one
// Verdict: wrong-answer

package informer

func (l *listener[T]) call(n notification[T]) (returned bool) {
	defer func() {
		if returned {
			return
		}
		if value := recover(); value != nil && l.onPanic != nil {
			done := make(chan struct{})
			go func() {
				defer close(done)
				l.onPanic(value)
			}()
			<-done
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
