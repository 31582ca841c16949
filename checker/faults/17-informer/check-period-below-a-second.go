//go:build ignore

// Mistake: The check period becomes what a handler asked for, and only the handler's own period is raised to a second.
// Killed by: resync-period-bounds
// Verdict: wrong-answer

package informer

import (
	"time"
)

// allowed is the resync period that a handler gets which asks for period. s.mu is held.
//
// Reflect got the check period when it began and cannot get another.
func (s *SharedInformer[T]) allowed(period time.Duration) time.Duration {
	if period <= 0 || s.checkPeriod <= 0 {
		return 0
	}
	if s.started {
		return max(period, s.checkPeriod, minimumResync)
	}
	s.checkPeriod = min(s.checkPeriod, period)
	return max(period, minimumResync)
}
