//go:build ignore

// Mistake: Run waits for the last calls with the informer's lock, and one of these calls asks the informer something.
// Killed by: stops-in-order
// Verdict: deadlock

package informer

func (s *SharedInformer[T]) stopListeners() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stopped = true
	for _, l := range s.listeners {
		l.stop()
	}
	s.listeners = nil
	s.running.Wait()
}
