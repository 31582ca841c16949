//go:build ignore

// Mistake: The slot of what was taken is cleared, and then the rest moves up by one. So it is the last slot that
//   has to be cleared: what moved from there is kept.
// Killed by: gives-memory-back
// Verdict: wrong-answer

package informer

// pop takes the first that is pending, as a batch of one.
func (l *listener[T]) pop(spent []notification[T]) []notification[T] {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.pending) == 0 {
		return spent[:0]
	}
	spent = append(spent[:0], l.pending[0])
	l.pending[0] = notification[T]{}
	l.pending = l.pending[:copy(l.pending, l.pending[1:])]
	if len(l.pending) == 0 && cap(l.pending) > keptRoom {
		l.pending = nil
	}
	return spent
}
