//go:build ignore

// Mistake: Two goroutines pop. Each has its deltas of one object, and the later ones may be applied first.
// Killed by: the-indexer-may-refuse
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
	for range 2 {
		pops.Go(func() { s.process(ctx) })
	}
	s.options.Reflect(ctx, s.options.Queue, checkPeriod, s.resyncDue)
	s.options.Queue.Close()
	pops.Wait()
	s.stopListeners()
	s.running.Wait()
}
