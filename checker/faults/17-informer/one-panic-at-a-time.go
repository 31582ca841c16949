//go:build ignore

// Mistake: OnPanic may not be ready for two goroutines, so handlers that panic take turns.
// Killed by: panic-skips-one
// Verdict: wrong-answer

package informer

import "sync"

var panicking sync.Mutex // held while OnPanic is called

func (l *listener[T]) call(n notification[T]) (returned bool) {
	defer func() {
		if returned {
			return
		}
		if value := recover(); value != nil && l.onPanic != nil {
			panicking.Lock()
			defer panicking.Unlock()
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
