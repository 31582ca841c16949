//go:build ignore

// Mistake: An addition that is still pending and the deletion of its object are thought to cancel each other, as in a
//   work queue.
// Killed by: stuck-handler-delays-nobody
// Verdict: wrong-answer

package informer

import "github.com/controllerbook/controllerbook/labs/kit"

func (l *listener[T]) add(n notification[T]) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if last := len(l.pending) - 1; last >= 0 && n.kind == onDelete {
		if before := l.pending[last]; before.kind == onAdd && !before.flag && kit.Key(before.obj) == kit.Key(n.obj) {
			l.pending = l.pending[:last]
			return
		}
	}
	l.pending = append(l.pending, n)
	if n.initial() {
		l.initial++
	}
	select {
	case l.wake <- struct{}{}:
	default:
	}
}
