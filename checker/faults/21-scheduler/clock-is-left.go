//go:build ignore

// Mistake: Run waits for workers and bindings. The goroutine that looks after time ends by itself when ctx does, and may do so after Run.
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
	go s.clock(ctx)
	var running sync.WaitGroup
	for range s.options.Workers {
		running.Go(func() { s.work(ctx) })
	}
	running.Wait()
	s.binding.Wait()
	return nil
}
