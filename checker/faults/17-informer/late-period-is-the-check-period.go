//go:build ignore

// Mistake: The period of a handler that joins during Run becomes the check period, so the next one that asks for less
//   gets the period of the last.
// Killed by: resync-period-bounds
// Verdict: wrong-answer

package informer

import "time"

func (s *SharedInformer[T]) allowed(period time.Duration) time.Duration {
	if period <= 0 || s.checkPeriod <= 0 {
		return 0
	}
	period = max(period, minimumResync)
	if s.started {
		s.checkPeriod = max(period, s.checkPeriod)
		return s.checkPeriod
	}
	s.checkPeriod = min(s.checkPeriod, period)
	return period
}
