//go:build ignore

// Mistake: Whichever Run returns says that the informer has stopped, also a second one that has done nothing.
// Killed by: runs-once
// Verdict: wrong-answer

package informer

import (
	"context"
	"sync"
)

func (s *SharedInformer[T]) Run(ctx context.Context) {
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.stopped = true
	}()
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
	s.running.Wait()
}
