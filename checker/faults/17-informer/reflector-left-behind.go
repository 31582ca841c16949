//go:build ignore

// Mistake: Reflect has a goroutine of its own that nobody waits for: it will end by itself, because its ctx
//   is done.
// Killed by: stops-in-order
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
	go s.options.Reflect(ctx, s.options.Queue, checkPeriod, s.resyncDue)
	<-ctx.Done()
	s.options.Queue.Close()
	pops.Wait()
	s.stopListeners()
	s.running.Wait()
}
