//go:build ignore

// Mistake: At the end of ctx a worker still tries what is active, and ends when there is nothing left.
// Killed by: run-ends
// Verdict: wrong-answer

package scheduler

import (
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (s *Scheduler) take(ctx context.Context) (*entry, *kit.Pod) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for ctx.Err() == nil && s.queue.active.Len() == 0 {
		s.active.Wait()
	}
	if s.queue.active.Len() == 0 {
		return nil, nil
	}
	e := s.queue.take()
	return e, e.pod
}
