//go:build ignore

// Mistake: Run stops a handler when the one before it has returned from its last call: behind one that takes
//   long, the others go on with what is pending.
// Killed by: run-joins-everything
// Verdict: wrong-answer

package informer

func (s *SharedInformer[T]) stopListeners() {
	s.mu.Lock()
	s.stopped = true
	listeners := s.listeners
	s.listeners = nil
	s.mu.Unlock()
	for _, l := range listeners {
		l.stop()
		<-l.finished
	}
}
