//go:build ignore

// Mistake: A Run whose ctx is done closes everything and returns early, before it has noted that it was
//   called, and the next Run starts.
// Killed by: runs-once
// Verdict: wrong-answer

package informer

import (
	"context"
	"sync"
)

func (s *SharedInformer[T]) Run(ctx context.Context) {
	if ctx.Err() != nil && !s.isStarted() {
		s.options.Queue.Close()
		s.endUnstarted()
		return
	}
	checkPeriod, ok := s.start()
	if !ok {
		return
	}
	var pops sync.WaitGroup
	pops.Go(func() { s.process(ctx) })
	s.options.Reflect(ctx, s.options.Queue, checkPeriod, s.resyncDue)
	s.options.Queue.Close() // wakes a Pop that waits
	pops.Wait()
	s.stopListeners()
	s.running.Wait()
}

func (s *SharedInformer[T]) isStarted() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.started
}

// endUnstarted is stopListeners for listeners whose run was not started.
func (s *SharedInformer[T]) endUnstarted() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stopped = true
	for _, l := range s.listeners {
		l.neverRun()
	}
	s.listeners = nil
}
