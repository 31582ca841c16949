//go:build ignore

// Mistake: Run tells the handlers' goroutines to stop and does not wait for them (kubernetes#45454).
// Killed by: run-joins-everything
// Verdict: wrong-answer

package informer

import (
	"context"
	"sync"
)

func (s *SharedInformer[T]) Run(ctx context.Context) {
	checkPeriod, ok := s.start()
	if !ok {
		return
	}
	var pops sync.WaitGroup
	pops.Go(func() { s.process(ctx) })
	s.options.Reflect(ctx, s.options.Queue, checkPeriod, s.resyncDue)
	s.options.Queue.Close()
	pops.Wait()
	s.stopListeners()
}
