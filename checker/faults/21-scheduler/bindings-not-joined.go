//go:build ignore

// Mistake: Run waits for the workers. The bindings that they have started are on their own.
// Killed by: run-ends
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
	for range s.options.Workers {
		running.Go(func() { s.work(ctx) })
	}
	running.Wait()
	return nil
}
