//go:build ignore

// Mistake: When Run begins, the period of each handler becomes a multiple of the check period, though it is
//   counted from when the handler was added.
// Killed by: resync-per-handler
// Verdict: wrong-answer

package informer

import "time"

func (s *SharedInformer[T]) start() (checkPeriod time.Duration, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.started {
		return 0, false
	}
	s.started = true
	for _, l := range s.listeners {
		if every := s.checkPeriod; every > 0 && l.resyncPeriod > 0 && l.resyncPeriod%every > 0 {
			more := every - l.resyncPeriod%every
			l.resyncPeriod += more
			l.nextResync = l.nextResync.Add(more)
		}
		s.running.Go(l.run)
	}
	return s.checkPeriod, true
}
