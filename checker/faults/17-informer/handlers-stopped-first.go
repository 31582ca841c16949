//go:build ignore

// Mistake: The handlers are stopped as soon as ctx is done, by closing the channel that wakes them; the Queue
//   goes on for a moment and sends on it.
// Killed by: stops-in-order
// Verdict: panic

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
	pops.Go(func() {
		<-ctx.Done()
		s.mu.Lock()
		defer s.mu.Unlock()
		for _, l := range s.listeners {
			l.stop()
			close(l.wake)
		}
	})
	s.options.Reflect(ctx, s.options.Queue, checkPeriod, s.resyncDue)
	s.options.Queue.Close()
	pops.Wait()
	s.stopListeners()
	s.running.Wait()
}

func (s *SharedInformer[T]) stopListeners() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stopped = true
	s.listeners = nil
}
