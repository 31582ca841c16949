//go:build ignore

// Mistake: A period counts from 2 ns on: the comparison with 0 is off by one.
// Killed by: resync-period-bounds
// Verdict: wrong-answer

package informer

import "time"

func (s *SharedInformer[T]) allowed(period time.Duration) time.Duration {
	if period <= 1 || s.checkPeriod <= 0 {
		return 0
	}
	period = max(period, minimumResync)
	if s.started {
		return max(period, s.checkPeriod)
	}
	s.checkPeriod = min(s.checkPeriod, period)
	return period
}
