//go:build ignore

// Mistake: Work marks an app that failed by turning its mark over: one that was noted again meanwhile loses it.
// Killed by: notes-during-work-are-kept
// Verdict: wrong-answer

package triggers

func (s *Level) Work() {
	for key := range s.take() {
		if err := s.reconcile(key); err != nil {
			s.mu.Lock()
			if s.noted[key] {
				delete(s.noted, key)
			} else {
				s.noted[key] = true
			}
			s.mu.Unlock()
		}
	}
}
