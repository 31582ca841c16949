//go:build ignore

// Mistake: No more than sixteen handlers are called at the same time, to spare the machine: the next one waits for them.
// Killed by: stuck-handler-delays-nobody
// Verdict: wrong-answer

package informer

var calls = make(chan struct{}, 16)

func (l *listener[T]) call(n notification[T]) (returned bool) {
	calls <- struct{}{}
	defer func() { <-calls }()
	defer func() {
		if returned {
			return
		}
		if value := recover(); value != nil && l.onPanic != nil {
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
