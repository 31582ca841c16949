//go:build ignore

// Mistake: shouldResync stops looking when it has found one handler that is due.
// Killed by: resync-per-handler
// Verdict: wrong-answer

package informer

import "time"

func (s *SharedInformer[T]) resyncDue() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	due := false
	for _, l := range s.listeners {
		if !due && l.markSyncing(now) {
			due = true
		}
	}
	return due
}
