//go:build ignore

// Mistake: A handler gets whatever period it asks for.
// Killed by: resync-period-bounds
// Verdict: wrong-answer

package informer

import "time"

func (s *SharedInformer[T]) allowed(period time.Duration) time.Duration {
	if period <= 0 || s.checkPeriod <= 0 {
		return 0
	}
	period = max(period, minimumResync/1000)
	if s.started {
		return max(period, s.checkPeriod)
	}
	s.checkPeriod = min(s.checkPeriod, period)
	return period
}
