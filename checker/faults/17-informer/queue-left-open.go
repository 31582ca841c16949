//go:build ignore

// Mistake: If ctx is done before Run, there is nothing to do, so Run only stops the handlers; the Queue stays open,
//   and its other users wait for ever.
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
	if ctx.Err() == nil {
		var pops sync.WaitGroup
		pops.Go(func() { s.process(ctx) })
		s.options.Reflect(ctx, s.options.Queue, checkPeriod, s.resyncDue)
		s.options.Queue.Close()
		pops.Wait()
	}
	s.stopListeners()
	s.running.Wait()
}
