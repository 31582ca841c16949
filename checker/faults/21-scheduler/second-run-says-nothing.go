//go:build ignore

// Mistake: A second Run returns nil, as if it had run and ended well.
// Killed by: run-ends
// Verdict: wrong-answer

package scheduler

import (
	"context"
	"sync"
)

func (s *Scheduler) Run(ctx context.Context) error {
	if !s.started.CompareAndSwap(false, true) {
		return nil
	}
	var running sync.WaitGroup
	running.Go(func() { s.clock(ctx) })
	for range s.options.Workers {
		running.Go(func() { s.work(ctx) })
	}
	running.Wait()
	s.binding.Wait()
	return nil
}
