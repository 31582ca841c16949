//go:build ignore

// Mistake: What was counted once may be counted again, so the recorder remembers all of it.
// Killed by: a-recorder-forgets
// Verdict: wrong-answer

package controlplane

func (l *lru[K, V]) put(key K, value V) {
	if old, known := l.items[key]; known {
		l.order.Remove(old)
	}
	l.items[key] = l.order.PushFront(pair[K, V]{key, value})
}
