//go:build ignore

// Mistake: An informer without a resync period takes that of its first handler who has one.
// Killed by: no-resync-by-default
// Verdict: wrong-answer

package informer

import "time"

func (s *SharedInformer[T]) allowed(period time.Duration) time.Duration {
	if period <= 0 {
		return 0
	}
	if s.checkPeriod <= 0 {
		s.checkPeriod = period
	}
	period = max(period, minimumResync)
	if s.started {
		return max(period, s.checkPeriod)
	}
	s.checkPeriod = min(s.checkPeriod, period)
	return period
}
