//go:build ignore

// Mistake: Work sees that the app was noted again, and reads it once more. It leaves that note for the next Work, too.
// Killed by: notes-during-work-are-kept
// Verdict: wrong-answer

package triggers

func (s *Level) reconcile(key string) error {
	n := s.cluster.Get(key).Missing()
	s.mu.Lock()
	again := s.noted[key]
	s.mu.Unlock()
	if again {
		n = s.cluster.Get(key).Missing()
	}
	if n == 0 {
		return nil
	}
	return s.cluster.Scale(key, n)
}
