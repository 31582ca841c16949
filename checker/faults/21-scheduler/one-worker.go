//go:build ignore

// Mistake: There is one worker, whatever the options say.
// Killed by: so-many-workers
// Verdict: wrong-answer

package scheduler

import (
	"context"
	"sync"
)

func (s *Scheduler) Run(ctx context.Context) error {
	if !s.started.CompareAndSwap(false, true) {
		return ErrStarted
	}
	var running sync.WaitGroup
	running.Go(func() { s.clock(ctx) })
	for range min(s.options.Workers, 1) {
		running.Go(func() { s.work(ctx) })
	}
	running.Wait()
	s.binding.Wait()
	return nil
}
