//go:build ignore

// Mistake: Each attempt is a goroutine, which adds itself to the WaitGroup when it begins to run. Run may have waited by then.
// Killed by: run-ends
// Verdict: wrong-answer
// Without: Scheduler.work

package scheduler

import "context"

func (s *Scheduler) Run(ctx context.Context) error {
	if !s.started.CompareAndSwap(false, true) {
		return ErrStarted
	}
	go s.clock(ctx)
	slots := make(chan struct{}, s.options.Workers)
	for {
		select {
		case slots <- struct{}{}:
		case <-ctx.Done():
		}
		e, pod := s.take(ctx)
		if e == nil {
			break
		}
		go func() {
			s.binding.Add(1)
			defer s.binding.Done()
			a := attempt{Scheduler: s, entry: e, pod: pod}
			a.run(ctx)
			<-slots
		}()
	}
	s.binding.Wait()
	return nil
}
