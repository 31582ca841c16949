//go:build ignore

// Mistake: Run begins with saying that the informer has not stopped, also if it has nothing to do because
//   there was a Run before.
// Killed by: runs-once
// Verdict: wrong-answer

package informer

import "time"

func (s *SharedInformer[T]) start() (checkPeriod time.Duration, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stopped = false
	if s.started {
		return 0, false
	}
	s.started = true
	for _, l := range s.listeners {
		s.running.Go(l.run)
	}
	return s.checkPeriod, true
}
