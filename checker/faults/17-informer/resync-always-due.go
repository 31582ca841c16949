//go:build ignore

// Mistake: A Resync that reaches no handler is thought to do no harm; it goes through the whole cache for nothing.
// Killed by: resync-per-handler
// Verdict: wrong-answer

package informer

import "time"

func (s *SharedInformer[T]) resyncDue() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	for _, l := range s.listeners {
		l.markSyncing(now)
	}
	return true
}
