//go:build ignore

// Mistake: A handler that joins during Run keeps a period that is shorter than the check period.
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
		return period
	}
	s.checkPeriod = min(s.checkPeriod, period)
	return period
}
