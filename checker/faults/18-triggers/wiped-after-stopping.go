//go:build ignore

// Mistake: Where pods were too many and have been stopped, the app is done, and its note is wiped: also one that came
//   meanwhile.
// Killed by: notes-during-work-are-kept
// Verdict: wrong-answer

package triggers

func (s *Level) reconcile(key string) error {
	n := s.cluster.Get(key).Missing()
	if n == 0 {
		return nil
	}
	err := s.cluster.Scale(key, n)
	if err == nil && n < 0 {
		s.mu.Lock()
		delete(s.noted, key)
		s.mu.Unlock()
	}
	return err
}
