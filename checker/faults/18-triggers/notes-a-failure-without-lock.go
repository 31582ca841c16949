//go:build ignore

// Mistake: Level notes an app whose Scale failed without the lock.
// Killed by: notes-from-any-goroutine
// Verdict: data-race

package triggers

func (s *Level) Work() {
	for key := range s.take() {
		if err := s.reconcile(key); err != nil {
			s.noted[key] = true
		}
	}
}
