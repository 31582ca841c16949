//go:build ignore

// Mistake: A registration looks at its count first and asks the informer then: the whole list can come in
//   between.
// Killed by: handler-has-synced
// Verdict: wrong-answer

package informer

func (l *listener[T]) HasSynced() bool {
	l.mu.Lock()
	initial := l.initial
	l.mu.Unlock()
	return initial == 0 && l.upstreamSynced()
}
