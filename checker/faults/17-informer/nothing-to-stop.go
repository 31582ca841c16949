//go:build ignore

// Mistake: An informer whose ctx is done before Run has started no handler, so it has none to stop, and their channels stay open.
// Killed by: stops-in-order
// Verdict: wrong-answer

package informer

import "context"

func (s *SharedInformer[T]) Run(ctx context.Context) {
	if ctx.Err() != nil && s.never() {
		s.options.Queue.Close()
		return
	}
	checkPeriod, ok := s.start()
	if !ok {
		return
	}
	pops := make(chan struct{})
	go func() {
		defer close(pops)
		s.process(ctx)
	}()
	s.options.Reflect(ctx, s.options.Queue, checkPeriod, s.resyncDue)
	s.options.Queue.Close()
	<-pops
	s.stopListeners()
	s.running.Wait()
}

// never says that the informer has stopped, and reports false if it had been started.
func (s *SharedInformer[T]) never() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.started {
		return false
	}
	s.started, s.stopped = true, true
	return true
}
