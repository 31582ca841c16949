//go:build ignore

// Mistake: Nobody looks whether the informer runs already.
// Killed by: runs-once
// Verdict: wrong-answer

package informer

import "time"

func (s *SharedInformer[T]) start() (checkPeriod time.Duration, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.started {
		for _, l := range s.listeners {
			s.running.Go(l.run)
		}
	}
	s.started = true
	return s.checkPeriod, true
}
