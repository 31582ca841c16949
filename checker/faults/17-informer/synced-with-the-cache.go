//go:build ignore

// Mistake: A handler counts as synced when the cache has synced, whatever it has heard of by then
//   (kubernetes#113763).
// Killed by: handler-has-synced
// Verdict: wrong-answer

package informer

func (l *listener[T]) HasSynced() bool {
	if !l.upstreamSynced() {
		return false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.initial >= 0
}
