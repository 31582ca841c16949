//go:build ignore

// Mistake: Periods are cut to whole seconds, so that a period below two seconds becomes the least, a second.
// Killed by: resync-period-bounds
// Verdict: wrong-answer

package informer

import "time"

func (s *SharedInformer[T]) allowed(period time.Duration) time.Duration {
	if period <= 0 || s.checkPeriod <= 0 {
		return 0
	}
	period = max(period.Truncate(time.Second), minimumResync)
	if s.started {
		return max(period, s.checkPeriod)
	}
	s.checkPeriod = min(s.checkPeriod, period)
	return period
}
