//go:build ignore

// Mistake: The buffer is used again whatever its size: it remembers its worst day for ever (as the ring of
//   client-go does).
// Killed by: gives-memory-back
// Verdict: wrong-answer

package informer

func (l *listener[T]) pop(spent []notification[T]) []notification[T] {
	if cap(spent) > keptRoom*keptRoom*keptRoom {
		spent = nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	batch := l.pending
	l.pending = spent[:0]
	return batch
}
