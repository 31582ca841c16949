//go:build ignore

// Mistake: The workers look at ctx whenever they wake up. At the end nobody wakes them.
// Killed by: gives-a-pod-a-node
// Verdict: deadlock

package scheduler

import (
	"context"
	"time"
)

func (s *Scheduler) clock(ctx context.Context) {
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case <-s.alarm:
		case <-time.After(s.flush()):
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
}
