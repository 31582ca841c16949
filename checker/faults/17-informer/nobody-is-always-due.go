//go:build ignore

// Mistake: Without handlers every resync counts as due, as there is nobody who does not want it.
// Killed by: resync-per-handler
// Verdict: wrong-answer

package informer

import "time"

func (s *SharedInformer[T]) resyncDue() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	due := len(s.listeners) == 0
	for _, l := range s.listeners {
		if l.markSyncing(now) {
			due = true
		}
	}
	return due
}
