//go:build ignore

// Mistake: A handler with nothing left to hear is said to have synced, also if nothing has come yet.
// Killed by: handler-has-synced
// Verdict: wrong-answer

package informer

func (l *listener[T]) HasSynced() bool {
	if l.upstreamSynced == nil {
		return false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.initial == 0
}
