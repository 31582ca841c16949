//go:build ignore

// Mistake: The bell is taken for enough: the goroutine that hears it sees what was added before. But the
//   goroutine that adds cannot know that the buffer was taken meanwhile.
// Killed by: everybody-hears-one-story
// Verdict: data-race

package informer

func (l *listener[T]) add(n notification[T]) {
	l.pending = append(l.pending, n)
	if n.initial() {
		l.mu.Lock()
		l.initial++
		l.mu.Unlock()
	}
	select {
	case l.wake <- struct{}{}:
	default:
	}
}
