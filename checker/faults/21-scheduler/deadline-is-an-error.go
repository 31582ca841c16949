//go:build ignore

// Mistake: That somebody cancels the ctx is the way to stop Run. A deadline is an error, and Run returns it.
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
	s.binding.Wait()
	if ctx.Err() == context.DeadlineExceeded {
		return ctx.Err()
	}
	return nil
}
