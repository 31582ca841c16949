//go:build ignore

// Mistake: A handler that was removed is nobody's business any longer, nor is the panic of its last call.
// Killed by: panic-skips-one
// Verdict: wrong-answer

package informer

func (l *listener[T]) call(n notification[T]) (returned bool) {
	defer func() {
		if returned {
			return
		}
		value := recover()
		select {
		case <-l.gone:
			return
		default:
		}
		if value != nil && l.onPanic != nil {
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
