//go:build ignore

// Mistake: What failed is kept for the next Work by putting it where the notes are. What was noted meanwhile
//   is gone.
// Killed by: notes-during-work-are-kept
// Verdict: wrong-answer

package triggers

func (s *Level) Work() {
	failed := map[string]bool{}
	for key := range s.take() {
		if err := s.reconcile(key); err != nil {
			failed[key] = true
		}
	}
	if len(failed) > 0 {
		s.mu.Lock()
		s.noted = failed
		s.mu.Unlock()
	}
}
