//go:build ignore

// Mistake: A handler that is added before Run sets the check period if its own is shorter than that of the
//   Options, also if another one has made it shorter still.
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
		return max(period, s.checkPeriod)
	}
	if period < s.options.ResyncPeriod {
		s.checkPeriod = period
	}
	return period
}
