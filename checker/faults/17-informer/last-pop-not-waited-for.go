//go:build ignore

// Mistake: The Queue is closed, so the goroutine that pops ends by itself, and nobody waits for it.
// Killed by: stops-in-order
// Verdict: wrong-answer

package informer

import "context"

func (s *SharedInformer[T]) Run(ctx context.Context) {
	checkPeriod, ok := s.start()
	if !ok {
		return
	}
	go s.process(ctx)
	s.options.Reflect(ctx, s.options.Queue, checkPeriod, s.resyncDue)
	s.options.Queue.Close()
	s.stopListeners()
	s.running.Wait()
}
